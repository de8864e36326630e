"""How is the list of records shown? Newest first, each with whether it counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from git_assay.evidence.model import Evidence, Record, Refused
from git_assay.report.records import short, words_of
from git_assay.status.superseding import superseded_ids
from git_assay.values.ids import ModuleId, RecordId
from git_assay.values.moments import format_moment
from git_assay.values.text import clean

FORMAT = "assay-log/1"


@dataclass(frozen=True, slots=True)
class LogEntry:
    """standing: valid | superseded. Withdrawn and refused records are not entries of the list, they are `Refused`."""

    record: Record
    standing: str


def log_entries(evidence: Evidence, module: ModuleId | None, limit: int | None) -> tuple[LogEntry, ...]:
    """Returns the verified records, newest first. module: only those about it.  limit: at most so many."""
    superseded = superseded_ids(evidence)
    records = [record for record in evidence.records.values() if module is None or _is_about(record, module)]
    records.sort(key=_newest_first)
    return tuple(LogEntry(r, "superseded" if r.id in superseded else "valid") for r in records[:limit])


def render_log(entries: Iterable[LogEntry], refused: tuple[Refused, ...]) -> str:
    """Returns aligned text; the refused are counted, with the command that tells more."""
    rows = [_row(entry) for entry in entries]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(5)]
    lines = ["  ".join([*map(str.ljust, row[:5], widths), row[5]]).rstrip() for row in rows]
    if not rows:
        lines.append("no records")
    if refused:
        lines.append(f"{len(refused)} refused or withdrawn: git assay verify")
    return "\n".join(lines)


def log_document(entries: Iterable[LogEntry], refused: tuple[Refused, ...]) -> Mapping[str, object]:
    """Returns the JSON form."""
    return {
        "format": FORMAT,
        "records": [record_object(entry.record, entry.standing) for entry in entries],
        "refused": [refused_object(item) for item in refused],
    }


def record_object(record: Record, standing: str) -> Mapping[str, object]:
    """Returns one verified record for JSON."""
    words = words_of(record)
    return {
        "id": record.id,
        "standing": standing,
        "type": record.type.value,
        "kind": words.kind,
        "verdict": words.verdict,
        "modules": [subject.name for subject in record.statement.subject],
        "text": words.text,
        "by": record.principal,
        "key": record.key,
        "log": record.log,
        "time": format_moment(record.time),
        "place": record.place,
    }


def refused_object(item: Refused) -> Mapping[str, object]:
    """Returns one refused record for JSON."""
    return {
        "id": item.id,
        "log": item.log,
        "reason": item.reason.name.lower(),
        "detail": clean(item.detail),
        "place": item.place,
    }


def _newest_first(record: Record) -> tuple[float, RecordId]:
    epoch = datetime(1970, 1, 1, tzinfo=record.time.tzinfo)
    return (-(record.time - epoch).total_seconds(), record.id)


def _is_about(record: Record, module: ModuleId) -> bool:
    return any(subject.name == module for subject in record.statement.subject)


def _row(entry: LogEntry) -> tuple[str, ...]:
    words = words_of(entry.record)
    verdict = words.verdict if entry.standing == "valid" else f"({words.verdict})"
    return (short(entry.record.id), words.when, verdict, words.kind, words.modules, f"{words.text}  {words.who}")
