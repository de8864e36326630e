"""Is the signers file read as ssh-keygen reads it, and which lines are skipped?"""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_assay.signing.allowed_signers import Signers, matches, parse_allowed_signers
from git_assay.signing.revoked import Revocation, parse_revoked_keys
from git_assay.values.ids import Principal
from tests.evidence.workshop import signer

KEY = signer("alice").public_key
OTHER = signer("other").public_key
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def allows(signers: Signers, who: str = "a@x.example", *, time: datetime = NOON, namespace: str = "git-assay") -> bool:
    return signers.why_not(Principal(who), KEY, namespace=namespace, time=time) is None


@pytest.mark.parametrize(
    "text",
    [
        f"a@x.example {KEY.text}",
        f"  a@x.example\t{KEY.text}   a comment with words",
        f"b@x.example,a@x.example {KEY.text}\r",
        f'"a@x.example" {KEY.text}',
        f"*@x.example {KEY.text}",
        f'a@x.example NameSpaces="file,git-*" {KEY.text}',
        f'a@x.example valid-after="20261130Z",valid-before="20261130120000Z" {KEY.text}',
        f'a@x.example namespaces="git-assay",valid-before="202611301200Z" {KEY.text} # c',
        f"garbage\na@x.example {OTHER.text}\nb@x.example {KEY.text}\na@x.example {KEY.text}",
    ],
)
def test_line_lists_the_key(text: str) -> None:
    assert allows(parse_allowed_signers(text.encode()))


@pytest.mark.parametrize(
    "text",
    [
        f"A@x.example {KEY.text}",
        f"*,!a@x.example {KEY.text}",
        f"!a@x.example,* {KEY.text}",
        f"a@x.[e]xample {KEY.text}",
        f"a@x.example {OTHER.text}",
        f'a@x.example namespaces="git" {KEY.text}',
        f'a@x.example namespaces="!git-assay,*" {KEY.text}',
        f'a@x.example valid-after="20261130120001Z" {KEY.text}',
        f'a@x.example valid-before="20261130115959Z" {KEY.text}',
        f"a@x.example cert-authority {KEY.text}",
        f"# a@x.example {KEY.text}",
    ],
)
def test_line_does_not_list_the_key(text: str) -> None:
    signers = parse_allowed_signers(text.encode())
    assert not allows(signers)
    assert signers.problems == ()


@pytest.mark.parametrize(
    "text",
    [
        "a@x.example",
        f"a@x.example {KEY.type}",
        f"a@x.example {KEY.type} AAAA",
        f"a@x.example ssh-rsa {KEY.text.split()[1]}",
        f"a@x.example namespaces=git-assay {KEY.text}",
        f'a@x.example namespaces="git-assay",namespaces="x" {KEY.text}',
        f'a@x.example unknown="x" {KEY.text}',
        f'a@x.example valid-after="20261130" {KEY.text}',
        f'a@x.example valid-after="20261131Z" {KEY.text}',
        f'a@x.example valid-after="20261130Z",valid-before="20261130Z" {KEY.text}',
        f'a@x.example cert-authority="yes" {KEY.text}',
        f'a@x.example namespaces="git-assay", {KEY.text}',
        f"a@x.example, {KEY.text}",
        f'namespaces="git-assay" {KEY.text}',
    ],
)
def test_bad_line_is_skipped_and_reported(text: str) -> None:
    signers = parse_allowed_signers(f"\n{text}\nb@x.example {KEY.text}\n".encode())
    assert [problem.line for problem in signers.problems] == [2]
    assert not allows(signers)
    assert allows(signers, "b@x.example")


def test_times_are_inclusive_at_both_ends() -> None:
    signers = parse_allowed_signers(
        f'a@x.example valid-after="20261130120000Z",valid-before="20261130120001Z" {KEY.text}'.encode()
    )
    assert allows(signers, time=NOON)
    assert allows(signers, time=NOON.replace(second=1))
    assert not allows(signers, time=NOON.replace(second=2))


@given(st.binary(max_size=200))
def test_random_bytes_are_problems_and_nothing_else(data: bytes) -> None:
    assert not allows(parse_allowed_signers(data))
    parse_revoked_keys(data)


@given(st.text(alphabet="ab*?[]!-", max_size=6), st.text(alphabet="ab[]!-", max_size=6))
def test_only_star_and_question_mark_are_special(pattern: str, text: str) -> None:
    if not set("*?!") & set(pattern):
        assert matches((pattern,), text) == (pattern == text)


def test_revoked_keys_are_read_with_kind_and_day() -> None:
    text = f"# keys\n{KEY.text} retired 20261101Z\n\n{OTHER.text} compromised-since 20261001Z\n"
    revoked = parse_revoked_keys(text.encode())
    assert revoked.problems == ()
    assert [one.kind for one in revoked.keys.values()] == [Revocation.RETIRED, Revocation.COMPROMISED]
    assert revoked.why_revoked(signer("third").public_key) is None
    assert "retired 20261101Z" in (revoked.why_revoked(KEY) or "")


@pytest.mark.parametrize("text", [None, "x", "ssh-ed25519 AAAA", f"{KEY.text} retired 20261101", f"{KEY.text} gone"])
def test_unreadable_revocations_revoke_every_key(text: str | None) -> None:
    revoked = parse_revoked_keys(None if text is None else text.encode())
    assert revoked.problems
    assert revoked.why_revoked(OTHER) is not None
