"""How is the view for `git log --notes=assay` kept true?

It is made anew from verified records after every command that writes one, by the hooks after a merge or a rewrite, and
by `git assay log --refresh`. `holds` lines say what evidence made elsewhere holds for a commit: at HEAD by comparing
digests, at other branch tips and older commits only where the whole tree is the one that a record names (comparing
digests there would cost an analysis of each). **Source:** design 30-evidence §2.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from git_assay.cli.session import Session
from git_assay.errors import AssayError
from git_assay.values.text import clean

if TYPE_CHECKING:
    from git_assay.cones.analysis import Analysis
    from git_assay.evidence.model import Evidence
    from git_assay.evidence.view import Held
    from git_assay.git.repository import Repository
    from git_assay.values.ids import ObjectId


def refresh_view(session: Session, analysis: Analysis) -> bool:
    """Makes the view anew; returns whether it changed. Raises AssayError when it cannot be written.

    analysis: of HEAD's tree, or of any other (then HEAD is treated like every other commit).
    """
    from git_assay.cli.judging import evidence_for, trusted_snapshot
    from git_assay.evidence.view import write_view

    evidence, _ = evidence_for(session, trusted_snapshot(session, analysis.snapshot), now=session.now())
    repository = session.repository()
    return write_view(repository, evidence, holds=_holder(session, repository, analysis, evidence))


def refresh_view_quietly(session: Session, analysis: Analysis) -> None:
    """Makes the view anew after records were written; a failure is told and harms nothing, since nothing reads it."""
    try:
        refresh_view(session, analysis)
    except AssayError as error:
        _tell(error)


def refresh_here(session: Session) -> None:
    """Makes the view of HEAD anew, for a hook: silent where HEAD has not adopted, told but harmless where it fails."""
    from git_assay.cli.context import analysis_at, snapshot_of
    from git_assay.modules.scope import is_adopted

    try:
        snapshot = snapshot_of(session, "HEAD")
        if is_adopted(snapshot):
            refresh_view(session, analysis_at(session, "HEAD"))
    except AssayError as error:
        _tell(error)


def _tell(error: AssayError) -> None:
    first = error.message.partition("\n")[0]
    sys.stderr.write(f"note: the view for git log is not up to date: {clean(first)}\n")
    if error.hint:
        sys.stderr.write(f"hint: {clean(error.hint)}\n")


def _holder(
    session: Session, repository: Repository, analysis: Analysis, evidence: Evidence
) -> Callable[[ObjectId], Iterable[Held]]:
    from git_assay.evidence.view import HOLDS_DEPTH
    from git_assay.git.history import first_parents, read_commits
    from git_assay.git.refs import read_refs

    head = repository.head()
    commits = dict.fromkeys(read_refs(repository, "refs/heads/").values())
    if head is not None:
        commits |= dict.fromkeys(first_parents(repository, head, limit=HOLDS_DEPTH))
    trees = {found.oid: found.tree for found in read_commits(repository, tuple(commits))}
    by_tree = _held_by_tree(evidence)

    def holds(commit: ObjectId) -> Iterable[Held]:
        tree = trees.get(commit)
        if tree == analysis.tree:
            return _held_by_digest(session, analysis, evidence)
        return by_tree.get(tree, ()) if tree is not None else ()

    return holds


def _held_by_tree(evidence: Evidence) -> Mapping[str, tuple[Held, ...]]:
    from git_assay.evidence.view import Held
    from git_assay.values.ids import ModuleId

    found: dict[str, dict[Held, None]] = {}
    for record in evidence.records.values():
        predicate = record.statement.predicate
        run, review = predicate.run, predicate.review
        good = (run is not None and run.verdict == "pass") or (review is not None and review.verdict == "approve")
        if not good or record.place is None or predicate.assay.tree is None:
            continue
        kind = run.kind if run is not None else "review"
        for subject in record.statement.subject:
            held = Held(kind, ModuleId(subject.name), record.place)
            found.setdefault(predicate.assay.tree, {})[held] = None
    return {tree: tuple(held) for tree, held in found.items()}


def _held_by_digest(session: Session, analysis: Analysis, evidence: Evidence) -> tuple[Held, ...]:
    from git_assay.evidence.view import Held
    from git_assay.status.model import Fresh
    from git_assay.status.survey import make_survey

    held: dict[Held, None] = {}
    for module, each in make_survey(analysis, evidence, now=session.now()).modules.items():
        standings = [(one.kind, one.standing.record) for one in each.checks if isinstance(one.standing, Fresh)]
        if each.review is not None and each.review.current:
            standings.append(("review", each.review.record))
        for kind, record in standings:
            place = evidence.records[record].place
            if place is not None:
                held[Held(kind, module, place)] = None
    return tuple(held)
