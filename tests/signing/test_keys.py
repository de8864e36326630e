"""Is the key found where git would find it, and does a missing or locked one give one clear message?"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from git_assay.errors import AssayError
from git_assay.signing.keys import KeyConfig, find_key, load_key, new_key
from git_assay.signing.signer import FileSigner, SshKeygenSigner
from git_assay.signing.sshsig import parse_sshsig
from git_assay.signing.verification import verify_sshsig
from tests.signing.keypairs import make_key


def config(
    home: Path, *, assay: str | None = None, user: str | None = None, gpg_format: str | None = "ssh"
) -> KeyConfig:
    return KeyConfig(assay_key=assay, user_key=user, gpg_format=gpg_format, home=home)


@pytest.fixture
def agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A private agent that only this test knows."""
    socket = tmp_path / "agent"
    started = subprocess.Popen(["ssh-agent", "-D", "-a", str(socket)], stdout=subprocess.DEVNULL)
    monkeypatch.setenv("SSH_AUTH_SOCK", str(socket))
    while not socket.exists():
        assert started.poll() is None
    yield
    started.terminate()
    started.wait()


def test_assay_key_comes_before_the_user_key(tmp_path: Path) -> None:
    first, second = new_key(tmp_path / "a", comment="x"), new_key(tmp_path / "b", comment="x")
    both = config(tmp_path, assay="~/a", user=str(tmp_path / "b"))
    assert find_key(both, os.environ).public_key == first.public_key
    assert find_key(config(tmp_path, user="~/b"), os.environ).public_key == second.public_key


@pytest.mark.parametrize("gpg_format", [None, "openpgp", "x509"])
def test_user_key_of_another_format_is_not_taken(tmp_path: Path, gpg_format: str | None) -> None:
    new_key(tmp_path / "a", comment="x")
    with pytest.raises(AssayError) as caught:
        find_key(config(tmp_path, user="~/a", gpg_format=gpg_format), os.environ)
    assert caught.value.hint == "git assay key new"


def test_missing_key_file_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(AssayError, match="cannot read the signing key"):
        find_key(config(tmp_path, assay="~/none"), os.environ)


def test_new_key_is_private_and_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "key"
    made = new_key(path, comment="alice\n@example.com")
    assert path.stat().st_mode & 0o777 == 0o600
    assert isinstance(load_key(path, os.environ), FileSigner)
    assert path.with_name("key.pub").read_text() == f"{made.public_key.text} alice @example.com\n"
    with pytest.raises(AssayError, match="exists already"):
        new_key(path, comment="x")


def test_key_with_passphrase_is_never_used_in_this_process(tmp_path: Path) -> None:
    path = make_key(tmp_path, "ed25519", passphrase="secret words")
    signer = load_key(path, {**os.environ, "SSH_ASKPASS_REQUIRE": "never"})
    assert isinstance(signer, SshKeygenSigner)
    with pytest.raises(AssayError, match="passphrase"):
        SshKeygenSigner(signer.public_key, path, {"PATH": os.environ["PATH"], "SSH_ASKPASS_REQUIRE": "force"}).sign(
            b"x"
        )


@pytest.mark.usefixtures("agent")
@pytest.mark.parametrize("form", ["pub-file", "literal", "key-file"])
@pytest.mark.parametrize("kind", ["ed25519", "rsa-2048"])
def test_agent_signs_for_a_key_with_passphrase(tmp_path: Path, form: str, kind: str) -> None:
    path = make_key(tmp_path, kind)
    subprocess.run(["ssh-add", "-q", str(path)], check=True)
    subprocess.run(["ssh-keygen", "-q", "-p", "-N", "secret words", "-f", str(path)], check=True, capture_output=True)
    public = path.with_name(path.name + ".pub")
    value = {"pub-file": str(public), "literal": f"key::{public.read_text()}", "key-file": str(path)}[form]
    signer = find_key(config(tmp_path, assay=value), os.environ)
    blob = signer.sign(b"words")
    verify_sshsig(parse_sshsig(blob), b"words")
    assert parse_sshsig(blob).key == signer.public_key


def test_missing_ssh_keygen_is_one_clear_error(tmp_path: Path) -> None:
    signer = load_key(make_key(tmp_path, "ecdsa-256"), os.environ)
    assert isinstance(signer, SshKeygenSigner)
    with pytest.raises(AssayError, match="not installed"):
        SshKeygenSigner(signer.public_key, signer.path, {"PATH": str(tmp_path)}).sign(b"x")
