"""How is one record shown in full?"""

from __future__ import annotations

import json
from collections.abc import Mapping

import msgspec

from git_assay.evidence.model import Record, Refused
from git_assay.evidence.records import Seen
from git_assay.report.log import record_object, refused_object
from git_assay.report.records import words_of
from git_assay.values.text import clean

FORMAT = "assay-show/1"


def render_record(record: Record, standing: str) -> str:
    """Returns a verified record as text: what it says, who signed it, whether it counts, what it is bound to."""
    words = words_of(record)
    common = record.statement.predicate.assay
    rows = [
        ("record", record.id),
        ("standing", standing),
        ("says", f"{words.verdict} {words.kind}: {words.text}".rstrip(": ")),
        ("modules", " ".join(clean(subject.name) for subject in record.statement.subject)),
        ("by", f"{clean(record.principal)} ({clean(record.key)})"),
        ("time", common.time),
        ("observed", common.observed),
        ("commit", clean(common.commit or "-")),
        ("log", record.log),
        ("follows", " ".join(clean(name)[:12] for name in common.prev) or "-"),
    ]
    if common.supersedes:
        rows.append(("replaces", " ".join(clean(name)[:12] for name in common.supersedes)))
    lines = [f"{name:<9} {value}" for name, value in rows]
    return "\n".join([*lines, *_run_lines(record), *_review_lines(record), *_digest_lines(record)])


def render_refused(item: Refused) -> str:
    """Returns a record that does not count as text. Nothing of its payload is shown: its signature did not hold."""
    rows = (
        ("record", item.id or "-"),
        ("standing", f"refused: {item.reason.value}"),
        ("detail", clean(item.detail)),
        ("log", item.log),
    )
    return "\n".join(f"{name:<9} {value}" for name, value in rows)


def show_document(record: Record, standing: str) -> Mapping[str, object]:
    """Returns the JSON form: the summary and the statement as it was signed."""
    statement: object = json.loads(msgspec.json.encode(record.statement))
    return {"format": FORMAT, "record": record_object(record, standing), "statement": statement}


def refused_document(item: Refused) -> Mapping[str, object]:
    """Returns the JSON form of a record that does not count."""
    return {"format": FORMAT, "refused": refused_object(item)}


def _run_lines(record: Record) -> list[str]:
    run = record.statement.predicate.run
    if run is None:
        return []
    return [
        f"{'command':<9} {clean(run.command)}",
        f"{'exit':<9} {run.exit} ({run.verdict}{', timed out' if run.timed_out else ''})",
        f"{'logged':<9} sha256:{clean(run.log)}",
        f"{'environ':<9} sha256:{clean(run.environment)}",
    ]


def _review_lines(record: Record) -> list[str]:
    review = record.statement.predicate.review
    if review is None:
        return []
    lines = ["", *(f"    {clean(line)}" for line in review.words.splitlines()), ""]
    lines += [seen_line(seen) for seen in review.seen]
    return [*lines, "(unattended: signed without a terminal)"] if review.unattended else lines


def seen_line(seen: Seen) -> str:
    """Returns one seen pair as text."""
    return f"  {clean(seen.module)}  {clean(seen.piece)}  {_state(seen.old)} -> {_state(seen.new)}"


def _state(digest: str | None) -> str:
    return "none" if digest is None else clean(digest)[:12]


def _digest_lines(record: Record) -> list[str]:
    lines = [""]
    for subject in record.statement.subject:
        lines += [f"  {clean(subject.name)}  {clean(name)}  {clean(value)}" for name, value in subject.digest.items()]
    return lines if len(lines) > 1 else []
