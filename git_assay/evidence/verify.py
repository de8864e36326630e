"""Does this line count as evidence? First failure wins and is named.

 1. envelope shape               6. statement type and version known
 2. payload type                 7. repository id matches
 3. SSHSIG shape                 8. key listed for the principal, namespace and time
 4. signature over the PAE,      9. key not revoked
    by the key of this log      10. `critical` understood
 5. payload parses strictly     11. not from the future (and, over the whole set: settle.py)

Nothing of the payload is used before its signature holds. Any exception is a refusal, never a pass; the gate does not
open beside a defect in the log of a listed key, since what was refused for it may have been a fail or a reject.
**Source:** design 30-evidence §4.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import msgspec

from git_assay.evidence.envelope import Envelope, MalformedEnvelopeError, parse_envelope
from git_assay.evidence.keyring import Keyring
from git_assay.evidence.model import Record, Refusal, Refused
from git_assay.evidence.records import PAYLOAD_TYPE, STATEMENT_TYPE, PredicateType, Statement
from git_assay.evidence.statement import decode_verified, unknown_critical
from git_assay.evidence.strict_json import LooseJsonError, decode_strict
from git_assay.signing.sshsig import NAMESPACE, Sshsig, parse_sshsig
from git_assay.signing.verification import FalseSignatureError, verify_sshsig
from git_assay.signing.wire import MalformedBlobError
from git_assay.values.ids import LogId, ObjectId, Principal, RecordId
from git_assay.values.moments import parse_moment
from git_assay.values.text import clean

CLOCK_SKEW = timedelta(minutes=5)  # design 30-evidence §4

# The part of a predicate that its type must have.
_BODIES = {
    PredicateType.TESTS: "run",
    PredicateType.CHECK: "run",
    PredicateType.REVIEW: "review",
    PredicateType.WAIVER: "waiver",
    PredicateType.WITHDRAWAL: "withdrawal",
    PredicateType.WITNESS: "witness",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """Outcome of steps 1 to 10, which depend on nothing but the line, its log and the keyring.

    id: None when there is no envelope.  reason: None when all held.  key: fingerprint, "" before step 4 held.
    payload: the signed bytes when all held or at least the signature did; b"" otherwise.
    """

    id: RecordId | None
    reason: Refusal | None
    detail: str
    key: str = ""
    payload: bytes = b""


class _Failed(Exception):
    def __init__(self, reason: Refusal, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


def verify_line(
    line: bytes, *, log: LogId, keyring: Keyring, now: datetime, place: ObjectId | None = None
) -> Record | Refused:
    """Returns the record of one line, or why it is refused. What needs the other records is settled by `settle`."""
    return record_of(judge_line(line, log=log, keyring=keyring), log=log, now=now, place=place)


def judge_line(line: bytes, *, log: LogId, keyring: Keyring) -> Verdict:
    """Returns the outcome of steps 1 to 10: a defect is a refusal.

    Raises MemoryError and OSError, which say nothing about the line: a withdrawal refused for them would not take back.
    """
    envelope: Envelope | None = None
    key = ""
    try:
        envelope = _envelope(line)
        key = _signing_key(envelope, log)
        _check_statement(envelope, keyring)
    except _Failed as failure:
        return _refusal(envelope, failure.reason, failure.detail, key=key)
    except (MemoryError, OSError):
        raise
    except Exception as error:  # noqa: BLE001 - whatever went wrong, the record does not count
        return _refusal(envelope, Refusal.DEFECT, f"{type(error).__name__}: {error}", key=key)
    return Verdict(envelope.id, None, "", key, envelope.payload)


def record_of(verdict: Verdict, *, log: LogId, now: datetime, place: ObjectId | None) -> Record | Refused:
    """Returns the record of a verdict at a time (UTC), which is step 11."""
    if verdict.reason is not None or verdict.id is None:
        return Refused(verdict.id, log, verdict.reason or Refusal.ENVELOPE, verdict.detail, place)
    try:
        statement = decode_verified(verdict.payload)
        common = statement.predicate.assay
        time = parse_moment(common.time)
        kind = PredicateType(statement.predicate_type)
    except ValueError as error:  # only a damaged cache can bring one here
        return Refused(verdict.id, log, Refusal.DEFECT, str(error), place)
    # 11. Time is the signer's word, but not that far.
    if time > now + CLOCK_SKEW:
        return Refused(verdict.id, log, Refusal.FUTURE, f"its time is {common.time}", place)
    return Record(verdict.id, log, verdict.key, Principal(common.by), time, kind, statement, place)


def is_signed_for(envelope: Envelope, log: LogId) -> bool:
    """Returns whether steps 3 and 4 hold: the key of `log` signed this envelope, whatever it says."""
    try:
        _signing_key(envelope, log)
    except _Failed:
        return False
    return True


def _envelope(line: bytes) -> Envelope:
    # 1. Envelope shape.
    try:
        envelope = parse_envelope(line)
    except MalformedEnvelopeError as error:
        raise _Failed(Refusal.ENVELOPE, error.message) from error
    # 2. Payload type.
    if envelope.payload_type != PAYLOAD_TYPE:
        raise _Failed(Refusal.PAYLOAD_TYPE, clean(envelope.payload_type[:80]))
    return envelope


def _signing_key(envelope: Envelope, log: LogId) -> str:
    # 3. SSHSIG shape: version 1, reserved empty, namespace, hash, no trailing bytes.
    try:
        signature: Sshsig = parse_sshsig(envelope.signature)
    except MalformedBlobError as error:
        raise _Failed(Refusal.SSHSIG, error.message) from error
    # 4. Signature over the PAE by the key in the blob, and the log is that key's.
    try:
        verify_sshsig(signature, envelope.signed)
    except (FalseSignatureError, MalformedBlobError) as error:
        raise _Failed(Refusal.SIGNATURE, error.message) from error
    if log.partition("-")[0] != signature.key.log:
        raise _Failed(Refusal.LOG, f"signed by {signature.key.fingerprint}, whose log is {signature.key.log}")
    return signature.key.fingerprint


def _check_statement(envelope: Envelope, keyring: Keyring) -> None:
    # 5. Payload parses strictly.
    # 6. Statement type and version known.
    statement = _known_statement(envelope)
    common = statement.predicate.assay
    try:
        time = parse_moment(common.time)
    except ValueError as error:
        raise _Failed(Refusal.PAYLOAD, str(error)) from error
    # 7. Repository id.
    if common.repository != keyring.repository:
        raise _Failed(Refusal.REPOSITORY, f"made for repository {clean(common.repository[:80])}")
    # 8. Key listed for the principal, the namespace and the time.
    key = parse_sshsig(envelope.signature).key
    lacking = keyring.signers.why_not(Principal(common.by), key, namespace=NAMESPACE, time=time)
    if lacking is not None:
        raise _Failed(Refusal.SIGNER, clean(lacking))
    # 9. Key not revoked.
    revoked = keyring.revoked.why_revoked(key)
    if revoked is not None:
        raise _Failed(Refusal.REVOKED, revoked)
    # 10. What the writer calls critical is understood.
    unknown = unknown_critical(statement)
    if unknown:
        raise _Failed(Refusal.CRITICAL, clean(", ".join(unknown)[:200]))


def _known_statement(envelope: Envelope) -> Statement:
    try:
        value = decode_strict(envelope.payload)
    except LooseJsonError as error:
        raise _Failed(Refusal.PAYLOAD, str(error)) from error
    if not isinstance(value, dict):
        raise _Failed(Refusal.PAYLOAD, "not an object")
    if value.get("_type") != STATEMENT_TYPE or value.get("predicateType") not in {kind.value for kind in _BODIES}:
        raise _Failed(Refusal.STATEMENT, clean(f"{value.get('_type')}, {value.get('predicateType')}"[:200]))
    try:
        statement = msgspec.convert(value, Statement)
    except msgspec.ValidationError as error:
        raise _Failed(Refusal.PAYLOAD, clean(str(error)[:200])) from error
    body = _BODIES[PredicateType(statement.predicate_type)]
    if getattr(statement.predicate, body) is None:
        raise _Failed(Refusal.PAYLOAD, f"the predicate has no {body}")
    return statement


def _refusal(envelope: Envelope | None, reason: Refusal, detail: str, *, key: str) -> Verdict:
    held = key and envelope is not None
    return Verdict(
        id=envelope.id if envelope else None,
        reason=reason,
        detail=detail,
        key=key,
        payload=envelope.payload if held and envelope else b"",
    )
