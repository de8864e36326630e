"""How does one attest command go, from the selection to statements that can be signed?

1 plan: what is fresh is left out; 2 run what is left, in the working directory, between two comparisons with the commit
(running.py); 3 draft one statement for each finished check, pass or fail. Signing and writing follow, once per command.
**Source:** design 30-evidence §5.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from git_assay.attest.loadable import loadable_test, roots_of
from git_assay.attest.occasion import Occasion
from git_assay.attest.plan import Planned
from git_assay.attest.running import Place, run_planned
from git_assay.attest.subjects import check_subject
from git_assay.checks.run import CheckOutcome
from git_assay.cones.analysis import Analysis
from git_assay.errors import AssayError
from git_assay.evidence.records import Counts, PredicateType, Run
from git_assay.evidence.statement import Unsigned
from git_assay.git.cleanliness import work_differences
from git_assay.git.repository import NO_WORK_TREE_HINT, Repository
from git_assay.git.snapshots import refuse_unmerged
from git_assay.signing.signer import Signer
from git_assay.syntax import languages
from git_assay.values.ids import ObjectId
from git_assay.values.text import path_text

# Archives are loaded only where a path setting names them, and are ordinary build products elsewhere.
_ARCHIVES = frozenset({b".zip", b".egg"})
# Signed to see that the key works before anything runs. It is no DSSE encoding, so it can never be taken for a record.
_TRIAL = b"git assay: is this key usable?"


@dataclass(frozen=True, slots=True)
class Finished:
    """One check that ran to its end, and the statement about it."""

    planned: Planned
    outcome: CheckOutcome
    draft: Unsigned


@dataclass(frozen=True, slots=True)
class Attested:
    """finished: in order of the plan.  interrupted: someone stopped the run; what is finished stays."""

    finished: tuple[Finished, ...]
    interrupted: bool


@dataclass(frozen=True, slots=True)
class Progress:
    """jobs: checks at once.  on_done: told of each finished check, in the calling thread."""

    jobs: int = 1
    on_done: Callable[[Planned, CheckOutcome], None] = lambda _planned, _outcome: None


def attest(
    analysis: Analysis, planned: Sequence[Planned], place: Place, *, occasion: Occasion, progress: Progress
) -> Attested:
    """Runs the planned checks that are not fresh and returns what can be signed.

    Raises AssayError when the working directory is not the commit's, before or after the run.
    """
    waiting = tuple(one for one in planned if one.fresh is None)
    if not waiting:
        return Attested((), interrupted=False)
    result = run_planned(waiting, place, jobs=progress.jobs, on_done=progress.on_done)
    finished = tuple(
        Finished(one, outcome, check_draft(analysis, one, outcome, occasion))
        for one, outcome in zip(waiting, result.results, strict=True)
        if outcome is not None
    )
    return Attested(finished, result.interrupted)


def try_key(signer: Signer) -> None:
    """Makes one signature and forgets it. Raises AssayError when the key cannot sign now."""
    signer.sign(_TRIAL)


def check_draft(analysis: Analysis, planned: Planned, outcome: CheckOutcome, occasion: Occasion) -> Unsigned:
    """Returns the statement about one run of one check, pass or fail. **Source:** design 30-evidence §1."""
    check, counts = planned.check, outcome.counts
    run = Run(
        check=check.name,
        kind=check.kind,
        command=check.run,
        exit=outcome.ended.exit,
        verdict=outcome.verdict.value,
        duration_ms=outcome.ended.duration_ms,
        environment=outcome.environment,
        log=outcome.log,
        timed_out=outcome.ended.timed_out,
        counts=Counts(counts.passed, counts.failed, counts.errors, counts.skipped) if counts else None,
    )
    kind = PredicateType.TESTS if check.kind == "tests" else PredicateType.CHECK
    subject = check_subject(analysis, planned.module, check.name)
    return occasion.draft(kind, (subject,), run, supersedes=planned.supersedes)


def head_commit(repo: Repository) -> ObjectId:
    """Returns the commit that is checked out. Raises AssayError on an unborn branch and in a bare repository."""
    commit = repo.head_commit()
    if repo.layout.work_tree is None:
        raise AssayError("checks run in a working directory, and here is none", hint=NO_WORK_TREE_HINT)
    return commit


def differences_from(repo: Repository, commit: ObjectId, analysis: Analysis) -> Callable[[], Sequence[str]]:
    """Returns the question "how does the working directory differ from the commit?"; one line for each path."""
    top = repo.top
    loadable = loadable_test(sorted(set(languages.loadable_suffixes()) - _ARCHIVES), roots_of(analysis.graph), top)

    def differences() -> Sequence[str]:
        refuse_unmerged(repo)  # what helps against any other difference does not help in the middle of a merge
        found = work_differences(repo, commit, loadable=loadable)
        return tuple(f"{difference.kind.value}: {path_text(difference.path)}" for difference in found)

    return differences
