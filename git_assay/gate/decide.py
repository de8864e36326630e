"""Is the gate open?

A pure function. Everything that judges (policy, keyring, exemptions, retired ids) is the target tip's; what is judged
is the merge result. The numbers are those of docs/algorithm.md.

1. who is who: roles, owners, authors, people behind keys;
2. what changed, by both ownership maps, and the radius;
3. laws that no evidence can satisfy: the version, retired ids, a result whose policy does not load;
4. `.assay`: what `policy_changes` of the *old* policy demands;
5. `.unowned`: the same, for changed paths that nobody accounts for;
6. cards that are weakened: `card_changes`, by the people of the base's card;
7. the rules that match in base or result, requirement by requirement;
8. what may be missing: gaps in logs, what could not be judged, a witness that saw more;
9. the verdict: closed when an enforced item lacks; else cannot decide when something may be missing; else open.

**Source:** design 40-gate §3-4.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from git_assay.cones.analysis import Analysis
from git_assay.errors import Problem
from git_assay.evidence.model import Evidence, Refusal
from git_assay.gate.cards import judge_cards
from git_assay.gate.decision import Decision, Item, Verdict
from git_assay.gate.exemptions import Exemptions
from git_assay.gate.facts import RangeFacts
from git_assay.gate.laws import judge_laws
from git_assay.gate.matching import unaccounted_paths
from git_assay.gate.people import find_people
from git_assay.gate.policy import Policy
from git_assay.gate.rules import judge_rules
from git_assay.gate.satisfy import Case, judge_review
from git_assay.status.changes import PieceChange
from git_assay.status.radius import find_radius
from git_assay.status.reviews import index_reviews
from git_assay.status.standings import index_runs
from git_assay.values.ids import ASSAY_SUBJECT, UNOWNED_SUBJECT, Principal, TreePath
from git_assay.values.text import clean

EXEMPTIONS_PATH = TreePath(b".assay/exemptions.yml")


@dataclass(frozen=True, slots=True, eq=False)
class Rulebook:
    """What the target tip says. exemptions: as written, held or not.

    keys: fingerprints of each listed principal's keys.  logs: the logs that listed keys write.
    """

    policy: Policy
    exemptions: Exemptions
    keys: Mapping[Principal, frozenset[str]]
    logs: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Proposal:
    """What the result says about the rules; it is judged, never obeyed. problems: of its policy and exemptions."""

    policy: Policy | None
    exemptions: Exemptions | None
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """All that a decision depends on."""

    base: Analysis
    result: Analysis
    rulebook: Rulebook
    proposal: Proposal
    evidence: Evidence
    facts: RangeFacts
    now: datetime


def decide(question: Question) -> Decision:
    """Returns the decision; the same question gives the same decision, on every machine."""
    policy, facts = question.rulebook.policy, question.facts
    # 1. who is who
    people = find_people(policy, question.evidence, facts, same_key=question.rulebook.keys)
    # 2. what changed
    radius = find_radius(question.base, question.result)
    case = Case(
        question.base,
        question.result,
        radius.changes,
        policy,
        people,
        facts,
        question.evidence,
        index_reviews(question.evidence),
        index_runs(question.evidence),
        question.rulebook.exemptions.exemptions,
        question.now,
    )
    # 3. laws
    items = list(
        judge_laws(question.base, question.result, policy, question.proposal.policy, question.proposal.problems)
    )
    # 4, 5. reserved subjects
    items += _reserved(case, question)
    # 6. weakened cards
    cards = judge_cards(case)
    items += cards
    # 7. rules
    items += judge_rules(case, radius, cards)
    # 8. what may be missing
    reasons = _missing(question) if _matters(items) else ()
    # 9. the verdict
    return Decision(
        _verdict(items, reasons),
        tuple(items),
        _notes(question),
        reasons,
        facts.target,
        facts.head,
        question.base.tree,
        question.result.tree,
        policy.version,
        question.base.declarations.config.extractor,
        tuple(sorted(question.evidence.tips.items())),
        question.now,
        len(radius.modules),
    )


def _reserved(case: Case, question: Question) -> list[Item]:
    requirement = case.policy.policy_changes.requirement()
    items = []
    assay = case.changes.of(ASSAY_SUBJECT)
    if _only_retires_exemptions(question):
        assay = tuple(change for change in assay if change.path != EXEMPTIONS_PATH)
    if assay:
        outcome = judge_review(case, ASSAY_SUBJECT, requirement, assay)
        items.append(Item("policy_changes", ASSAY_SUBJECT, "review", outcome))
    loose = set(unaccounted_paths(case.policy, case.changes))
    unowned: tuple[PieceChange, ...] = tuple(c for c in case.changes.pieces.values() if c.path in loose)
    if unowned:
        outcome = judge_review(case, UNOWNED_SUBJECT, requirement, unowned)
        items.append(Item("policy_changes", UNOWNED_SUBJECT, "review", outcome))
    return items


def _only_retires_exemptions(question: Question) -> bool:
    """Returns whether the result's exemptions are some of the base's, each as it was: removing them is free."""
    proposed = question.proposal.exemptions
    if proposed is None or EXEMPTIONS_PATH not in question.result.snapshot.entries:
        return EXEMPTIONS_PATH not in question.result.snapshot.entries
    old, new = (side.snapshot.entries.get(EXEMPTIONS_PATH) for side in (question.base, question.result))
    same_kind = old is not None and new is not None and old.mode == new.mode
    return same_kind and set(proposed.exemptions) <= set(question.rulebook.exemptions.exemptions)


def _missing(question: Question) -> tuple[str, ...]:
    found = [f"log {log} lacks records that it names itself" for log in sorted(question.evidence.gaps)]
    found += [f"log {log} is shorter here than a witness saw" for log in sorted(question.facts.unseen)]
    found += _unjudged(question)
    if question.rulebook.policy.witness is not None and question.facts.witnessed is None:
        found.append("the policy demands a witness and there is no valid one")
    if not question.facts.past_known:
        found.append("this clone is shallow: what the target's history held before is not known")
    return tuple(found)


def _unjudged(question: Question) -> list[str]:
    """Returns the logs of listed keys in which something could not be judged: it may have been a fail or a reject."""
    defects = (one for one in question.evidence.refused if one.reason is Refusal.DEFECT)
    hurt = {one.log: one.detail for one in defects if one.log.partition("-")[0] in question.rulebook.logs}
    return [f"log {log} holds what could not be judged: {clean(detail)}" for log, detail in sorted(hurt.items())]


def _matters(items: list[Item]) -> bool:
    """Returns whether evidence took any part: a change that needs none is not held up by what may be missing."""
    return any(item.need != "law" for item in items)


def _verdict(items: list[Item], reasons: tuple[str, ...]) -> Verdict:
    if any(item.closes for item in items):
        return Verdict.CLOSED
    return Verdict.CANNOT_DECIDE if reasons else Verdict.OPEN


def _notes(question: Question) -> tuple[str, ...]:
    notes = []
    if question.rulebook.policy.witness is None and question.evidence.tips:
        notes.append("complete only as far as this clone has seen")
    unowned, total = len(question.result.ownership.unowned), len(question.result.graph.files)
    limit = question.rulebook.policy.cones.unowned
    if limit is not None and total and unowned / total > limit.max:
        notes.append(f"{unowned} of {total} source files are unowned, more than {limit.max:.0%}")
    today = question.now.astimezone(UTC).date()
    waiting = [rule.name for rule in question.rulebook.policy.rules if rule.enforce.startswith("from ")]
    if waiting:
        notes.append(f"rules with a date, judged on {today}: {', '.join(waiting)}")
    return tuple(notes)
