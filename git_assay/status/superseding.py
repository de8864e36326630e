"""Which records were replaced by their own author?

A record replaces another only when both are of the same log and the same predicate type, about a common subject, and,
for checks, of the same kind: a pass of one check can never make the fail of another go away.
**Source:** design 40-gate §1 ("until a record of the same log names it in `supersedes`").
"""

from __future__ import annotations

from git_assay.evidence.model import Evidence, Record
from git_assay.values.ids import RecordId


def superseded_ids(evidence: Evidence) -> frozenset[RecordId]:
    """Returns ids of records that a verified record validly replaces."""
    found: set[RecordId] = set()
    for record in evidence.records.values():
        for name in record.statement.predicate.assay.supersedes:
            old = evidence.records.get(RecordId(name))
            if old is not None and _may_replace(record, old):
                found.add(old.id)
    return frozenset(found)


def _may_replace(new: Record, old: Record) -> bool:
    if new.log != old.log or new.type is not old.type or new.id == old.id:
        return False
    new_run, old_run = new.statement.predicate.run, old.statement.predicate.run
    if (new_run.kind if new_run else None) != (old_run.kind if old_run else None):
        return False
    names = {subject.name for subject in new.statement.subject}
    return all(subject.name in names for subject in old.statement.subject)
