"""How do the verbs of judgement get at trees, evidence and decisions?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from git_assay.cli.context import analysis_at, analysis_of, evidence_under, keyring_of
from git_assay.cli.ranges import target_and_head
from git_assay.cli.session import Session
from git_assay.errors import AssayError

if TYPE_CHECKING:
    from git_assay.cones.analysis import Analysis
    from git_assay.evidence.model import Evidence, Record
    from git_assay.gate.decision import Decision
    from git_assay.git.snapshot import Snapshot
    from git_assay.signing.allowed_signers import Signers
    from git_assay.status.model import Survey


def judge_range(session: Session, written: str | None, *, now: datetime, require_adopted: bool) -> Decision:
    """Returns the decision on a range as the user wrote it. Raises AssayError where it cannot be decided."""
    from git_assay.gate.ask import Request, Sources, judge

    target, head = target_and_head(session, written)
    sources = Sources(
        session.repository(),
        lambda snapshot: analysis_of(session, snapshot),
        lambda snapshot: _standing_evidence(session, snapshot, now=now),
    )
    return judge(sources, Request(target, head, now, require_adopted))


def survey_at(session: Session, name: str, modules: Iterable[str], *, now: datetime) -> Survey:
    """Returns the survey of a tree with the reason of everything stale. modules: only these, () = all.

    Raises UnknownModule for one that no card declares.
    """
    from git_assay.modules.unknown import UnknownModule
    from git_assay.status.survey import make_survey

    analysis = analysis_at(session, name)
    evidence, _ = evidence_for(session, trusted_snapshot(session, analysis.snapshot), now=now)
    survey = make_survey(analysis, evidence, now=now)
    wanted = tuple(modules)
    for module in wanted:
        if module not in survey.modules:
            raise UnknownModule(module, survey.modules)
    chosen = {m: each for m, each in survey.modules.items() if not wanted or m in wanted}
    return _explained(session, replace(survey, modules=chosen), evidence)


def _explained(session: Session, survey: Survey, evidence: Evidence) -> Survey:
    """Returns the survey with the trees that stale records name compared, each of them analysed once."""
    from git_assay.status.model import Stale
    from git_assay.status.why import explain_stale

    trees: dict[str, Analysis | None] = {}
    modules = {}
    for module, each in survey.modules.items():
        card = {check.name: check for check in survey.analysis.declarations.cards[module].card.checks}
        checks = []
        for found in each.checks:
            if isinstance(found.standing, Stale):
                record = evidence.records[found.standing.record]
                then = _tree_of(session, record, trees)
                why = explain_stale(record, module, card[found.check], now=survey.analysis, then=then)
                found = replace(found, standing=replace(found.standing, why=why))
            checks.append(found)
        modules[module] = replace(each, checks=tuple(checks))
    return replace(survey, modules=modules)


def _tree_of(session: Session, record: Record, trees: dict[str, Analysis | None]) -> Analysis | None:
    """Returns the analysis of the tree that a record names, None when it is not here or cannot be read."""
    name = record.statement.predicate.assay.tree
    if name is None:
        return None
    if name not in trees:
        try:
            trees[name] = analysis_at(session, name)
        except AssayError:  # a hint and never identity: what cannot be compared is said, nothing else depends on it
            trees[name] = None
    return trees[name]


def evidence_for(session: Session, snapshot: Snapshot, *, now: datetime) -> tuple[Evidence, Signers]:
    """Returns all evidence of this clone under the keyring of a tree, and that keyring's signers."""
    keyring = keyring_of(session, snapshot)
    return evidence_under(session, keyring, now=now), keyring.signers


def _standing_evidence(session: Session, snapshot: Snapshot, *, now: datetime) -> tuple[Evidence, Signers]:
    keyring = keyring_of(session, snapshot)
    return evidence_under(session, keyring, now=now), keyring.standing


def trusted_snapshot(session: Session, own: Snapshot) -> Snapshot:
    """Returns the tree whose keyring counts: the target branch's tip, or `own` where there is none with `.assay/`."""
    from git_assay.git.targets import target_of
    from git_assay.modules.scope import is_adopted

    repository = session.repository()
    try:
        target = repository.snapshot_of(target_of(repository).tip)
    except AssayError:  # a repository with one branch of an unusual name still has a status
        return own
    return target if is_adopted(target) else own


def write_summary(session: Session, text: str) -> None:
    """Appends to the job summary where a workflow asks for one (GITHUB_STEP_SUMMARY)."""
    place = session.env.get("GITHUB_STEP_SUMMARY")
    if place:
        with Path(place).open("a", encoding="utf-8") as file:
            file.write(text + "\n")
