"""What does one record say? The typed form of an in-toto Statement that git assay writes.

Every predicate carries the common part under the key `assay`; the rest of the predicate depends on its type. Types
here are what is *read* after a signature held; the signed bytes themselves are never re-encoded.
**Source:** design 30-evidence §1; in-toto Statement v1 and test-result v0.1.
"""

from __future__ import annotations

from enum import Enum
from typing import Literal

import msgspec

STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PAYLOAD_TYPE = "application/vnd.in-toto+json"
CONE_VERSION = 2
RECORD_LIMIT = 16 * 1024  # bytes of one record line, design 30-evidence §1


class PredicateType(Enum):
    """Known predicate types, one versioned URI each."""

    TESTS = "https://in-toto.io/attestation/test-result/v0.1"
    CHECK = "urn:git-assay:check:v1"
    REVIEW = "urn:git-assay:review:v1"
    WAIVER = "urn:git-assay:waiver:v1"
    WITHDRAWAL = "urn:git-assay:withdrawal:v1"
    WITNESS = "urn:git-assay:witness:v1"
    FAILURE = "urn:git-assay:failure:v1"
    REPAIR = "urn:git-assay:repair:v1"
    ATTEMPT = "urn:git-assay:attempt:v1"
    GRAPH_DELTA = "urn:git-assay:graph-delta:v1"


class Verdict(Enum):
    """Outcome of a check. A pass means checked, not proved."""

    PASS = "pass"
    RETRY = "retry"
    FATAL = "fatal"


class Batch(msgspec.Struct, frozen=True):
    """A statement split over several records. i: 0-based place; n: how many."""

    id: str
    i: int
    n: int


class Common(msgspec.Struct, frozen=True, kw_only=True):
    """The part that every predicate has, under `assay`.

    by: principal.  time: UTC, `...Z`.  prev: heads of this log that the writer saw.  observed: ran | imported.
    commit, tree: hex ids seen by the writer (hints, never identity).  tool: version of git assay.
    critical: names of predicate fields that a reader must understand or refuse.
    supersedes: ids of records of the same log (failed checks, rejects) that this one replaces.
    """

    version: Literal[1]
    repository: str
    by: str
    time: str
    prev: tuple[str, ...]
    observed: Literal["ran", "imported"]
    tool: str
    cone: int
    extractor: int
    commit: str | None = None
    tree: str | None = None
    policy: int | None = None
    batch: Batch | None = None
    critical: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()


class Counts(msgspec.Struct, frozen=True):
    """Test counts from JUnit XML. None of them is guessed: without a report there are no counts."""

    passed: int
    failed: int
    errors: int
    skipped: int


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """A check that ran, under `run`. exit: exit code, negative for a signal.  duration_ms: wall time.

    environment, log: SHA-256 hex.  timed_out: the limit ended it.
    """

    check: str
    kind: str
    command: str
    exit: int
    verdict: Literal["pass", "retry", "fatal"]
    duration_ms: int
    environment: str
    log: str
    timed_out: bool = False
    counts: Counts | None = None
    masked: int = 0


class Seen(msgspec.Struct, frozen=True):
    """One change that a reviewer saw. piece: `path` or `path::symbol` (path_text form).

    old, new: exact digests; None = did not exist / does not exist any more.
    """

    module: str
    piece: str
    old: str | None
    new: str | None


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """Under `review`. unattended: made without a terminal (--yes).  via: signed | host.  masked: secrets in `words`."""

    verdict: Literal["approve", "reject", "comment"]
    words: str
    seen: tuple[Seen, ...]
    thoroughness: Literal["full", "partial", "glance"] = "full"
    via: Literal["signed", "host"] = "signed"
    unattended: bool = False
    masked: int = 0


class Waiver(msgspec.Struct, frozen=True, kw_only=True):
    """Under `waiver`. requirement: the kind of evidence that may be missing.  until: day, 2026-12-31."""

    requirement: str
    reason: str
    until: str


class Withdrawal(msgspec.Struct, frozen=True, kw_only=True):
    """Under `withdrawal`. records: ids taken back."""

    records: tuple[str, ...]
    reason: str


class Witness(msgspec.Struct, frozen=True, kw_only=True):
    """Under `witness`. logs: log id -> tip commit seen."""

    logs: dict[str, str]


class Subject(msgspec.Struct, frozen=True):
    """name: module id or reserved subject.  digest: names of values/digests -> hex."""

    name: str
    digest: dict[str, str]


class Predicate(msgspec.Struct, frozen=True, kw_only=True):
    """Any known predicate. `result` and the test lists are the standard test-result fields."""

    assay: Common
    run: Run | None = None
    review: Review | None = None
    waiver: Waiver | None = None
    withdrawal: Withdrawal | None = None
    witness: Witness | None = None
    result: Literal["PASSED", "WARNED", "FAILED"] | None = None


class Statement(msgspec.Struct, frozen=True, kw_only=True):
    """The decoded payload. type_ is `_type`."""

    type_: str = msgspec.field(name="_type")
    subject: tuple[Subject, ...]
    predicate_type: str = msgspec.field(name="predicateType")
    predicate: Predicate
