"""What evidence does this clone have, after verification? Values that judgement takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from git_assay.evidence.records import PredicateType, Statement
from git_assay.values.ids import LogId, ObjectId, Principal, RecordId


class Refusal(Enum):
    """Why a record does not count; the order is the order of verification (design 30-evidence §4)."""

    ENVELOPE = "not a DSSE envelope"
    PAYLOAD_TYPE = "unknown payload type"
    SSHSIG = "malformed SSH signature"
    SIGNATURE = "signature does not hold"
    LOG = "stands in the log of another key"
    PAYLOAD = "payload does not parse strictly"
    STATEMENT = "unknown statement or predicate type"
    REPOSITORY = "made for another repository"
    SIGNER = "key is not listed for this principal, namespace and time"
    REVOKED = "key is revoked"
    CRITICAL = "a critical field is not understood"
    FUTURE = "made in the future"
    BATCH = "batch is incomplete"
    GAP = "a record that its log names is missing"
    WITHDRAWN = "withdrawn"
    DEFECT = "verification failed unexpectedly"


@dataclass(frozen=True, slots=True)
class Record:
    """A verified record. key: SHA256:... fingerprint.  place: the object it annotates, for display only."""

    id: RecordId
    log: LogId
    key: str
    principal: Principal
    time: datetime
    type: PredicateType
    statement: Statement
    place: ObjectId | None


@dataclass(frozen=True, slots=True)
class Refused:
    """A record that does not count. id is None when not even the payload could be found.  detail: for people."""

    id: RecordId | None
    log: LogId
    reason: Refusal
    detail: str
    place: ObjectId | None


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """Every record of this clone under one keyring.

    records: verified, not withdrawn, by id.  withdrawn: verified but taken back, id -> id of the withdrawal.
    tips: commit of each log read.  gaps: logs with a missing predecessor and the ids that are missing (their records
    are in `refused` with GAP).
    """

    records: Mapping[RecordId, Record]
    refused: tuple[Refused, ...]
    withdrawn: Mapping[RecordId, RecordId]
    tips: Mapping[LogId, ObjectId]
    gaps: Mapping[LogId, tuple[RecordId, ...]]
