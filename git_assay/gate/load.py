"""What is wrong with a policy or a list of exemptions, and where?

Shape is the reader's business; here are the rules between the words: unknown roles, an empty list of rules, spans and
dates that do not parse, a principal of two classes, a rule that is about nothing. Every problem is at a line.
**Source:** design 40-gate §3 ("Refused with file:line").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from git_assay.cones.analysis import Analysis
from git_assay.documents.reader import decode
from git_assay.errors import Problem
from git_assay.gate.exemptions import Exemptions, expires
from git_assay.gate.matching import matches_nothing
from git_assay.gate.policy import OWNERS, REVIEW, Policy, Roles, Rule, parse_enforcement, parse_span, roles_of
from git_assay.git.snapshot import Snapshot
from git_assay.values.digests import Mode
from git_assay.values.ids import TreePath
from git_assay.values.text import clean, path_text

POLICY_PATH = TreePath(b".assay/policy.yml")
EXEMPTIONS_PATH = TreePath(b".assay/exemptions.yml")
Complain = Callable[[str, str, str], Problem]


def load_policy(snapshot: Snapshot) -> tuple[Policy | None, tuple[Problem, ...]]:
    """Returns the policy of a tree and every problem of it but those that need the cards.

    (None, ()) where there is no such file: whoever asks decides what that means.
    """
    if POLICY_PATH not in snapshot.entries:
        return None, ()
    data = snapshot.read(POLICY_PATH)
    policy, problems = decode(data, path=POLICY_PATH, type=Policy)
    if policy is None:
        return None, tuple(problems)
    return policy, (*problems, *sorted(_policy_problems(policy, _at(data, POLICY_PATH))))


def load_exemptions(snapshot: Snapshot) -> tuple[Exemptions, tuple[Problem, ...]]:
    """Returns the exemptions of a tree (none where there is no such file) and every problem."""
    empty = Exemptions("assay-exemptions/1")
    if EXEMPTIONS_PATH not in snapshot.entries:
        return empty, ()
    data = snapshot.read(EXEMPTIONS_PATH)
    found, problems = decode(data, path=EXEMPTIONS_PATH, type=Exemptions)
    if found is None:
        return empty, tuple(problems)
    at = _at(data, EXEMPTIONS_PATH)
    dates = (
        at(e.until, "date", f"not a date of the form 2026-12-31: {e.until}") for e in found.exemptions if not expires(e)
    )
    return found, (*problems, *dates)


def fit_problems(policy: Policy, analysis: Analysis) -> tuple[Problem, ...]:
    """Returns the problems of a policy with the cards of its tree: unknown modules, rules about nothing."""
    data = analysis.snapshot.read(POLICY_PATH)
    at = _at(data, POLICY_PATH)
    found = []
    for rule in policy.rules:
        if rule.match != "all":
            known = set(analysis.declarations.cards)
            found += [
                at(name, "unknown-module", f"rule {rule.name!r} names module {name}, which no card declares")
                for name in rule.match.modules
                if name not in known
            ]
        if not rule.may_match_nothing and matches_nothing(rule, analysis):
            found.append(
                at(rule.name, "matches-nothing", f"rule {rule.name!r} matches nothing (may_match_nothing: true)")
            )
    return tuple(found)


def _policy_problems(policy: Policy, at: Complain) -> Iterator[Problem]:
    if not policy.rules:
        yield at("rules", "empty-rules", "no rule: that would leave everything closed")
    names = [rule.name for rule in policy.rules]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield at(name, "double-rule", f"two rules are named {name!r}")
    for rule in policy.rules:
        yield from _rule_problems(policy, rule, at)
    approvals = [policy.policy_changes] + ([policy.card_changes] if policy.card_changes else [])
    for approval in approvals:
        yield from _role_problems(policy, approval.by, at, review=True)
        yield from _span_problems(approval.max_age, at)
    if OWNERS in roles_of(policy.policy_changes.by):
        yield at("policy_changes", "owners", "policy_changes needs a role: `.assay` has no card and so no owners")
    if policy.witness is not None:
        yield from _role_problems(policy, policy.witness.by, at, review=False)
        yield from _span_problems(policy.witness.max_age, at)
    yield from _class_problems(policy, at)


def _rule_problems(policy: Policy, rule: Rule, at: Complain) -> Iterator[Problem]:
    if not rule.require:
        yield at(rule.name, "empty-rule", f"rule {rule.name!r} requires nothing")
    try:
        parse_enforcement(rule.enforce)
    except ValueError as error:
        yield at(rule.enforce, "enforce", str(error))
    if rule.match != "all":
        if not (rule.match.labels or rule.match.modules or rule.match.paths or rule.match.owners):
            yield at(rule.name, "empty-match", f"rule {rule.name!r} matches by nothing")
        if rule.match.paths and rule.when == "always":
            yield at(rule.name, "always", f"rule {rule.name!r}: paths are judged when they change, not always")
    if rule.condition is not None:
        named = [name for name in (rule.condition.author, rule.condition.committer) if name is not None]
        yield from _role_problems(policy, tuple(named), at, review=False)
        if not named and rule.condition.trailer is None:
            yield at(rule.name, "empty-if", f"rule {rule.name!r}: an `if` names author, committer or trailer")
    for requirement in rule.require:
        yield from _role_problems(policy, requirement.by, at, review=requirement.kind == REVIEW)
        yield from _span_problems(requirement.max_age, at)
        if requirement.kind == REVIEW and requirement.mode == Mode.CODE.value.lower():
            yield at(rule.name, "mode", f"rule {rule.name!r}: a review is of exact content")
        if requirement.waivable is not None:
            yield from _role_problems(policy, requirement.waivable.by, at, review=True)


def _role_problems(policy: Policy, by: Roles, at: Complain, *, review: bool) -> Iterator[Problem]:
    names = roles_of(by)
    if not names:
        yield at("by", "empty-by", "`by` names nobody")
    for name in names:
        if name == OWNERS and review:
            continue
        role = policy.roles.get(name)
        if role is None:
            yield at(
                name, "unknown-role", f"unknown role {name}; roles are {', '.join(sorted(policy.roles)) or 'none'}"
            )
        elif review and role.class_ != "human":
            yield at(name, "not-human", f"role {name} is of class {role.class_}; a review needs people")


def _span_problems(text: str, at: Complain) -> Iterator[Problem]:
    try:
        parse_span(text)
    except ValueError as error:
        yield at(text, "span", str(error))


def _class_problems(policy: Policy, at: Complain) -> Iterator[Problem]:
    for name, role in policy.roles.items():
        if not role.principals:
            yield at(name, "empty-role", f"role {name} has no principals")
        if name == OWNERS:
            yield at(name, "reserved-role", f"role {OWNERS} is reserved for the owners on cards")
        for principal in role.principals:
            classes = {other.class_ for other in policy.roles.values() if principal in other.principals}
            if len(classes) > 1:
                yield at(
                    principal, "two-classes", f"{principal} is in roles of classes {' and '.join(sorted(classes))}"
                )


def _at(data: bytes, path: TreePath) -> Complain:
    """Returns a maker of problems that places each at the first line that writes the word it is about."""
    lines = data.decode("utf-8", "replace").splitlines()

    def complain(word: str, code: str, message: str) -> Problem:
        for number, column in _places(lines, word):
            return Problem(path_text(path), number, column, code, clean(message))
        return Problem(path_text(path), 1, 1, code, clean(message))

    return complain


def _places(lines: Iterable[str], word: str) -> Iterator[tuple[int, int]]:
    for number, line in enumerate(lines, 1):
        column = line.find(word)
        if column >= 0 and not line.lstrip().startswith("#"):
            yield number, column + 1
