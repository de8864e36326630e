"""What does `.assay/policy.yml` demand, of which modules, and by whom?

These are the types of the document; `policy_problems` says what is wrong beyond its shape. Nothing here looks at a
tree: rules are matched in `gate/matching.py`. **Source:** design 40-gate §3, 45-teams.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from fnmatch import fnmatchcase
from typing import Annotated, Literal

import msgspec

from git_assay.errors import AssayError
from git_assay.values.ids import Principal
from git_assay.values.moments import parse_day

OWNERS = "owners"
"""Reserved role: the people whom the card of the module names (the base's card where there is one)."""

REVIEW = "review"
DEFAULT_LINK_AGE = "90d"  # design 40-gate §1: a link older than this does not count
DEFAULT_CHAIN = 10  # links; a longer path of approvals is not followed, so that the search stays small
_SPAN = re.compile(r"(\d{1,4})([hdw])")
_HOURS = {"h": 1, "d": 24, "w": 168}

RoleClass = Literal["human", "ci", "agent"]
Roles = str | tuple[str, ...]
Count = Annotated[int, msgspec.Meta(ge=1)]


class Role(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """class_ (`class`): what kind of principal fills the role.  principals: names, or shell patterns such as `*@ci`."""

    class_: RoleClass = msgspec.field(name="class")
    principals: tuple[str, ...]


class Match(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule is about. A module matches when any listed word of any key does; `paths` are root patterns."""

    labels: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()


class Condition(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`if:` of a rule. author, committer: a role.  trailer: a trailer's key. True unless proved false."""

    author: str | None = None
    committer: str | None = None
    trailer: str | None = None


class Waivable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who may waive, and for how long. max_days: days from signing to the waiver's date."""

    by: Roles
    max_days: Count
    excluded: Literal["authors"] | None = msgspec.field(default=None, name="not")


class Requirement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing required. kind: `review`, or the kind of a check.

    by: role or roles, or `owners` (reviews only).  count: distinct principals.  excluded (`not`): whom it may not be.
    chain: longest chain of seen pairs, in links.  max_age: of a link, for example `90d`.
    mode: which digest a check's record must match, None = the kind's default.  via: how a review came.
    """

    kind: str
    by: Roles
    count: Count = 1
    excluded: Literal["authors"] | None = msgspec.field(default=None, name="not")
    chain: Count = DEFAULT_CHAIN
    max_age: str = DEFAULT_LINK_AGE
    mode: Literal["exact", "code"] | None = None
    via: tuple[Literal["signed", "host"], ...] = ("signed",)
    waivable: Waivable | None = None


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Requirements of the modules or paths that match. enforce: `yes`, `no`, or `from 2026-12-31`."""

    name: str
    match: Literal["all"] | Match
    require: tuple[Requirement, ...]
    when: Literal["changed", "affected", "always"] = "affected"
    condition: Condition | None = msgspec.field(default=None, name="if")
    enforce: str = "yes"
    may_match_nothing: bool = False


class Unowned(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """max: highest share of in-scope source files without an owner, 0 to 1; reported, permits nothing."""

    max: Annotated[float, msgspec.Meta(ge=0, le=1)]


class Cones(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an unknowable cone means. open: whole = widened, fail = lacking.  unparsed: fail, or accept = reported."""

    open: Literal["whole", "fail"] = "whole"
    unparsed: Literal["fail", "accept"] = "fail"
    unowned: Unowned | None = None


class WitnessRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whose newest witness the evidence must contain. max_age: of that witness, for example `7d`."""

    by: Roles
    max_age: str


class Approval(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a change of the rules themselves needs: reviews."""

    by: Roles
    count: Count = 1
    excluded: Literal["authors"] | None = msgspec.field(default=None, name="not")
    chain: Count = DEFAULT_CHAIN
    max_age: str = DEFAULT_LINK_AGE
    via: tuple[Literal["signed", "host"], ...] = ("signed",)

    def requirement(self) -> Requirement:
        """Returns the review requirement that this approval stands for."""
        return Requirement(
            kind=REVIEW,
            by=self.by,
            count=self.count,
            excluded=self.excluded,
            chain=self.chain,
            max_age=self.max_age,
            via=self.via,
        )


class Policy(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`.assay/policy.yml`. version: must not decrease.  aliases: identity (e-mail address) -> principal."""

    format: Literal["assay-policy/1"]
    version: Count
    roles: dict[str, Role]
    rules: tuple[Rule, ...]
    policy_changes: Approval
    card_changes: Approval | None = None
    cones: Cones = Cones()
    witness: WitnessRule | None = None
    aliases: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class Enforcement:
    """Whether a rule closes the gate. since: first day on which it does, None = always."""

    on: bool
    since: date | None = None

    def closes(self, today: date) -> bool:
        """Returns whether the rule closes the gate on `today` (UTC)."""
        return self.on and (self.since is None or today >= self.since)


def parse_enforcement(text: str) -> Enforcement:
    """Returns the parsed `enforce:` word. Raises ValueError otherwise."""
    if text in ("yes", "no"):
        return Enforcement(text == "yes")
    if text.startswith("from "):
        return Enforcement(True, parse_day(text[5:].strip()))
    raise ValueError(f"enforce is yes, no or `from 2026-12-31`, not {text!r}")


def parse_span(text: str) -> timedelta:
    """Returns the span of `36h`, `7d` or `2w`. Raises ValueError otherwise."""
    found = _SPAN.fullmatch(text)
    if not found:
        raise ValueError(f"a span is a number and h, d or w, such as 90d, not {text!r}")
    return timedelta(hours=int(found[1]) * _HOURS[found[2]])


def roles_of(by: Roles) -> tuple[str, ...]:
    """Returns the role names of a `by:`."""
    return (by,) if isinstance(by, str) else by


def in_role(role: Role, principal: Principal) -> bool:
    """Returns whether a principal is named by a role, by name or shell pattern (case-sensitive)."""
    return any(principal == name or fnmatchcase(principal, _only_stars(name)) for name in role.principals)


def class_of(policy: Policy, principal: Principal) -> RoleClass | None:
    """Returns what kind of principal this is; None when no role names it.

    Whoever stands in an agent role is an agent, whatever else names it: a pattern can never make an agent a person.
    """
    classes = {role.class_ for role in policy.roles.values() if in_role(role, principal)}
    for word in ("agent", "ci", "human"):
        if word in classes:
            return word
    return None


def no_policy() -> AssayError:
    """Returns the error of a tree that has `.assay/` but no policy in it."""
    return AssayError("no .assay/policy.yml in the target's tree", hint="git assay init")


def _only_stars(name: str) -> str:
    # `[` is special to fnmatch but not in a role: only `*` is a wildcard there.
    return name.replace("[", "[[]").replace("?", "[?]")
