"""Does an SSH signature hold over these bytes?

Held equal to `ssh-keygen -Y verify` by tests, and stricter in named places: no security-key signature without user
presence, no RSA below 2048 bits or with SHA-1. It says nothing about whether the key is trusted.
**Source:** OpenSSH PROTOCOL.sshsig, PROTOCOL.u2f; RFC 5656 §3.1.2; RFC 8332 §3; RFC 8709 §6.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from git_assay.errors import AssayError
from git_assay.signing.public_key import ECDSA_CURVES, ED25519, RSA, SK_ECDSA, SK_ED25519, PublicKey
from git_assay.signing.sshsig import NAMESPACE, Sshsig, signed_data
from git_assay.signing.wire import MalformedBlobError, WireReader

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey
    from cryptography.hazmat.primitives.hashes import HashAlgorithm

_USER_PRESENT = 0x01  # PROTOCOL.u2f: bit 0 of the flags


class FalseSignatureError(AssayError):
    """The signature was not made by its key over these bytes."""


def verify_sshsig(signature: Sshsig, message: bytes, *, namespace: str = NAMESPACE) -> None:
    """Returns when the key in the blob signed `message` for this namespace.

    Raises FalseSignatureError or MalformedBlobError otherwise.

    The 40 ms import of cryptography happens here and nowhere else on the reading side.
    """
    from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm

    data = signed_data(message, hash_name=signature.hash, namespace=namespace)
    try:
        _verify(signature, data)
    except InvalidSignature as error:
        raise FalseSignatureError("the signature does not hold over these bytes") from error
    except (ValueError, UnsupportedAlgorithm) as error:  # a point that is not on its curve, for example
        raise FalseSignatureError("the key or signature is not usable") from error


def _verify(signature: Sshsig, data: bytes) -> None:
    key_type = signature.key.type
    reader = WireReader(signature.rest)
    raw = reader.string("signature")
    if signature.key.touched:
        flags, counter = reader.take(1, "flags"), reader.take(4, "counter")
        data = _touched_data(signature.key, data, flags=flags, counter=counter)
    reader.end("inner signature")
    if key_type in (ED25519, SK_ED25519):
        _verify_ed25519(signature.key, raw, data)
    elif key_type == RSA:
        _verify_rsa(signature, raw, data)
    else:
        _verify_ecdsa(signature.key, raw, data)


def _touched_data(key: PublicKey, data: bytes, *, flags: bytes, counter: bytes) -> bytes:
    if not flags[0] & _USER_PRESENT:
        raise FalseSignatureError("the security key signed without a touch")
    reader = WireReader(key.blob)
    for what in ("type", "key") if key.type == SK_ED25519 else ("type", "curve", "key"):
        reader.string(what)
    application = reader.string("application")
    return hashlib.sha256(application).digest() + flags + counter + hashlib.sha256(data).digest()


def _verify_ed25519(key: PublicKey, raw: bytes, data: bytes) -> None:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    reader = WireReader(key.blob)
    reader.string("type")
    Ed25519PublicKey.from_public_bytes(reader.string("key")).verify(raw, data)


def _verify_rsa(signature: Sshsig, raw: bytes, data: bytes) -> None:
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicNumbers

    reader = WireReader(signature.key.blob)
    reader.string("type")
    exponent, modulus = reader.positive("exponent"), reader.positive("modulus")
    size = (modulus.bit_length() + 7) // 8
    if len(raw) != size:  # OpenSSH pads short ones; writers never make them
        raise MalformedBlobError("the RSA signature has the wrong size")
    algorithm = hashes.SHA512() if signature.algorithm == "rsa-sha2-512" else hashes.SHA256()
    RSAPublicNumbers(exponent, modulus).public_key().verify(raw, data, PKCS1v15(), algorithm)


def _verify_ecdsa(key: PublicKey, raw: bytes, data: bytes) -> None:
    from cryptography.hazmat.primitives.asymmetric.ec import ECDSA
    from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

    reader = WireReader(raw)
    r, s = reader.positive("r"), reader.positive("s")
    reader.end("ECDSA signature")
    public, algorithm = _ecdsa_key(key)
    public.verify(encode_dss_signature(r, s), data, ECDSA(algorithm))


def _ecdsa_key(key: PublicKey) -> tuple[EllipticCurvePublicKey, HashAlgorithm]:
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec

    known: dict[str, tuple[ec.EllipticCurve, HashAlgorithm]] = {
        "nistp256": (ec.SECP256R1(), hashes.SHA256()),
        "nistp384": (ec.SECP384R1(), hashes.SHA384()),
        "nistp521": (ec.SECP521R1(), hashes.SHA512()),
    }
    curve, algorithm = known[ECDSA_CURVES[key.type][0] if key.type != SK_ECDSA else "nistp256"]
    reader = WireReader(key.blob)
    reader.string("type")
    reader.string("curve")
    return ec.EllipticCurvePublicKey.from_encoded_point(curve, reader.string("point")), algorithm
