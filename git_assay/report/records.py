"""How is one record said in a line of words?

Words from records are anyone's text: all of it is cleaned here, before it is laid out.
"""

from __future__ import annotations

from dataclasses import dataclass

from git_assay.evidence.model import Record
from git_assay.evidence.records import Predicate, Run
from git_assay.values.ids import RecordId
from git_assay.values.moments import format_moment
from git_assay.values.text import clean

SHORT = 12  # digits of a record id that are shown; enough to be unique among millions


@dataclass(frozen=True, slots=True)
class RecordWords:
    """One record in words. verdict: pass, fail, approve, ...  kind: of evidence.  modules: subjects."""

    verdict: str
    kind: str
    modules: str
    text: str
    who: str
    when: str


def short(record: RecordId) -> str:
    """Returns the digits of an id that people type."""
    return record[:SHORT]


def words_of(record: Record) -> RecordWords:
    """Returns a verified record in words, cleaned."""
    verdict, kind, text = _predicate_words(record.statement.predicate)
    names = [clean(subject.name) for subject in record.statement.subject]
    modules = " ".join(names[:3]) + (f" (+{len(names) - 3})" if len(names) > 3 else "")
    when = format_moment(record.time)[:16].replace("T", " ") + "Z"
    return RecordWords(verdict, kind, modules, text, clean(record.principal), when)


def _predicate_words(predicate: Predicate) -> tuple[str, str, str]:
    if predicate.run is not None:
        word = "pass" if predicate.run.verdict == "pass" else "fail"
        return word, clean(predicate.run.kind), _run_words(predicate.run)
    if predicate.review is not None:
        pieces = len(predicate.review.seen)
        words = _first_line(predicate.review.words)
        return predicate.review.verdict, "review", f"{pieces} piece{'s' * (pieces != 1)}: {words}"
    if predicate.waiver is not None:
        waiver = predicate.waiver
        text = f"{waiver.requirement} until {waiver.until}: {_first_line(waiver.reason)}"
        return "waive", "waiver", clean(text)
    if predicate.withdrawal is not None:
        taken = ", ".join(clean(name)[:SHORT] for name in predicate.withdrawal.records)
        return "withdraw", "withdrawal", f"{taken}: {_first_line(predicate.withdrawal.reason)}"
    if predicate.witness is not None:
        return "saw", "witness", f"{len(predicate.witness.logs)} logs"
    return "says", "record", ""


def _run_words(run: Run) -> str:
    parts = []
    if run.counts is not None:
        parts.append(f"{run.counts.passed} passed")
        for count, word in ((run.counts.failed, "failed"), (run.counts.errors, "errors")):
            parts += [f"{count} {word}"] if count else []
        parts += [f"{run.counts.skipped} skipped"] if run.counts.skipped else []
    elif run.timed_out:
        parts.append("timed out")
    elif run.exit != 0:
        parts.append(f"signal {-run.exit}" if run.exit < 0 else f"exit {run.exit}")
    said = ", ".join(parts) or "exit 0"
    return f"{clean(run.check)}: {said} in {run.duration_ms / 1000:.1f} s"


def _first_line(text: str) -> str:
    lines = text.strip().splitlines()
    return clean(lines[0]) if lines else ""
