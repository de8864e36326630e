"""What does each rule of the target's policy demand of this change, and is it there?

Checks demanded are those of the base's card *and* of the result's: one that the result drops lacks until the people of
the base's card agreed to that; a kind without any check lacks. **Source:** design 40-gate §3.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC

from git_assay.cones.analysis import Analysis
from git_assay.gate.decision import Item, Lacking, Outcome, Satisfied
from git_assay.gate.matching import condition_holds, matching_paths, selected_modules
from git_assay.gate.policy import REVIEW, Requirement, Rule, parse_enforcement
from git_assay.gate.satisfy import Case, excuse_or_waive, judge_check, judge_review
from git_assay.modules.card import Check
from git_assay.status.changes import PieceChange
from git_assay.status.radius import Radius
from git_assay.values.ids import UNOWNED_SUBJECT, ModuleId


def judge_rules(case: Case, radius: Radius, cards: Iterable[Item]) -> list[Item]:
    """Returns the items of every rule that applies. cards: what became of `card_changes`."""
    agreed = frozenset(item.subject for item in cards if isinstance(item.outcome, Satisfied))
    today = case.now.astimezone(UTC).date()
    items: list[Item] = []
    for rule in case.policy.rules:
        if not condition_holds(rule.condition, case.people, case.facts):
            continue
        enforced = parse_enforcement(rule.enforce).closes(today)
        for subject, pieces in _subjects(case, radius, rule).items():
            for requirement in rule.require:
                for need, outcome in _judge(case, subject, requirement, pieces, agreed=agreed):
                    items.append(Item(rule.name, subject, need, outcome, enforced))
    return items


def _subjects(case: Case, radius: Radius, rule: Rule) -> Mapping[ModuleId, tuple[PieceChange, ...]]:
    """Returns the subjects of a rule with the changed pieces that it is about."""
    found: dict[ModuleId, tuple[PieceChange, ...]] = {
        module: case.changes.of(module) for module in selected_modules(rule, radius)
    }
    paths = set(matching_paths(rule, case.changes))
    if not paths:
        return found
    rest = {change.piece: change for change in case.changes.pieces.values() if change.path in paths}
    for subject, pieces in case.changes.subjects.items():
        mine = tuple(rest[piece] for piece in pieces if piece in rest)
        if mine and subject not in found:
            found[subject] = mine
    owned = {piece for pieces in case.changes.subjects.values() for piece in pieces}
    loose = tuple(change for piece, change in rest.items() if piece not in owned)
    if loose:
        found[UNOWNED_SUBJECT] = loose
    return found


def _judge(
    case: Case,
    subject: ModuleId,
    requirement: Requirement,
    pieces: tuple[PieceChange, ...],
    *,
    agreed: frozenset[str],
) -> Iterable[tuple[str, Outcome]]:
    if requirement.kind == REVIEW:
        yield REVIEW, _or_excused(case, subject, requirement, judge_review(case, subject, requirement, pieces))
        return
    kept, dropped = _checks(case.base, case.result, subject, requirement.kind)
    for check in kept:
        outcome = judge_check(case, subject, check, requirement)
        yield f"{requirement.kind}:{check.name}", _or_excused(case, subject, requirement, outcome)
    for check in dropped:
        yield f"{requirement.kind}:{check.name}", _dropped(check, subject in agreed)
    gone = subject not in case.result.declarations.cards and subject in case.base.declarations.cards
    if gone and not dropped:
        yield requirement.kind, _dropped(None, subject in agreed)
    elif not gone and not kept:
        why = f"no card has a check of kind {requirement.kind} for this"
        lacking = Lacking((why,), "you", f"git assay module show {subject}")
        yield requirement.kind, _or_excused(case, subject, requirement, lacking)


def _or_excused(case: Case, subject: ModuleId, requirement: Requirement, outcome: Outcome) -> Outcome:
    if not isinstance(outcome, Lacking):
        return outcome
    return excuse_or_waive(case, subject, requirement.kind, requirement, lacking=outcome)


def _dropped(check: Check | None, agreed: bool) -> Outcome:
    what = f"check {check.name}" if check else "the card"
    if agreed:
        return Satisfied((), f"{what} is dropped, as the people of the base's card agreed")
    return Lacking((f"{what} of the base's card is dropped",), "owner", None)


def _checks(
    base: Analysis, result: Analysis, module: ModuleId, kind: str
) -> tuple[tuple[Check, ...], tuple[Check, ...]]:
    """Returns the result's checks of a kind, and the base's that the result no longer has under that name and kind."""
    sides = []
    for side in (base, result):
        loaded = side.declarations.cards.get(module)
        sides.append(tuple(c for c in loaded.card.checks if c.kind == kind) if loaded else ())
    names = {check.name for check in sides[1]}
    return sides[1], tuple(check for check in sides[0] if check.name not in names)
