"""Is one requirement of one subject satisfied, excused, waived or lacking?

Order: evidence, then an exemption of the target, then a waiver that the requirement allows. Whatever cannot be told is
lacking, with the reason. **Source:** design 40-gate §1 and §3.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from git_assay.cones.analysis import Analysis
from git_assay.evidence.model import Evidence, Record
from git_assay.evidence.records import PredicateType
from git_assay.gate.decision import CI, Excused, Lacking, Outcome, Satisfied, Waived
from git_assay.gate.exempting import is_excusing
from git_assay.gate.exemptions import Exemption
from git_assay.gate.facts import RangeFacts
from git_assay.gate.people import People
from git_assay.gate.policy import OWNERS, Policy, Requirement, Waivable, parse_span, roles_of
from git_assay.modules.card import Check
from git_assay.status.changes import Changes, PieceChange
from git_assay.status.model import Absent, Disputed, Failing, Fresh, RefusedEvidence, Stale, Standing
from git_assay.status.reviews import ChainRule, Covered, ReviewIndex, Uncovered, cover
from git_assay.status.standings import RunIndex, check_standing
from git_assay.values.digests import Mode, own_name
from git_assay.values.ids import ModuleId, TreePath
from git_assay.values.moments import parse_day
from git_assay.values.text import path_text


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """Everything that the judgement of one change looks at. exemptions: the target's, held or not."""

    base: Analysis
    result: Analysis
    changes: Changes
    policy: Policy
    people: People
    facts: RangeFacts
    evidence: Evidence
    reviews: ReviewIndex
    runs: RunIndex
    exemptions: tuple[Exemption, ...]
    now: datetime

    def owners(self, module: ModuleId) -> tuple[str, ...]:
        """Returns the owners on the base's card; on the result's for a module that the base does not have."""
        side = self.base if module in self.base.declarations.cards else self.result
        loaded = side.declarations.cards.get(module)
        return loaded.card.owners if loaded else ()


def judge_review(case: Case, subject: ModuleId, requirement: Requirement, pieces: Iterable[PieceChange]) -> Outcome:
    """Returns whether every changed piece is covered by the required people."""
    changed = tuple(pieces)
    if not changed:
        return Satisfied((), "its own content is unchanged")
    not_authors = requirement.excluded is not None
    if not_authors and not case.people.authors_known:
        return _unknown_authors(case)
    owners = case.owners(subject)
    reviewers = case.people.reviewers(requirement.by, owners=owners, not_authors=not_authors)
    covered, open_pieces, why = [], [], []
    for change in changed:
        rule = ChainRule(
            reviewers,
            _modules_of(case, change, subject),
            requirement.count,
            parse_span(requirement.max_age),
            requirement.chain,
            frozenset(requirement.via),
        )
        found = _cover(case, change, rule)
        if isinstance(found, Covered):
            covered.append(found)
        else:
            open_pieces.append(change.piece)
            why.append(_why_uncovered(change, found, requirement))
    if not open_pieces:
        people = sorted({who for each in covered for who in each.principals})
        return Satisfied(
            tuple(dict.fromkeys(r for each in covered for r in each.records)), f"seen by {', '.join(people)}"
        )
    who = _who(case.policy, requirement, owners)
    command = f"git assay review --module {subject} --approve"
    return Lacking(tuple(why), who, command, tuple(open_pieces))


def _cover(case: Case, change: PieceChange, rule: ChainRule) -> Covered | Uncovered:
    left = case.facts.left.get(change.piece)
    return cover(change, case.reviews, rule, now=case.now, left_at=left)


def judge_check(case: Case, module: ModuleId, check: Check, requirement: Requirement) -> Outcome:
    """Returns whether a check of the result's card has a fresh pass by the required role."""
    blocked = _unknowable(case, module)
    if blocked:
        return Lacking((blocked,), "you", None)
    principals = case.people.admitted(requirement.by, case.owners(module))
    standing = check_standing(
        case.result,
        module,
        check,
        runs=case.runs,
        mode=None if requirement.mode is None else Mode(requirement.mode.capitalize()),
        principals=principals,
    )
    if isinstance(standing, Fresh):
        words = "passed" if standing.runs == 1 else f"{standing.passes} of {standing.runs} runs passed"
        return Satisfied((standing.record,), words)
    who = _who(case.policy, requirement, case.owners(module))
    return Lacking((describe(standing),), who, f"git assay attest {module} --check {check.name}")


def excuse_or_waive(case: Case, module: ModuleId, kind: str, requirement: Requirement, *, lacking: Lacking) -> Outcome:
    """Returns the exemption or waiver that stands in for what lacks, else `lacking` itself."""
    for exemption in case.exemptions:
        named = exemption.module == module and exemption.requirement == kind
        if named and is_excusing(exemption, case.base, case.result, now=case.now):
            return Excused(exemption.reason, parse_day(exemption.until))
    if requirement.waivable is not None:
        for record in case.evidence.records.values():
            waived = _waiver(case, module, kind, requirement.waivable, record)
            if waived is not None:
                return waived
    return lacking


def describe(standing: Standing) -> str:
    """Returns a standing that lacks in words."""
    match standing:
        case Failing(record):
            return f"failed ({record[:8]}); a later pass must supersede it"
        case Disputed(good, bad):
            return f"disputed: {good[0][:8]} passed, {bad[0][:8]} failed on the same content"
        case Stale(record):
            return f"stale: {record[:8]} is of other content"
        case RefusedEvidence(reason, record):
            return f"refused: {record[:8]} was {reason}"
        case Absent():
            return "no evidence"
        case Fresh(record):
            return f"fresh: {record[:8]}"


def _waiver(case: Case, module: ModuleId, kind: str, allowed: Waivable, record: Record) -> Waived | None:
    waiver = record.statement.predicate.waiver
    if record.type is not PredicateType.WAIVER or waiver is None or waiver.requirement != kind:
        return None
    if record.id in case.runs.superseded:
        return None
    not_authors = allowed.excluded is not None
    if not_authors and not case.people.authors_known:
        return None
    reviewers = case.people.reviewers(allowed.by, owners=case.owners(module), not_authors=not_authors)
    if record.principal not in reviewers or module not in case.result.declarations.cards:
        return None
    try:
        until = parse_day(waiver.until)
    except ValueError:
        return None
    if case.now.astimezone(UTC).date() > until or until > (record.time + timedelta(days=allowed.max_days)).date():
        return None
    own = case.result.digests(module, Mode.EXACT).own
    bound = any(s.name == module and s.digest.get(own_name(Mode.EXACT)) == own for s in record.statement.subject)
    return Waived(record.id, record.principal, until) if bound else None


def _unknowable(case: Case, module: ModuleId) -> str | None:
    """Returns why the module's cone cannot be known under the policy's `cones`, None when it can."""
    if case.policy.cones.open == "fail":
        opened = sorted(set(case.result.opens(module)) - case.result.graph.accepted)
        if opened:
            return f"cannot tell: {_first(opened)} imports what cannot be known (cones: open: fail)"
    if case.policy.cones.unparsed == "fail":
        broken = sorted(case.result.members(module) & case.result.graph.broken)
        if broken:
            return f"cannot tell: {_first(broken)} does not parse (cones: unparsed: fail)"
    return None


def _first(paths: list[TreePath]) -> str:
    return path_text(paths[0]) + (f" and {len(paths) - 1} more" if len(paths) > 1 else "")


def _modules_of(case: Case, change: PieceChange, subject: ModuleId) -> frozenset[str]:
    """Returns the names under which a pair of this piece may have been signed: whoever has it on either side."""
    names = {module for module, pieces in case.changes.subjects.items() if change.piece in pieces}
    return frozenset(names | {subject})


def _unknown_authors(case: Case) -> Lacking:
    if case.people.strangers:
        who = ", ".join(case.people.strangers[:3])
        why = f"cannot tell who the authors are: {who} maps to no principal (aliases in .assay/policy.yml)"
    else:
        why = "cannot tell who the authors are: the history of the change is not complete here"
    alias = "add the address to aliases in .assay/policy.yml"
    return Lacking((why,), "you", alias if case.people.strangers else "git fetch --unshallow")


def _why_uncovered(change: PieceChange, found: Uncovered, requirement: Requirement) -> str:
    if found.rejected:
        return f"{change.piece}: rejected in {found.rejected[0][:8]}"
    if requirement.count > 1 and found.have:
        return f"{change.piece}: {found.have} of {requirement.count} people have seen it"
    if found.near:
        return f"{change.piece}: {found.near[0][0][:8]} does not count ({found.near[0][1]})"
    return f"{change.piece}: nobody has seen this change"


def _who(policy: Policy, requirement: Requirement, owners: tuple[str, ...]) -> str:
    names = [name if name != OWNERS else ", ".join(owners) or "an owner" for name in roles_of(requirement.by)]
    roles = [policy.roles.get(name) for name in roles_of(requirement.by)]
    return CI if all(role is not None and role.class_ == "ci" for role in roles) else " or ".join(names)
