"""Did the people of the base's card see that it is weakened?

`card_changes` of the target's policy says who; by default an owner on the base's card, and where no owner there is a
person whom the policy knows, whoever `policy_changes` asks for (never nobody). **Source:** design 40-gate §3.
"""

from __future__ import annotations

from dataclasses import replace

from git_assay.gate.decision import Item, Lacking
from git_assay.gate.policy import OWNERS, Approval
from git_assay.gate.satisfy import Case, judge_review
from git_assay.gate.weakening import Weakening, find_weakenings
from git_assay.status.changes import PieceChange
from git_assay.values.ids import ASSAY_SUBJECT, ModuleId


def judge_cards(case: Case) -> list[Item]:
    """Returns one item for each module of the base that the change weakens, in order of id."""
    items = []
    for weakening in find_weakenings(case.base, case.result):
        requirement = _approval(case, weakening.module).requirement()
        outcome = judge_review(case, weakening.module, requirement, _pieces(case, weakening))
        if isinstance(outcome, Lacking):
            reasons = "; ".join(weakening.reasons[:5])
            outcome = replace(outcome, why=(reasons, *outcome.why))
        items.append(Item("card_changes", weakening.module, "review", outcome))
    return items


def _approval(case: Case, module: ModuleId) -> Approval:
    if case.policy.card_changes is not None:
        return case.policy.card_changes
    default = Approval(by=OWNERS)
    known = case.people.owners(case.owners(module))
    people = case.people.reviewers(OWNERS, owners=case.owners(module), not_authors=False) if known else {}
    return default if people or _names_a_person(case, module) else case.policy.policy_changes


def _names_a_person(case: Case, module: ModuleId) -> bool:
    """Returns whether an owner is in the policy as a person, though nothing of theirs is in the evidence yet."""
    for owner in case.owners(module):
        role = case.policy.roles.get(owner)
        if role is not None and role.class_ == "human":
            return True
        if any(owner in each.principals and each.class_ == "human" for each in case.policy.roles.values()):
            return True
    return False


def _pieces(case: Case, weakening: Weakening) -> tuple[PieceChange, ...]:
    """Returns what has to be seen: the cards and moved code that changed, else what can have caused it."""
    paths = set(weakening.paths)
    found = tuple(change for change in case.changes.pieces.values() if change.path in paths)
    return found or case.changes.of(ASSAY_SUBJECT) or tuple(case.changes.pieces.values())
