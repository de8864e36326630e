"""What do a waiver and a withdrawal sign?

A waiver accepts that evidence of one kind is missing for a module's own content, until a day. A withdrawal takes back
records, for good: the records stay, and no longer count. **Source:** design 30-evidence §1, 40-gate §1 and §3.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from git_assay.attest.occasion import Occasion
from git_assay.attest.subjects import module_subject
from git_assay.cones.analysis import Analysis
from git_assay.errors import AssayError, ErrorKind
from git_assay.evidence.model import Evidence, Record
from git_assay.evidence.records import PredicateType, Subject, Waiver, Withdrawal
from git_assay.evidence.statement import Unsigned
from git_assay.values.ids import ModuleId, Principal, RecordId
from git_assay.values.moments import parse_day
from git_assay.values.text import clean

REASON_LIMIT = 2000  # bytes, see review.WORDS_LIMIT
SHORTEST_ID = 4  # digits, as git's shortest abbreviation


@dataclass(frozen=True, slots=True)
class WaiverRequest:
    """requirement: the kind of evidence that may be missing.  until: the last day, UTC."""

    requirement: str
    reason: str
    until: date


def waiver_draft(
    analysis: Analysis, modules: Iterable[ModuleId], request: WaiverRequest, *, occasion: Occasion
) -> Unsigned:
    """Returns one statement about all the modules. Raises AssayError for an empty reason."""
    waiver = Waiver(requirement=request.requirement, reason=_reason(request.reason), until=request.until.isoformat())
    subjects = tuple(module_subject(analysis, module) for module in modules)
    return occasion.draft(PredicateType.WAIVER, subjects, waiver)


def parse_until(text: str, now: datetime) -> date:
    """Returns the day of `2026-12-31`, or that on which `48h` or `14d` from now end (UTC); never a past one."""
    span = re.fullmatch(r"(\d{1,4})([hd])", text)
    try:
        day = (
            (now + timedelta(**{"hours" if span[2] == "h" else "days": int(span[1])})).astimezone(UTC).date()
            if span
            else parse_day(text)
        )
    except (ValueError, OverflowError) as error:
        raise AssayError(
            f"not a day (2026-12-31) or a span (48h, 14d): {clean(text)}",
            hint="git assay waive -h",
            kind=ErrorKind.USAGE,
        ) from error
    if day < now.astimezone(UTC).date():
        raise AssayError(f"{day} is past", kind=ErrorKind.USAGE)
    return day


def withdrawal_draft(records: Sequence[Record], *, reason: str, occasion: Occasion) -> Unsigned:
    """Returns the statement that takes `records` back, about all their subjects."""
    subjects: dict[str, Subject] = {}
    for record in records:
        for subject in record.statement.subject:
            subjects.setdefault(subject.name, subject)
    withdrawal = Withdrawal(records=tuple(record.id for record in records), reason=_reason(reason))
    return occasion.draft(PredicateType.WITHDRAWAL, tuple(subjects.values()), withdrawal)


def find_record(evidence: Evidence, prefix: str) -> Record:
    """Returns the one verified record whose id begins so. Raises AssayError for none, several or a short prefix."""
    found = [record for name, record in evidence.records.items() if name.startswith(prefix.lower())]
    shown = clean(prefix)
    if len(prefix) < SHORTEST_ID:
        raise AssayError(f"{shown} is too short to name a record", hint="git assay log", kind=ErrorKind.USAGE)
    if len(found) > 1:
        raise AssayError(f"{shown} names {len(found)} records", hint="git assay log", kind=ErrorKind.USAGE)
    if not found:
        raise AssayError(f"no record {shown} that counts", hint="git assay verify --all")
    return found[0]


def own_records(evidence: Evidence, prefixes: Iterable[str], principal: Principal) -> tuple[Record, ...]:
    """Returns the named records. Raises AssayError when one is somebody else's, or itself a withdrawal."""
    records: dict[RecordId, Record] = {}
    for prefix in prefixes:
        record = find_record(evidence, prefix)
        if record.principal != principal:
            raise AssayError(f"{record.id[:12]} is of {clean(record.principal)}; only its author takes a record back")
        if record.type is PredicateType.WITHDRAWAL:
            raise AssayError(f"{record.id[:12]} is a withdrawal, which cannot be taken back; sign anew instead")
        records[record.id] = record
    return tuple(records.values())


def _reason(text: str) -> str:
    words = text.strip()
    if not words:
        raise AssayError("a reason is needed: -m TEXT", kind=ErrorKind.USAGE)
    if len(words.encode()) > REASON_LIMIT:
        raise AssayError(f"a reason may have at most {REASON_LIMIT} bytes", kind=ErrorKind.USAGE)
    return words
