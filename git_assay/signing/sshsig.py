"""What is in an SSH signature blob, and which bytes did its key sign?

Stricter than OpenSSH, which accepts version 0 and a filled `reserved` field: here one signature has one blob form
(ECDSA numbers aside), though identity is never taken from it. **Source:** OpenSSH PROTOCOL.sshsig; design
30-evidence §4.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from dataclasses import dataclass

from git_assay.signing.public_key import RSA, PublicKey
from git_assay.signing.wire import MalformedBlobError, WireReader, wire_string

NAMESPACE = "git-assay"
HASHES = ("sha256", "sha512")  # PROTOCOL.sshsig knows these two
WRITTEN_HASH = "sha512"

_MAGIC = b"SSHSIG"
_VERSION = 1
_BEGIN, _END = b"-----BEGIN SSH SIGNATURE-----", b"-----END SSH SIGNATURE-----"
_ARMOR_WIDTH = 70  # what ssh-keygen writes
# RSA with SHA-1 (plain "ssh-rsa") is not among them.
_RSA_ALGORITHMS = ("rsa-sha2-256", "rsa-sha2-512")


@dataclass(frozen=True, slots=True)
class Sshsig:
    """A well-formed signature that nobody has verified yet.

    algorithm: of the inner signature, already known to fit the key.  rest: what follows the algorithm in the inner
    signature.
    """

    key: PublicKey
    hash: str
    algorithm: str
    rest: bytes


def parse_sshsig(blob: bytes, *, namespace: str = NAMESPACE) -> Sshsig:
    """Returns the parts of a signature blob. Raises MalformedBlobError for anything but the one strict form."""
    reader = WireReader(blob)
    if reader.take(len(_MAGIC), "signature") != _MAGIC:
        raise MalformedBlobError("not an SSH signature")
    if (version := reader.uint32("version")) != _VERSION:
        raise MalformedBlobError(f"signature version is {version}, not {_VERSION}")
    key = PublicKey(reader.string("public key"))
    if reader.string("namespace") != namespace.encode():
        raise MalformedBlobError(f"signature is not made for the namespace {namespace}")
    if reader.string("reserved"):
        raise MalformedBlobError("the reserved field is not empty")
    hash_name = reader.name("hash algorithm")
    if hash_name not in HASHES:
        raise MalformedBlobError("unknown hash algorithm")
    inner = WireReader(reader.string("signature"))
    reader.end("signature blob")
    algorithm = inner.name("signature algorithm")
    if algorithm not in _algorithms(key.type):
        raise MalformedBlobError(f"the signature algorithm does not fit a key of type {key.type}")
    rest = inner.remaining()
    return Sshsig(key=key, hash=hash_name, algorithm=algorithm, rest=rest)


def build_sshsig(key: PublicKey, inner: bytes, *, namespace: str = NAMESPACE) -> bytes:
    """Returns the blob for an inner signature (`string algorithm, string signature`) made over `signed_data`."""
    fields = (key.blob, namespace.encode(), b"", WRITTEN_HASH.encode(), inner)
    return _MAGIC + _VERSION.to_bytes(4, "big") + b"".join(wire_string(field) for field in fields)


def signed_data(message: bytes, *, hash_name: str = WRITTEN_HASH, namespace: str = NAMESPACE) -> bytes:
    """Returns the bytes that a key signs for `message`."""
    fields = (namespace.encode(), b"", hash_name.encode(), hashlib.new(hash_name, message).digest())
    return _MAGIC + b"".join(wire_string(field) for field in fields)


def armor(blob: bytes) -> bytes:
    """Returns the text form that `ssh-keygen -Y verify` reads."""
    text = base64.b64encode(blob)
    lines = [text[at : at + _ARMOR_WIDTH] for at in range(0, len(text), _ARMOR_WIDTH)]
    return b"\n".join((_BEGIN, *lines, _END, b""))


def dearmor(text: bytes) -> bytes:
    """Returns the blob inside the text form. Raises MalformedBlobError."""
    lines = text.strip().splitlines()
    if len(lines) < 3 or lines[0].strip() != _BEGIN or lines[-1].strip() != _END:
        raise MalformedBlobError("not an armored SSH signature")
    try:
        return base64.b64decode(b"".join(line.strip() for line in lines[1:-1]), validate=True)
    except (binascii.Error, ValueError) as error:
        raise MalformedBlobError("armored SSH signature is not base64") from error


def _algorithms(key_type: str) -> tuple[str, ...]:
    return _RSA_ALGORITHMS if key_type == RSA else (key_type,)
