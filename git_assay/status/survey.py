"""How does every kind of evidence stand for every module of one tree?

One frozen value that status, report and suggestions read. It is a function of (tree, evidence, now): no role of a
policy is applied; the gate asks for its own roles. **Source:** design 40-gate §1.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from git_assay.cones.analysis import Analysis
from git_assay.evidence.model import Evidence
from git_assay.status.changes import path_digests
from git_assay.status.model import CheckStanding, ModuleSurvey, ReviewStanding, Survey
from git_assay.status.reviews import Link, ReviewIndex, index_reviews
from git_assay.status.standings import RunIndex, check_standing, default_mode, index_runs
from git_assay.values.ids import ModuleId, TreePath
from git_assay.values.text import path_text

REVIEW_AGE = timedelta(days=90)  # design 40-gate §1, the default max_age of a link


def make_survey(analysis: Analysis, evidence: Evidence, *, now: datetime) -> Survey:
    """Returns the survey of one tree; linear in modules and records."""
    runs, reviews = index_runs(evidence), index_reviews(evidence)
    modules = {module: _survey_one(analysis, module, runs, reviews, now=now) for module in analysis.modules}
    return Survey(analysis, now, dict(evidence.tips), modules, tuple(sorted(evidence.gaps)))


def _survey_one(
    analysis: Analysis, module: ModuleId, runs: RunIndex, reviews: ReviewIndex, *, now: datetime
) -> ModuleSurvey:
    loaded = analysis.declarations.cards[module]
    checks = tuple(
        CheckStanding(
            module, check.name, check.kind, default_mode(check.kind), check_standing(analysis, module, check, runs=runs)
        )
        for check in loaded.card.checks
    )
    opened = _open_files(analysis, module)
    return ModuleSurvey(module, loaded.card.owners, checks, _review(analysis, module, reviews, now=now), opened)


def _open_files(analysis: Analysis, module: ModuleId) -> tuple[TreePath, ...]:
    """Returns the open files of the cone; those that the configuration accepts widen nothing and are not among them."""
    if not analysis.graph.opens:
        return ()
    return tuple(path for path in analysis.opens(module) if path not in analysis.graph.accepted)


def _review(analysis: Analysis, module: ModuleId, reviews: ReviewIndex, *, now: datetime) -> ReviewStanding | None:
    """Returns the newest approval of anything the module owns, and whether what was approved is still as it was seen.

    What nobody ever looked at does not count here: only a change needs a review.
    """
    pieces = analysis.pieces(module)
    whole = path_digests(analysis, {piece.path for piece in analysis.ownership.pieces.get(module, ())})
    by_text = {path_text(path): value for path, value in whole.items()}
    newest: Link | None = None
    current = True
    for piece, value in pieces.items():
        links = [link for link in reviews.links.get(piece, ()) if now - link.time <= REVIEW_AGE]
        state = by_text.get(piece, value)
        seen = [link for link in links if link.new == state and (piece, state) not in reviews.rejected]
        current = current and (bool(seen) or not links)
        for link in links:
            if newest is None or (link.time, link.record) > (newest.time, newest.record):
                newest = link
    return None if newest is None else ReviewStanding(newest.record, current)
