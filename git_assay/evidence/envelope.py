"""How is a record written as one line, and what is its identity?

A record is one DSSE v1 envelope: one line of compact ASCII JSON. Its id is SHA-256 over the PAE, so that neither the
malleable signature bytes nor the spelling of the envelope count. **Source:** DSSE v1.0.2 protocol and envelope; design
30-evidence §1.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from git_assay.errors import AssayError
from git_assay.evidence.records import PAYLOAD_TYPE, RECORD_LIMIT
from git_assay.evidence.strict_json import LooseJsonError, decode_strict
from git_assay.values.ids import RecordId

if TYPE_CHECKING:
    from git_assay.signing.signer import Signer


class MalformedEnvelopeError(AssayError):
    """A line is not one DSSE envelope with one signature."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """payload: the signed bytes, never re-encoded.  signature: an SSHSIG blob that nobody has verified yet."""

    payload_type: str
    payload: bytes
    signature: bytes

    @property
    def signed(self) -> bytes:
        """The bytes that the signature is over."""
        return pae(self.payload_type, self.payload)

    @property
    def id(self) -> RecordId:
        """Identity of the record."""
        return record_id(self.payload, payload_type=self.payload_type)


def pae(payload_type: str, payload: bytes) -> bytes:
    """Returns DSSE's pre-authentication encoding."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)


def record_id(payload: bytes, *, payload_type: str = PAYLOAD_TYPE) -> RecordId:
    """Returns SHA-256 of the PAE, hex."""
    return RecordId(hashlib.sha256(pae(payload_type, payload)).hexdigest())


def sign_payload(payload: bytes, signer: Signer) -> bytes:
    """Returns the record line, without a line end. Raises AssayError when it would be longer than RECORD_LIMIT."""
    signature = signer.sign(pae(PAYLOAD_TYPE, payload))
    envelope = {
        "payload": base64.b64encode(payload).decode(),
        "payloadType": PAYLOAD_TYPE,
        "signatures": [
            {"keyid": signer.public_key.fingerprint, "sig": base64.b64encode(signature).decode()},
        ],
    }
    line = json.dumps(envelope, separators=(",", ":")).encode("ascii")
    if len(line) > RECORD_LIMIT:
        raise AssayError(f"a record of {len(line)} bytes is longer than {RECORD_LIMIT}; use fewer words")
    return line


def parse_envelope(line: bytes) -> Envelope:
    """Returns the envelope of one line. Raises MalformedEnvelopeError. `keyid` is not looked at: nobody signed it."""
    if len(line) > RECORD_LIMIT:
        raise MalformedEnvelopeError(f"the line has {len(line)} bytes, the limit is {RECORD_LIMIT}")
    try:
        value = decode_strict(line)
    except LooseJsonError as error:
        raise MalformedEnvelopeError(str(error)) from error
    match value:
        case {"payload": str(payload), "payloadType": str(kind), "signatures": [{"sig": str(sig)}]}:
            return Envelope(kind, _base64(payload, "payload"), _base64(sig, "sig"))
        case {"payload": str(), "payloadType": str(), "signatures": [_, _, *_]}:
            raise MalformedEnvelopeError("there is more than one signature")
        case _:
            raise MalformedEnvelopeError("not an object with payload, payloadType and one signature")


def _base64(text: str, what: str) -> bytes:
    """Standard and URL-safe alphabets, as DSSE asks; padding may be absent, bits that do not count must be zero."""
    standard = text.replace("-", "+").replace("_", "/").rstrip("=")
    try:
        data = base64.b64decode(standard + "=" * (-len(standard) % 4), validate=True)
    except (binascii.Error, ValueError) as error:
        raise MalformedEnvelopeError(f"{what} is not base64") from error
    if base64.b64encode(data).decode().rstrip("=") != standard:
        raise MalformedEnvelopeError(f"{what} is not base64 in its one form")
    return data
