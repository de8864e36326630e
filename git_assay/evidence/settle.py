"""Which verified records stand, once all of them are seen together at one moment?

Numbered as in verify.py, continued:

 11. from the future: refused, and no part of a batch.
 12. batch complete: all n parts of one batch in one log, made by one principal; else absent.
 13. no gap: every predecessor that a record of the log names is among the records of that log whose signature holds
     (whatever else is wrong with them). A missing one refuses the whole log as *cannot tell*.
 14. not withdrawn by a record of the same principal. A withdrawal counts although its own log has a gap, its batch is
     incomplete or it is from the future, and is not itself withdrawn: what takes back must not be undone by hiding.

A record that stands in several places or remotes is one record. **Source:** design 30-evidence §1, §4.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from git_assay.evidence.model import Evidence, Record, Refusal, Refused
from git_assay.evidence.records import Batch, PredicateType
from git_assay.evidence.verify import Verdict, record_of
from git_assay.values.ids import LogId, ObjectId, Principal, RecordId
from git_assay.values.text import clean

END_OF_TIME = datetime(9999, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Judged:
    """One line where it was found. place: the object that its note annotates, None when it stands alone."""

    verdict: Verdict
    log: LogId
    place: ObjectId | None


def settle(judged: Iterable[Judged], *, now: datetime, tips: Mapping[LogId, ObjectId]) -> Evidence:
    """Returns the evidence of all lines at `now` (UTC). tips: commit of each log that was read."""
    everything = tuple(judged)
    lines = _once(everything)
    found = [record_of(line.verdict, log=line.log, now=now, place=line.place) for line in lines]  # step 11
    verified = {one.id: one for one in found if isinstance(one, Record)}
    refused = [one for one in found if isinstance(one, Refused)]
    withdrawals = _withdrawals(found, lines)
    lacking = _incomplete(verified.values())
    gaps = _gaps(everything, verified.values())
    records: dict[RecordId, Record] = {}
    withdrawn: dict[RecordId, RecordId] = {}
    for record in verified.values():
        by = withdrawals.get((record.principal, record.id))
        if record.id in lacking:
            refused.append(_refuse(record, Refusal.BATCH, lacking[record.id]))
        elif record.log in gaps:
            refused.append(_refuse(record, Refusal.GAP, f"missing: {', '.join(gaps[record.log])}"[:200]))
        elif by is not None and record.type is not PredicateType.WITHDRAWAL:
            withdrawn[record.id] = by
            refused.append(_refuse(record, Refusal.WITHDRAWN, f"withdrawn by {by}"))
        else:
            records[record.id] = record
    ordered = sorted(records.values(), key=lambda record: (record.time, record.id))
    return Evidence({record.id: record for record in ordered}, tuple(refused), withdrawn, tips, gaps)


def _once(judged: Iterable[Judged]) -> list[Judged]:
    """Returns one line for each record, a verified one before a refused one, then one with a place; others as found."""
    best: dict[RecordId, Judged] = {}
    nameless: list[Judged] = []
    for line in judged:
        if line.verdict.id is None:
            nameless.append(line)
        elif line.verdict.id not in best or _rank(line) < _rank(best[line.verdict.id]):
            best[line.verdict.id] = line
    return [*best.values(), *nameless]


def _rank(line: Judged) -> tuple[bool, bool, bool]:
    return line.verdict.reason is not None, not line.verdict.key, line.place is None


def _withdrawals(
    found: Iterable[Record | Refused], lines: Iterable[Judged]
) -> Mapping[tuple[Principal, RecordId], RecordId]:
    """Returns (principal, taken back record) -> withdrawal, from every record that passed steps 1 to 10."""
    taken: dict[tuple[Principal, RecordId], RecordId] = {}
    for one, line in zip(found, lines, strict=True):
        if isinstance(one, Refused) and one.reason is Refusal.FUTURE:
            one = record_of(line.verdict, log=line.log, now=END_OF_TIME, place=None)
        if isinstance(one, Record) and one.type is PredicateType.WITHDRAWAL:
            withdrawal = one.statement.predicate.withdrawal
            for name in withdrawal.records if withdrawal else ():
                taken.setdefault((one.principal, RecordId(name)), one.id)
    return taken


def _incomplete(records: Iterable[Record]) -> Mapping[RecordId, str]:
    """Returns the records whose batch is not complete, with what is there."""
    batches: dict[tuple[LogId, Principal, str], list[tuple[Record, Batch]]] = defaultdict(list)
    for record in records:
        batch = record.statement.predicate.assay.batch
        if batch is not None:
            batches[record.log, record.principal, batch.id].append((record, batch))
    lacking: dict[RecordId, str] = {}
    for parts in batches.values():
        places = sorted(batch.i for _, batch in parts)
        sizes = {batch.n for _, batch in parts}
        # The number of parts is compared before a range is made of it: it is the signer's word.
        if sizes != {len(parts)} or places != list(range(len(parts))):
            lacking.update((record.id, f"{len(parts)} of {max(sizes)} parts are here") for record, _ in parts)
    return lacking


def _gaps(lines: Iterable[Judged], records: Iterable[Record]) -> Mapping[LogId, tuple[RecordId, ...]]:
    """Returns the logs in which a named predecessor is missing, with the missing ids, sorted."""
    present = {(line.log, line.verdict.id) for line in lines if line.verdict.key}
    missing: dict[LogId, set[RecordId]] = defaultdict(set)
    for record in records:
        for name in record.statement.predicate.assay.prev:
            if (record.log, RecordId(name)) not in present:
                missing[record.log].add(RecordId(name))
    return {log: tuple(sorted(ids)) for log, ids in missing.items()}


def _refuse(record: Record, reason: Refusal, detail: str) -> Refused:
    return Refused(record.id, record.log, reason, clean(detail), record.place)
