"""How is a finished attest command shown? What ran, what was fresh, and how to take it back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from git_assay.attest.attest import Finished
from git_assay.attest.plan import Planned
from git_assay.checks.run import CheckOutcome
from git_assay.checks.verdicts import Verdict
from git_assay.report.records import short
from git_assay.values.ids import RecordId
from git_assay.values.text import clean

FORMAT = "assay-attest/1"
_TAIL_LINES = 12


def render_plan(planned: Iterable[Planned]) -> str:
    """Returns what would run, for `--dry-run`."""
    rows = [
        ("fresh" if one.fresh else "run", str(one.module), clean(one.check.name), clean(one.check.run))
        for one in planned
    ]
    return _table(rows) if rows else "no checks"


def render_done(finished: Sequence[Finished], planned: Sequence[Planned], records: Sequence[Sequence[RecordId]]) -> str:
    """Returns one line for each signed outcome, the count of what was fresh, and the line that takes it back."""
    rows = [
        (
            word_of(one.outcome),
            clean(one.planned.check.kind),
            str(one.planned.module),
            outcome_text(one),
            short(names[0]),
        )
        for one, names in zip(finished, records, strict=True)
    ]
    lines = [_table(rows)] if rows else []
    fresh = sum(1 for one in planned if one.fresh is not None)
    if fresh:
        lines.append(f"{fresh} fresh, not run again (--force runs them)")
    if not planned:
        lines.append("no checks")
    if records:
        lines.append(withdraw_line(records))
    return "\n".join(lines)


def attest_document(
    finished: Sequence[Finished],
    planned: Sequence[Planned],
    records: Sequence[Sequence[RecordId]],
    *,
    interrupted: bool,
) -> Mapping[str, object]:
    """Returns the JSON form; `records` is empty for a dry run."""
    return {
        "format": FORMAT,
        "interrupted": interrupted,
        "records": [
            {**_named(one.planned), "record": names[0], **_outcome_object(one.outcome)}
            for one, names in zip(finished, records, strict=True)
        ],
        "fresh": [{**_named(one), "record": one.fresh} for one in planned if one.fresh is not None],
        "unrun": [_named(one) for one in planned if one.fresh is None and one not in {f.planned for f in finished}],
    }


def word_of(outcome: CheckOutcome) -> str:
    """Returns pass or fail."""
    return "pass" if outcome.verdict is Verdict.PASS else "fail"


def outcome_text(one: Finished) -> str:
    """Returns name, counts or exit code, and duration of one finished check."""
    return f"{clean(one.planned.check.name)}: {said(one.outcome)} in {one.outcome.ended.duration_ms / 1000:.1f} s"


def said(outcome: CheckOutcome) -> str:
    """Returns what a check said, in words."""
    ended, counts = outcome.ended, outcome.counts
    if ended.timed_out:
        return "timed out"
    if ended.flooded:
        return "wrote too much output"
    if counts is not None:
        named = (("passed", counts.passed), ("failed", counts.failed), ("errors", counts.errors))
        return ", ".join(f"{count} {word}" for word, count in named if count or word == "passed")
    return f"signal {-ended.exit}" if ended.exit < 0 else f"exit {ended.exit}"


def tail_text(outcome: CheckOutcome) -> str:
    """Returns the last lines of a check's output, cleaned, for stderr."""
    lines = outcome.tail.decode("utf-8", "replace").splitlines()[-_TAIL_LINES:]
    return "\n".join(f"    {clean(line)}" for line in lines)


def withdraw_line(records: Sequence[Sequence[RecordId]]) -> str:
    """Returns the command that takes records back."""
    return f"undo: git assay withdraw {' '.join(short(name) for names in records for name in names)} -m WHY"


def _named(one: Planned) -> dict[str, object]:
    return {"module": one.module, "check": one.check.name, "kind": one.check.kind}


def _outcome_object(outcome: CheckOutcome) -> dict[str, object]:
    counts = outcome.counts
    return {
        "verdict": outcome.verdict.value,
        "exit": outcome.ended.exit,
        "duration_ms": outcome.ended.duration_ms,
        "timed_out": outcome.ended.timed_out,
        "counts": None
        if counts is None
        else {"passed": counts.passed, "failed": counts.failed, "errors": counts.errors, "skipped": counts.skipped},
        "note": outcome.note,
    }


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
