"""Which public key is this, and is it one that may sign?

A `PublicKey` that exists is well-formed: known type, right sizes, numbers in their minimal form, nothing trailing. So
one key has exactly one blob, and its hash names the key. **Source:** RFC 4253 §6.6, RFC 5656 §3.1, OpenSSH
PROTOCOL.u2f.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from dataclasses import dataclass, field

from git_assay.signing.wire import MalformedBlobError, WireReader
from git_assay.values.ids import LogId

# key type -> (curve name in the blob, size of one coordinate in bytes)
ECDSA_CURVES = {
    "ecdsa-sha2-nistp256": ("nistp256", 32),
    "ecdsa-sha2-nistp384": ("nistp384", 48),
    "ecdsa-sha2-nistp521": ("nistp521", 66),
}
ED25519 = "ssh-ed25519"
RSA = "ssh-rsa"
SK_ED25519 = "sk-ssh-ed25519@openssh.com"
SK_ECDSA = "sk-ecdsa-sha2-nistp256@openssh.com"
KEY_TYPES = frozenset({ED25519, RSA, SK_ED25519, SK_ECDSA, *ECDSA_CURVES})

RSA_LEAST_BITS = 2048  # design 30-evidence §4
_RSA_MOST_BITS = 16384  # OpenSSH's own limit (SSHBUF_MAX_BIGNUM); larger ones only cost time
_LOG_DIGITS = 16  # design 30-evidence §2


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A well-formed public key. type: OpenSSH name.  blob: SSH wire form."""

    blob: bytes
    type: str = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "type", _checked_type(self.blob))

    @property
    def fingerprint(self) -> str:
        """`SHA256:...` as ssh-keygen -l prints it."""
        return "SHA256:" + base64.b64encode(hashlib.sha256(self.blob).digest()).decode().rstrip("=")

    @property
    def log(self) -> LogId:
        """Name of the evidence log of this key, without a suffix. **Source:** design 30-evidence §2."""
        return LogId(hashlib.sha256(self.blob).hexdigest()[:_LOG_DIGITS])

    @property
    def text(self) -> str:
        """`type base64`, one line without a comment."""
        return f"{self.type} {base64.b64encode(self.blob).decode()}"

    @property
    def touched(self) -> bool:
        """Whether a signature of this key needs a person's touch."""
        return self.type in (SK_ED25519, SK_ECDSA)


def parse_public_key(text: str) -> PublicKey:
    """Returns the key of a `type base64 [comment]` line. Raises MalformedBlobError when type and blob disagree too."""
    fields = text.split(maxsplit=2)
    if len(fields) < 2:
        raise MalformedBlobError("a public key is written as: type base64 [comment]")
    return public_key_from(fields[0], fields[1])


def public_key_from(type_text: str, base64_text: str) -> PublicKey:
    """Returns the key whose blob is given in base64. Raises MalformedBlobError."""
    try:
        blob = base64.b64decode(base64_text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise MalformedBlobError("public key is not base64") from error
    key = PublicKey(blob)
    if key.type != type_text:
        raise MalformedBlobError(f"key type says {type_text}, the key itself is {key.type}")
    return key


def _checked_type(blob: bytes) -> str:
    reader = WireReader(blob)
    key_type = reader.name("key type")
    if "-cert-" in key_type:
        raise MalformedBlobError("certificates are not supported: sign with the plain key")
    if key_type not in KEY_TYPES:
        raise MalformedBlobError("unknown key type")
    if key_type in (ED25519, SK_ED25519):
        if len(reader.string("ed25519 key")) != 32:
            raise MalformedBlobError("an ed25519 key has 32 bytes")
    elif key_type == RSA:
        _check_rsa(reader)
    else:
        _check_point(reader, key_type)
    if key_type in (SK_ED25519, SK_ECDSA) and not reader.string("application"):
        raise MalformedBlobError("a security key needs an application")
    reader.end("public key")
    return key_type


def _check_rsa(reader: WireReader) -> None:
    exponent, modulus = reader.positive("RSA exponent"), reader.positive("RSA modulus")
    if exponent < 3 or exponent % 2 == 0 or exponent.bit_length() > 64:
        raise MalformedBlobError("RSA exponent is not an odd number from 3")
    if modulus.bit_length() < RSA_LEAST_BITS:
        raise MalformedBlobError(f"RSA keys need {RSA_LEAST_BITS} bits, this one has {modulus.bit_length()}")
    if modulus.bit_length() > _RSA_MOST_BITS:
        raise MalformedBlobError(f"RSA keys have at most {_RSA_MOST_BITS} bits")


def _check_point(reader: WireReader, key_type: str) -> None:
    curve, size = ECDSA_CURVES.get(key_type, ("nistp256", 32))
    if reader.string("curve") != curve.encode():
        raise MalformedBlobError(f"curve does not fit {key_type}")
    point = reader.string("curve point")
    if len(point) != 1 + 2 * size or point[0] != 4:  # 4: uncompressed, the only form OpenSSH writes
        raise MalformedBlobError("curve point has the wrong form")
