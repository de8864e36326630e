"""Does a verdict still hold for this tree?

For one check of one module, among verified records of that kind by admitted principals:

1. a record is *at* this content when its check digest equals the tree's, in the kind's mode; where the exact digest is
   equal the code digest is not computed, since it must be equal too;
2. a fail at this content stands until a record of its own log supersedes it;
3. a standing fail beside a pass of another log is *disputed*, else the check is *failing*;
4. a pass with no standing fail is *fresh*; superseded runs stay in the count;
5. otherwise the newest record is *stale*; a record at this content by somebody else is *refused*, with that reason.

**Source:** design 40-gate §1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from git_assay.cones.analysis import Analysis
from git_assay.evidence.model import Evidence, Record
from git_assay.modules.card import Check
from git_assay.status.model import Absent, Disputed, Failing, Fresh, RefusedEvidence, Stale, Standing
from git_assay.status.superseding import superseded_ids
from git_assay.values.digests import Mode, check_name
from git_assay.values.ids import Digest, ModuleId, Principal, RecordId

_CODE_KINDS = frozenset({"tests", "property", "resource", "explanation", "contract"})  # design 40-gate §1


@dataclass(frozen=True, slots=True, eq=False)
class RunIndex:
    """Verified check records by (module, kind), newest first."""

    records: Mapping[tuple[ModuleId, str], tuple[Record, ...]]
    superseded: frozenset[RecordId]


def default_mode(kind: str) -> Mode:
    """Returns the digest mode of a kind of check; a word that the tool does not know is held to the bytes."""
    return Mode.CODE if kind in _CODE_KINDS else Mode.EXACT


def index_runs(evidence: Evidence) -> RunIndex:
    """Returns the check records of all verified evidence."""
    found: dict[tuple[ModuleId, str], list[Record]] = {}
    for record in evidence.records.values():
        run = record.statement.predicate.run
        if run is None:
            continue
        for subject in record.statement.subject:
            found.setdefault((ModuleId(subject.name), run.kind), []).append(record)
    ordered = {
        key: tuple(sorted(records, key=lambda record: (record.time, record.id), reverse=True))
        for key, records in found.items()
    }
    return RunIndex(ordered, superseded_ids(evidence))


def passed(record: Record) -> bool:
    """Returns whether a check record says pass in every field; one that disagrees with itself fails."""
    predicate = record.statement.predicate
    run = predicate.run
    if run is None or run.timed_out:
        return False
    return run.verdict == "pass" and run.exit == 0 and predicate.result != "FAILED"


def check_standing(
    analysis: Analysis,
    module: ModuleId,
    check: Check,
    *,
    runs: RunIndex,
    mode: Mode | None = None,
    principals: frozenset[Principal] | None = None,
) -> Standing:
    """Returns how one check of one module stands. principals: who counts, None = everyone whom the keyring lists."""
    known = runs.records.get((module, check.kind), ())
    admitted = tuple(record for record in known if principals is None or record.principal in principals)
    target = _Target(analysis, module, check.name, mode or default_mode(check.kind))
    here = _at(admitted, target, runs.superseded)
    if here:
        return _judge(here, runs.superseded)
    others = _at(tuple(record for record in known if record not in admitted), target, runs.superseded)
    if others:
        return RefusedEvidence(f"signed by {others[0].principal}, whose role does not count here", others[0].id)
    return Stale(admitted[0].id) if admitted else Absent()


@dataclass(frozen=True, slots=True)
class _Target:
    """What a record must be about. The code digest is asked for last: it needs every file of the cone."""

    analysis: Analysis
    module: ModuleId
    check: str
    mode: Mode

    def matches(self, record: Record, mode: Mode) -> bool:
        wanted = self.analysis.digests(self.module, mode).checks.get(self.check)
        return wanted is not None and _digest_of(record, self.module, mode) == wanted


def _at(records: tuple[Record, ...], target: _Target, superseded: frozenset[RecordId]) -> tuple[Record, ...]:
    """Returns the records at this content, newest first."""
    exact = tuple(record for record in records if target.matches(record, Mode.EXACT))
    rest = tuple(record for record in records if record not in exact)
    if target.mode is Mode.EXACT or not rest:
        return exact
    decided = any(passed(record) and record.id not in superseded for record in exact)
    if decided and all(passed(record) or record.id in superseded for record in rest):
        return exact
    return tuple(record for record in records if record in exact or target.matches(record, Mode.CODE))


def _judge(here: tuple[Record, ...], superseded: frozenset[RecordId]) -> Standing:
    standing = tuple(record for record in here if record.id not in superseded)
    passes = tuple(record for record in standing if passed(record))
    fails = tuple(record for record in standing if not passed(record))
    if fails:
        if any(good.log != bad.log for good in passes for bad in fails):
            return Disputed(tuple(r.id for r in passes), tuple(r.id for r in fails))
        return Failing(fails[0].id)
    if passes:
        return Fresh(passes[0].id, sum(passed(record) for record in here), len(here))
    return Stale(here[0].id)


def _digest_of(record: Record, module: ModuleId, mode: Mode) -> Digest | None:
    name = check_name(mode)
    for subject in record.statement.subject:
        if subject.name == module:
            found = subject.digest.get(name)
            return None if found is None else Digest(found)
    return None
