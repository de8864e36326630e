"""How do tests get keys of each type, security keys made in software included?"""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from git_assay.signing.public_key import SK_ECDSA, SK_ED25519, PublicKey
from git_assay.signing.sshsig import NAMESPACE, armor, build_sshsig, signed_data
from git_assay.signing.wire import wire_mpint, wire_string

TYPES = {
    "ed25519": ("ed25519",),
    "ecdsa-256": ("ecdsa", "-b", "256"),
    "ecdsa-384": ("ecdsa", "-b", "384"),
    "ecdsa-521": ("ecdsa", "-b", "521"),
    "rsa-2048": ("rsa", "-b", "2048"),
}
APPLICATION = b"ssh:"


def ssh_keygen(*arguments: str, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        ["ssh-keygen", *arguments], input=data, capture_output=True, check=False, env=dict(os.environ)
    )


def make_key(folder: Path, kind: str, *, passphrase: str = "") -> Path:
    path = folder / kind
    done = ssh_keygen("-q", "-N", passphrase, "-C", "test", "-f", str(path), "-t", *TYPES[kind])
    assert done.returncode == 0, done.stderr
    return path


def openssh_accepts(folder: Path, key: PublicKey, blob: bytes, message: bytes) -> bool:
    """Returns what `ssh-keygen -Y verify` says."""
    (folder / "signers").write_text(f"a@example.com {key.text}\n")
    (folder / "sig").write_bytes(armor(blob))
    arguments = ("-Y", "verify", "-f", str(folder / "signers"), "-I", "a@example.com", "-n", NAMESPACE)
    return ssh_keygen(*arguments, "-s", str(folder / "sig"), data=message).returncode == 0


class SoftwareSecurityKey:
    """What a hardware key does, without hardware. **Source:** OpenSSH PROTOCOL.u2f."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._ed25519 = Ed25519PrivateKey.generate()
        self._ecdsa = ec.generate_private_key(ec.SECP256R1())
        if kind == SK_ED25519:
            fields = [self._ed25519.public_key().public_bytes_raw()]
        else:
            point = self._ecdsa.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
            fields = [b"nistp256", point]
        self.public_key = PublicKey(b"".join(wire_string(one) for one in (kind.encode(), *fields, APPLICATION)))

    def sign(self, message: bytes, *, flags: int) -> bytes:
        digest = hashlib.sha256(signed_data(message)).digest()
        tail = bytes([flags]) + (7).to_bytes(4, "big")
        data = hashlib.sha256(APPLICATION).digest() + tail + digest
        if self.kind == SK_ECDSA:
            r, s = decode_dss_signature(self._ecdsa.sign(data, ec.ECDSA(hashes.SHA256())))
            raw = wire_mpint(r) + wire_mpint(s)
        else:
            raw = self._ed25519.sign(data)
        return build_sshsig(self.public_key, wire_string(self.kind.encode()) + wire_string(raw) + tail)
