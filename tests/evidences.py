"""How does a test make verified evidence without keys? Records as `read_evidence` would give them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from git_assay.evidence.model import Evidence, Record
from git_assay.evidence.records import (
    STATEMENT_TYPE,
    Common,
    Predicate,
    PredicateType,
    Review,
    Run,
    Seen,
    Statement,
    Subject,
    Waiver,
    Witness,
)
from git_assay.values.ids import LogId, ObjectId, Principal, RecordId
from git_assay.values.moments import format_moment

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Who:
    """A signer of a test. key: fingerprint; by default one key for each name."""

    principal: str
    key: str | None = None

    @property
    def log(self) -> LogId:
        return LogId(hashlib.sha256((self.key or self.principal).encode()).hexdigest()[:16])


ALICE, BOB, CAROL = Who("alice@example.com"), Who("bob@example.com"), Who("carol@example.com")
CI, AGENT = Who("ci@acme.example"), Who("fixer@agents.acme.example")


def review(
    who: Who,
    *pairs: tuple[str, str | None, str | None],
    verdict: Literal["approve", "reject", "comment"] = "approve",
    module: str = "invoice",
    age: timedelta = timedelta(hours=1),
    supersedes: Iterable[Record] = (),
    via: Literal["signed", "host"] = "signed",
) -> Record:
    """Makes a review of (piece, old, new) pairs."""
    seen = tuple(Seen(module, piece, old, new) for piece, old, new in pairs)
    body = Review(verdict=verdict, words="looked", seen=seen, via=via)
    return _record(who, PredicateType.REVIEW, {module: {}}, age, supersedes, review=body)


def run(
    who: Who,
    module: str,
    digest: Mapping[str, str],
    *,
    verdict: Literal["pass", "retry", "fatal"] = "pass",
    kind: str = "tests",
    age: timedelta = timedelta(hours=1),
    supersedes: Iterable[Record] = (),
) -> Record:
    """Makes a record of a check that ran on a module at these subject digests."""
    body = Run(
        check="unit",
        kind=kind,
        command="true",
        exit=0 if verdict == "pass" else 1,
        verdict=verdict,
        duration_ms=5,
        environment="0" * 64,
        log="0" * 64,
    )
    type_ = PredicateType.TESTS if kind == "tests" else PredicateType.CHECK
    return _record(who, type_, {module: dict(digest)}, age, supersedes, run=body)


def waiver(
    who: Who,
    module: str,
    digest: Mapping[str, str],
    requirement: str,
    until: str,
    *,
    supersedes: Iterable[Record] = (),
) -> Record:
    """Makes a waiver of one kind of evidence."""
    body = Waiver(requirement=requirement, reason="later", until=until)
    return _record(who, PredicateType.WAIVER, {module: dict(digest)}, timedelta(hours=1), supersedes, waiver=body)


def witness(who: Who, logs: Mapping[LogId, ObjectId], *, age: timedelta = timedelta(hours=1)) -> Record:
    """Makes a record of having seen these logs at these tips."""
    body = Witness(logs={str(log): str(tip) for log, tip in logs.items()})
    return _record(who, PredicateType.WITNESS, {}, age, (), witness=body)


def evidence(
    *records: Record,
    gaps: Mapping[LogId, tuple[RecordId, ...]] | None = None,
    tips: Mapping[LogId, ObjectId] | None = None,
) -> Evidence:
    """Collects records as one clone's evidence."""
    return Evidence({record.id: record for record in records}, (), {}, tips or {}, gaps or {})


def _record(
    who: Who,
    type_: PredicateType,
    subjects: Mapping[str, dict[str, str]],
    age: timedelta,
    supersedes: Iterable[Record],
    *,
    run: Run | None = None,
    review: Review | None = None,
    waiver: Waiver | None = None,
    witness: Witness | None = None,
) -> Record:
    time = NOW - age
    common = Common(
        version=1,
        repository="r" * 16,
        by=who.principal,
        time=format_moment(time),
        prev=(),
        observed="ran",
        tool="test",
        cone=1,
        extractor=1,
        supersedes=tuple(old.id for old in supersedes),
    )
    predicate = Predicate(assay=common, run=run, review=review, waiver=waiver, witness=witness)
    statement = Statement(
        type_=STATEMENT_TYPE,
        subject=tuple(Subject(name, digest) for name, digest in subjects.items()),
        predicate_type=type_.value,
        predicate=predicate,
    )
    name = RecordId(hashlib.sha256(repr((who, statement)).encode()).hexdigest())
    key = "SHA256:" + (who.key or who.principal)
    return Record(name, who.log, key, Principal(who.principal), time, type_, statement, None)
