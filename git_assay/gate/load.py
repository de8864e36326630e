"""What is wrong with a policy or a list of exemptions, and where?

Shape is the reader's business; here are the rules between the words: unknown roles, an empty list of rules, spans and
dates that do not parse, a principal of two classes, a rule that is about nothing. Every problem is at a line.
**Source:** design 40-gate §3 ("Refused with file:line").
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from git_assay.cones.analysis import Analysis
from git_assay.documents.nodes import Node, read_trees
from git_assay.documents.reader import decode
from git_assay.errors import Problem
from git_assay.gate.exemptions import Exemptions, expires
from git_assay.gate.matching import matches_nothing
from git_assay.gate.policy import (
    OWNERS,
    REVIEW,
    Condition,
    Policy,
    Roles,
    Rule,
    parse_enforcement,
    parse_span,
    roles_of,
)
from git_assay.git.snapshot import Snapshot
from git_assay.values.digests import Mode
from git_assay.values.ids import TreePath
from git_assay.values.text import clean, path_text

POLICY_PATH = TreePath(b".assay/policy.yml")
EXEMPTIONS_PATH = TreePath(b".assay/exemptions.yml")
Place: TypeAlias = "tuple[str | int, ...]"
Complain: TypeAlias = "Callable[[Place, str, str], Problem]"


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
        at(("exemptions", place, "until"), "date", f"not a date of the form 2026-12-31: {each.until}")
        for place, each in enumerate(found.exemptions)
        if expires(each) is None
    )
    return found, (*problems, *dates)


def fit_problems(policy: Policy, analysis: Analysis) -> tuple[Problem, ...]:
    """Returns the problems of a policy with the cards of its tree: unknown modules, rules about nothing."""
    data = analysis.snapshot.read(POLICY_PATH)
    at = _at(data, POLICY_PATH)
    known = set(analysis.declarations.cards)
    found = []
    for place, rule in enumerate(policy.rules):
        for number, name in enumerate(() if rule.match == "all" else rule.match.modules):
            if name not in known:
                why = f"rule {rule.name!r} names module {name}, which no card declares"
                found.append(at(("rules", place, "match", "modules", number), "unknown-module", why))
        if not rule.may_match_nothing and matches_nothing(rule, analysis):
            why = f"rule {rule.name!r} matches nothing (may_match_nothing: true)"
            found.append(at(("rules", place, "match"), "matches-nothing", why))
    return tuple(found)


def _policy_problems(policy: Policy, at: Complain) -> Iterator[Problem]:
    if not policy.rules:
        yield at(("rules",), "empty-rules", "no rule: that would leave everything closed")
    names = [rule.name for rule in policy.rules]
    for place, rule in enumerate(policy.rules):
        if rule.name in names[:place]:
            yield at(("rules", place, "name"), "double-rule", f"two rules are named {rule.name!r}")
        yield from _rule_problems(policy, rule, ("rules", place), at)
    for word, approval in (("policy_changes", policy.policy_changes), ("card_changes", policy.card_changes)):
        if approval is not None:
            yield from _role_problems(policy, approval.by, (word, "by"), at, review=True)
            yield from _span_problems(approval.max_age, (word, "max_age"), at)
    if OWNERS in roles_of(policy.policy_changes.by):
        why = "policy_changes needs a role: `.assay` has no card and so no owners"
        yield at(("policy_changes", "by"), "owners", why)
    if policy.witness is not None:
        yield from _role_problems(policy, policy.witness.by, ("witness", "by"), at, review=False)
        yield from _span_problems(policy.witness.max_age, ("witness", "max_age"), at)
    yield from _class_problems(policy, at)


def _rule_problems(policy: Policy, rule: Rule, here: Place, at: Complain) -> Iterator[Problem]:
    if not rule.require:
        yield at((*here, "require"), "empty-rule", f"rule {rule.name!r} requires nothing")
    try:
        parse_enforcement(rule.enforce)
    except ValueError as error:
        yield at((*here, "enforce"), "enforce", str(error))
    if rule.match != "all":
        if not (rule.match.labels or rule.match.modules or rule.match.paths or rule.match.owners):
            yield at((*here, "match"), "empty-match", f"rule {rule.name!r} matches by nothing")
        if rule.match.paths and rule.when == "always":
            yield at((*here, "when"), "always", f"rule {rule.name!r}: paths are judged when they change, not always")
    yield from _condition_problems(policy, rule, (*here, "if"), at)
    for number, requirement in enumerate(rule.require):
        place = (*here, "require", number)
        review = requirement.kind == REVIEW
        yield from _role_problems(policy, requirement.by, (*place, "by"), at, review=review)
        yield from _span_problems(requirement.max_age, (*place, "max_age"), at)
        if review and requirement.mode == Mode.CODE.value.lower():
            yield at((*place, "mode"), "mode", f"rule {rule.name!r}: a review is of exact content")
        if requirement.waivable is not None:
            waivable = (*place, "waivable", "by")
            yield from _role_problems(policy, requirement.waivable.by, waivable, at, review=True)


def _condition_problems(policy: Policy, rule: Rule, here: Place, at: Complain) -> Iterator[Problem]:
    if rule.condition is None:
        return
    named = (("author", rule.condition.author), ("committer", rule.condition.committer))
    for word, name in named:
        if name is not None:
            yield from _role_problems(policy, name, (*here, word), at, review=False)
    if rule.condition == Condition():
        yield at(here, "empty-if", f"rule {rule.name!r}: an `if` names author, committer or trailer")


def _role_problems(policy: Policy, by: Roles, here: Place, at: Complain, *, review: bool) -> Iterator[Problem]:
    if not roles_of(by):
        yield at(here, "empty-by", "`by` names nobody")
    for name in roles_of(by):
        if name == OWNERS and review:
            continue
        role = policy.roles.get(name)
        if role is None:
            known = ", ".join(sorted(policy.roles)) or "none"
            yield at(here, "unknown-role", f"unknown role {name}; roles are {known}")
        elif review and role.class_ != "human":
            yield at(here, "not-human", f"role {name} is of class {role.class_}; a review needs people")


def _span_problems(text: str, here: Place, at: Complain) -> Iterator[Problem]:
    try:
        parse_span(text)
    except ValueError as error:
        yield at(here, "span", str(error))


def _class_problems(policy: Policy, at: Complain) -> Iterator[Problem]:
    for name, role in policy.roles.items():
        if not role.principals:
            yield at(("roles", name), "empty-role", f"role {name} has no principals")
        if name == OWNERS:
            yield at(("roles", name), "reserved-role", f"role {OWNERS} is reserved for the owners on cards")
        for number, principal in enumerate(role.principals):
            classes = {other.class_ for other in policy.roles.values() if principal in other.principals}
            if len(classes) > 1:
                why = f"{principal} is in roles of classes {' and '.join(sorted(classes))}"
                yield at(("roles", name, "principals", number), "two-classes", why)


def _at(data: bytes, path: TreePath) -> Complain:
    """Returns a maker of problems, each at the node that a place leads to, or at the nearest one that is written."""
    trees, _ = read_trees(data)
    root = trees[0].root if trees else None

    def complain(place: Place, code: str, message: str) -> Problem:
        line, column = _position(root, place)
        return Problem(path_text(path), line, column, code, clean(message))

    return complain


def _position(node: Node | None, place: Place) -> tuple[int, int]:
    found = (1, 1)
    for step in place:
        if node is None:
            break
        if isinstance(step, int):
            node = node.items[step] if step < len(node.items) else None
        else:
            entry = node.entries.get(step)
            node = None if entry is None else entry[1]
        if node is not None:
            found = (node.line, node.column)
    return found
