"""What is about to be signed? A statement without what the writer adds: who, when, where, after which records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from git_assay.attest.plan import Planned
from git_assay.attest.subjects import check_subject
from git_assay.checks.run import CheckOutcome
from git_assay.checks.verdicts import Verdict
from git_assay.cones.analysis import Analysis
from git_assay.evidence.records import Counts, PredicateType, Review, Run, Subject, Waiver, Withdrawal
from git_assay.values.ids import RecordId


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """The part of a statement that its maker decides. Exactly one of run, review, waiver and withdrawal is set.

    result: of the standard test-result predicate, for kind `tests` only.
    """

    type: PredicateType
    subject: tuple[Subject, ...]
    run: Run | None = None
    review: Review | None = None
    waiver: Waiver | None = None
    withdrawal: Withdrawal | None = None
    result: Literal["PASSED", "FAILED"] | None = None
    supersedes: tuple[RecordId, ...] = ()


def check_draft(analysis: Analysis, planned: Planned, outcome: CheckOutcome) -> Draft:
    """Returns the statement about one run of one check, pass or fail. **Source:** design 30-evidence §1, §5."""
    check, counts = planned.check, outcome.counts
    is_test = check.kind == "tests"
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
    return Draft(
        type=PredicateType.TESTS if is_test else PredicateType.CHECK,
        subject=(check_subject(analysis, planned.module, check.name),),
        run=run,
        result=("PASSED" if outcome.verdict is Verdict.PASS else "FAILED") if is_test else None,
        supersedes=planned.supersedes,
    )
