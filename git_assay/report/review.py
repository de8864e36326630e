"""How is what a reviewer signs shown, before and after?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from git_assay.evidence.records import Seen
from git_assay.report.attest import withdraw_line
from git_assay.report.records import short
from git_assay.report.show import seen_line
from git_assay.values.ids import RecordId

FORMAT = "assay-review/1"


def render_seen(seen: Sequence[Seen]) -> str:
    """Returns one line for each changed piece."""
    return "\n".join(seen_line(pair) for pair in seen)


def render_review(verdict: str, seen: Sequence[Seen], records: Sequence[RecordId]) -> str:
    """Returns what was signed, and the line that takes it back."""
    modules = _modules(seen)
    what = f"{len(seen)} piece{'s' * (len(seen) != 1)} of {', '.join(modules)}"
    return "\n".join([f"{verdict}  {what}  {short(records[0])}", render_seen(seen), withdraw_line([records])])


def review_document(verdict: str, seen: Sequence[Seen], records: Sequence[RecordId]) -> Mapping[str, object]:
    """Returns the JSON form."""
    pairs = [{"module": pair.module, "piece": pair.piece, "old": pair.old, "new": pair.new} for pair in seen]
    return {"format": FORMAT, "verdict": verdict, "records": list(records), "seen": pairs}


def _modules(seen: Sequence[Seen]) -> list[str]:
    return list(dict.fromkeys(pair.module for pair in seen))
