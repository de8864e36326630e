"""Does our verification agree with ssh-keygen, and is it stricter exactly where it says so?"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from git_assay.signing.keys import load_key
from git_assay.signing.public_key import SK_ECDSA, SK_ED25519, PublicKey, parse_public_key
from git_assay.signing.sshsig import NAMESPACE, armor, build_sshsig, dearmor, parse_sshsig
from git_assay.signing.verification import FalseSignatureError, verify_sshsig
from git_assay.signing.wire import MalformedBlobError, wire_mpint, wire_string
from tests.signing.keypairs import TYPES, SoftwareSecurityKey, make_key, openssh_accepts, ssh_keygen


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("keys")
    return {kind: make_key(folder, kind) for kind in TYPES}


def holds(blob: bytes, message: bytes) -> bool:
    try:
        verify_sshsig(parse_sshsig(blob), message)
    except (MalformedBlobError, FalseSignatureError):
        return False
    return True


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("hash_name", ["sha256", "sha512"])
def test_signature_of_ssh_keygen_holds_here(keys: dict[str, Path], kind: str, hash_name: str) -> None:
    options = ("-O", f"hashalg={hash_name}")
    done = ssh_keygen("-Y", "sign", *options, "-n", NAMESPACE, "-f", str(keys[kind]), data=b"words")
    blob = dearmor(done.stdout)
    assert holds(blob, b"words")
    assert not holds(blob, b"other words")
    assert armor(blob) == done.stdout


@pytest.mark.parametrize("kind", TYPES)
def test_signature_made_here_holds_for_ssh_keygen(keys: dict[str, Path], kind: str, tmp_path: Path) -> None:
    signer = load_key(keys[kind], os.environ)
    blob = signer.sign(b"words")
    assert openssh_accepts(tmp_path, signer.public_key, blob, b"words")
    assert not openssh_accepts(tmp_path, signer.public_key, blob, b"other words")
    assert parse_sshsig(blob).hash == "sha512"


@pytest.mark.parametrize("kind", TYPES)
def test_key_text_fingerprint_and_blob_agree_with_ssh_keygen(keys: dict[str, Path], kind: str) -> None:
    public = keys[kind].with_name(keys[kind].name + ".pub")
    key = parse_public_key(public.read_text())
    assert key.text in public.read_text()
    assert key.fingerprint in ssh_keygen("-l", "-f", str(public)).stdout.decode()


@pytest.mark.parametrize("kind", TYPES)
def test_changed_bytes_are_never_accepted_where_ssh_keygen_refuses(
    keys: dict[str, Path], kind: str, tmp_path: Path
) -> None:
    """Every byte is changed here; ssh-keygen is asked about a sample, since it takes 4 ms each."""
    signer = load_key(keys[kind], os.environ)
    blob = signer.sign(b"words")
    for at in range(len(blob)):
        changed = blob[:at] + bytes([blob[at] ^ (1 << at % 8)]) + blob[at + 1 :]
        ours = holds(changed, b"words")
        assert not ours, f"byte {at}"
        if at % 16 == 0 and openssh_accepts(tmp_path, signer.public_key, changed, b"words"):
            assert at < 10 or at < 90, "only the version and reserved fields are looser in OpenSSH"


@pytest.mark.parametrize("kind", [SK_ED25519, SK_ECDSA])
def test_security_key_signature_needs_a_touch(kind: str, tmp_path: Path) -> None:
    key = SoftwareSecurityKey(kind)
    touched, untouched = key.sign(b"words", flags=1), key.sign(b"words", flags=4)
    assert key.public_key.touched
    assert openssh_accepts(tmp_path, key.public_key, touched, b"words")
    assert holds(touched, b"words")
    assert not holds(touched, b"other words")
    assert not holds(untouched, b"words")


@pytest.mark.parametrize("kind", [SK_ED25519, SK_ECDSA])
def test_security_key_flags_and_counter_are_signed(kind: str) -> None:
    blob = SoftwareSecurityKey(kind).sign(b"words", flags=1)
    assert not holds(blob[:-5] + b"\5" + blob[-4:], b"words")
    assert not holds(blob[:-1] + b"\x08", b"words")


def test_small_rsa_keys_are_refused(tmp_path: Path) -> None:
    from cryptography.hazmat.primitives.asymmetric import rsa
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    public = rsa.generate_private_key(public_exponent=65537, key_size=1024).public_key()
    text = public.public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode()
    with pytest.raises(MalformedBlobError, match="2048"):
        parse_public_key(text)


def test_rsa_with_sha1_is_refused(keys: dict[str, Path]) -> None:
    blob = load_key(keys["rsa-2048"], os.environ).sign(b"words")
    key = parse_sshsig(blob).key
    inner = wire_string(b"ssh-rsa") + wire_string(b"\1" * 256)
    with pytest.raises(MalformedBlobError, match="does not fit"):
        parse_sshsig(build_sshsig(key, inner))


def test_certificates_are_refused_by_name() -> None:
    blob = wire_string(b"ssh-ed25519-cert-v01@openssh.com") + wire_string(b"n" * 32)
    with pytest.raises(MalformedBlobError, match="certificate"):
        PublicKey(blob)


def test_one_key_has_one_blob() -> None:
    modulus = 2**2047 + 1
    blob = wire_string(b"ssh-rsa") + wire_mpint(65537) + wire_string(b"\0" + wire_mpint(modulus)[4:])
    with pytest.raises(MalformedBlobError, match="leading zeros"):
        PublicKey(blob)
    compressed = wire_string(b"ecdsa-sha2-nistp256") + wire_string(b"nistp256") + wire_string(b"\2" + b"x" * 32)
    with pytest.raises(MalformedBlobError, match="point"):
        PublicKey(compressed)


def test_point_off_the_curve_is_refused() -> None:
    blob = wire_string(b"ecdsa-sha2-nistp256") + wire_string(b"nistp256") + wire_string(b"\4" + b"x" * 64)
    inner = wire_string(b"ecdsa-sha2-nistp256") + wire_string(wire_mpint(1) + wire_mpint(1))
    assert not holds(build_sshsig(PublicKey(blob), inner), b"words")


@given(st.binary(max_size=400))
def test_random_bytes_are_a_refusal_and_nothing_else(data: bytes) -> None:
    assert not holds(data, b"words")
    assert not holds(b"SSHSIG\0\0\0\1" + data, b"words")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.binary(max_size=80), min_size=5, max_size=5))
def test_random_fields_are_a_refusal_and_nothing_else(fields: list[bytes]) -> None:
    assert not holds(b"SSHSIG\0\0\0\1" + b"".join(wire_string(field) for field in fields), b"words")


@given(st.binary(max_size=200))
def test_armor_is_taken_off_again(blob: bytes) -> None:
    if blob:
        assert dearmor(armor(blob)) == blob


@given(st.integers(min_value=1, max_value=2**600))
def test_numbers_are_written_in_their_minimal_form(number: int) -> None:
    from git_assay.signing.wire import WireReader

    assert WireReader(wire_mpint(number)).positive("number") == number
