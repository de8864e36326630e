"""Who signs, and how: in this process for an unencrypted key file, else through ssh-keygen?

ssh-keygen reaches the agent, hardware keys and passphrases, and asks on the terminal itself. Neither way prints.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from git_assay.errors import AssayError
from git_assay.signing.public_key import ED25519, PublicKey
from git_assay.signing.sshsig import NAMESPACE, build_sshsig, dearmor, parse_sshsig, signed_data
from git_assay.signing.verification import verify_sshsig
from git_assay.signing.wire import wire_string

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

# A person may have to find the hardware key and touch it.
_SIGN_TIMEOUT_S = 180


class Signer(Protocol):
    """Signs messages in the namespace git-assay."""

    @property
    def public_key(self) -> PublicKey:
        """The key that signs."""
        ...

    def sign(self, message: bytes) -> bytes:
        """Returns an SSHSIG blob. Raises AssayError when no signature can be made."""
        ...


@dataclass(frozen=True, slots=True)
class FileSigner:
    """Signs in this process with an unencrypted ed25519 key."""

    public_key: PublicKey
    private: Ed25519PrivateKey = field(repr=False)

    def sign(self, message: bytes) -> bytes:
        """Returns an SSHSIG blob."""
        raw = self.private.sign(signed_data(message))
        return build_sshsig(self.public_key, wire_string(ED25519.encode()) + wire_string(raw))


@dataclass(frozen=True, slots=True)
class SshKeygenSigner:
    """Signs through `ssh-keygen -Y sign`. path: a key file; None = the agent holds the key.  env: whole environment."""

    public_key: PublicKey
    path: Path | None
    env: Mapping[str, str] = field(repr=False)

    def sign(self, message: bytes) -> bytes:
        """Returns an SSHSIG blob that was checked to be this key's over `message`."""
        with tempfile.TemporaryDirectory(prefix="git-assay-") if self.path is None else nullcontext("") as folder:
            path = self.path
            if path is None:
                path = Path(folder) / "key.pub"
                path.write_text(self.public_key.text + "\n")
            out = run_ssh_keygen(("-Y", "sign", "-n", NAMESPACE, "-f", str(path)), env=self.env, data=message)
        blob = dearmor(out)
        signature = parse_sshsig(blob)
        if signature.key != self.public_key:
            raise AssayError("ssh-keygen signed with another key than asked", hint="git assay key list")
        verify_sshsig(signature, message)
        return blob


def run_ssh_keygen(arguments: tuple[str, ...], *, env: Mapping[str, str], data: bytes = b"") -> bytes:
    """Returns what ssh-keygen wrote to its standard output. Raises AssayError with its last line of complaint."""
    try:
        done = subprocess.run(
            ("ssh-keygen", *arguments),
            input=data,
            env=dict(env),
            capture_output=True,
            timeout=_SIGN_TIMEOUT_S,
            check=False,
        )
    except FileNotFoundError as error:
        raise AssayError("ssh-keygen is not installed, and this key needs it", hint="git assay key new") from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise AssayError(f"ssh-keygen gave no answer: {type(error).__name__}", hint="git assay key list") from error
    if done.returncode != 0:
        complaint = done.stderr.decode("utf-8", "replace").strip().splitlines() or [f"exit code {done.returncode}"]
        raise AssayError(
            f"ssh-keygen could not do it: {complaint[-1]} (without a terminal it cannot ask for a passphrase)",
            hint="ssh-add",
        )
    return done.stdout
