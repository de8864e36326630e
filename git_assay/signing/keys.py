"""Which key does this user sign with, and how is a new one made?

Keys are found as git finds them: `assay.signingKey`, else `user.signingKey` when `gpg.format` is ssh. A value is a
path to a key file, a path to a `.pub` file (the agent holds the key), or `key::TYPE BASE64`. Configuration and
environment come from the caller. **Source:** git-config(1) user.signingKey; design 30-evidence §4.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

from git_assay.errors import AssayError
from git_assay.signing.public_key import PublicKey, parse_public_key
from git_assay.signing.signer import FileSigner, Signer, SshKeygenSigner, run_ssh_keygen
from git_assay.signing.wire import MalformedBlobError

NEW_KEY_HINT = "git assay key new"
_LITERAL = "key::"


@dataclass(frozen=True, slots=True)
class KeyConfig:
    """What configuration says. assay_key: assay.signingKey.  user_key: user.signingKey.  home: for a leading `~/`."""

    assay_key: str | None
    user_key: str | None
    gpg_format: str | None
    home: Path

    @property
    def chosen(self) -> str | None:
        """The value that counts, or None."""
        if self.assay_key:
            return self.assay_key
        return self.user_key if self.user_key and self.gpg_format == "ssh" else None


class NoKey(AssayError):
    """Nothing names a key, or what is named is not there."""

    def __init__(self, message: str, *, hint: str = NEW_KEY_HINT) -> None:
        super().__init__(message, hint=hint)


def find_key(config: KeyConfig, env: Mapping[str, str]) -> Signer:
    """Returns the signer that configuration names. Raises AssayError when there is none or it cannot be read."""
    value = config.chosen
    if value is None:
        raise NoKey("no signing key: neither assay.signingKey nor user.signingKey with gpg.format ssh")
    if value.startswith((_LITERAL, "ssh-", "ecdsa-", "sk-")):
        return SshKeygenSigner(_parse(value.removeprefix(_LITERAL), "the configured key"), None, env)
    path = config.home / value[2:] if value.startswith("~/") else Path(value)
    if path.suffix == ".pub":
        return SshKeygenSigner(_parse(_read(path).decode("utf-8", "replace"), str(path)), _private_beside(path), env)
    return load_key(path, env)


def load_key(path: Path, env: Mapping[str, str]) -> Signer:
    """Returns a signer for a private key file: in process when it is unencrypted ed25519, else through ssh-keygen."""
    data = _read(path)
    signer = _unencrypted_ed25519(data)
    if signer is not None:
        return signer
    beside = path.with_name(path.name + ".pub")
    if beside.exists():
        return SshKeygenSigner(_parse(_read(beside).decode("utf-8", "replace"), str(beside)), path, env)
    text = run_ssh_keygen(("-y", "-P", "", "-f", str(path)), env=env).decode("utf-8", "replace")
    return SshKeygenSigner(_parse(text, str(path)), path, env)


def new_key(path: Path, *, comment: str) -> FileSigner:
    """Makes an unencrypted ed25519 key at `path` (mode 0600) and `path`.pub. Raises AssayError when it exists.

    The caller sees to it that `path` is not inside a repository.
    """
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    private = Ed25519PrivateKey.generate()
    data = private.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption())
    signer = _signer_of(private)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(data)
        path.with_name(path.name + ".pub").write_text(f"{signer.public_key.text} {' '.join(comment.split())}\n")
    except FileExistsError as error:
        raise AssayError(f"{path} exists already", hint=f"git config assay.signingKey {quote(str(path))}") from error
    except OSError as error:
        raise AssayError(f"cannot write {path}: {error.strerror}") from error
    return signer


def new_key_with_passphrase(path: Path, *, comment: str, env: Mapping[str, str]) -> Signer:
    """Lets ssh-keygen make an ed25519 key; it asks for the passphrase on the terminal itself."""
    if path.exists():
        raise AssayError(f"{path} exists already", hint=f"git config assay.signingKey {quote(str(path))}")
    run_ssh_keygen(("-q", "-t", "ed25519", "-C", comment, "-f", str(path)), env=env)
    return load_key(path, env)


def _unencrypted_ed25519(data: bytes) -> FileSigner | None:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_ssh_private_key

    try:
        private = load_ssh_private_key(data, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):  # encrypted, on hardware, or a PEM form: ssh-keygen knows
        return None
    return _signer_of(private) if isinstance(private, Ed25519PrivateKey) else None


def _signer_of(private: object) -> FileSigner:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    if not isinstance(private, Ed25519PrivateKey):
        raise TypeError("only ed25519 keys sign in this process")
    text = private.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode()
    return FileSigner(parse_public_key(text), private)


def _private_beside(path: Path) -> Path | None:
    private = path.with_suffix("")
    return private if private.exists() else None


def _parse(text: str, where: str) -> PublicKey:
    try:
        return parse_public_key(text.strip())
    except MalformedBlobError as error:
        raise AssayError(f"{where}: {error.message}", hint=NEW_KEY_HINT) from error


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise NoKey(f"cannot read the signing key {path}: {error.strerror}") from error
