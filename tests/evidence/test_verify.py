"""Is each refused record refused, and for its reason?"""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_assay.evidence.model import Record, Refusal, Refused
from git_assay.evidence.verify import judge_line, verify_line
from git_assay.values.ids import LogId
from tests.evidence import workshop
from tests.evidence.workshop import ALICE, BOB, NOW, REPOSITORY, Defect

LOG = workshop.signer(ALICE).public_key.log
DEFECTS = workshop.defects()


def verify(line: bytes, *, log: LogId = LOG) -> Record | Refused:
    return verify_line(line, log=log, keyring=workshop.keyring(), now=NOW)


def reason(found: Record | Refused) -> Refusal:
    assert isinstance(found, Refused)
    return found.reason


def test_good_record_is_verified() -> None:
    found = verify(workshop.line())
    assert isinstance(found, Record)
    assert (found.principal, found.log, found.key) == (ALICE, LOG, workshop.signer(ALICE).public_key.fingerprint)
    assert found.statement.subject[0].name == "module-0"
    assert found.statement.predicate.result == "PASSED"


@pytest.mark.parametrize("defect", DEFECTS.values(), ids=DEFECTS.keys())
def test_defect_is_refused_with_its_reason(defect: Defect) -> None:
    assert reason(verify(defect.line)) is defect.reason


def test_every_single_record_refusal_has_a_fixture() -> None:
    of_the_set = {Refusal.BATCH, Refusal.GAP, Refusal.WITHDRAWN, Refusal.REVOKED, Refusal.DEFECT}
    assert {defect.reason for defect in DEFECTS.values()} == set(Refusal) - of_the_set


def test_log_with_a_runner_suffix_is_still_of_its_key() -> None:
    assert isinstance(verify(workshop.line(), log=LogId(f"{LOG}-runner1")), Record)


def test_url_safe_base64_is_read() -> None:
    plain = workshop.line()
    assert isinstance(verify(plain.replace(b"+", b"-").replace(b"/", b"_")), Refused)  # also the payload type changed
    text = plain.decode().replace("application/vnd", "\0").replace("+", "-").replace("/", "_")
    text = text.replace("\0", "application/vnd").replace("in-toto-json", "in-toto+json")
    assert isinstance(verify(text.encode()), Record)


def test_fields_that_nobody_called_critical_are_ignored() -> None:
    line = workshop.edited(lambda value: value["predicate"].update(later={"x": 1}))
    assert isinstance(verify(line), Record)


def test_record_of_an_unlisted_key_is_refused() -> None:
    log = workshop.signer("mallory").public_key.log
    assert reason(verify(workshop.line(key="mallory"), log=log)) is Refusal.SIGNER


def test_key_that_is_listed_for_another_namespace_is_refused() -> None:
    ring = workshop.keyring(options='namespaces="git"')
    assert reason(verify_line(workshop.line(), log=LOG, keyring=ring, now=NOW)) is Refusal.SIGNER


@pytest.mark.parametrize("options", ['valid-before="20261130105959Z"', 'valid-after="20261130110001Z"'])
def test_key_that_is_not_valid_at_the_time_is_refused(options: str) -> None:
    ring = workshop.keyring(options=options)
    assert reason(verify_line(workshop.line(), log=LOG, keyring=ring, now=NOW)) is Refusal.SIGNER


@pytest.mark.parametrize("comment", ["", " retired 20270101Z", " compromised-since 20270101Z", " typo"])
def test_revoked_key_is_refused(comment: str) -> None:
    ring = workshop.keyring(revoked=f"{workshop.signer(ALICE).public_key.text}{comment}\n".encode())
    assert reason(verify_line(workshop.line(), log=LOG, keyring=ring, now=NOW)) is Refusal.REVOKED


def test_missing_or_unreadable_revocations_refuse_everybody() -> None:
    for revoked in (None, b"garbage\n", f"{workshop.signer(BOB).public_key.text} since always\n".encode()):
        ring = workshop.keyring(revoked=revoked)
        assert reason(verify_line(workshop.line(), log=LOG, keyring=ring, now=NOW)) is Refusal.REVOKED


def test_five_minutes_ahead_is_not_yet_the_future() -> None:
    ring = workshop.keyring()
    found = verify_line(workshop.line(), log=LOG, keyring=ring, now=NOW - timedelta(hours=1, minutes=5))
    assert isinstance(found, Record)


def test_record_for_another_repository_names_it() -> None:
    found = verify(DEFECTS["other-repository"].line)
    assert isinstance(found, Refused)
    assert "elsewhere" in found.detail
    assert REPOSITORY not in found.detail


@given(st.binary(max_size=300))
def test_random_bytes_are_refused(data: bytes) -> None:
    assert judge_line(data, log=LOG, keyring=workshop.keyring()).reason is not None


@given(st.data())
def test_any_changed_byte_is_refused_or_changes_nothing(data: st.DataObject) -> None:
    good = workshop.line()
    at = data.draw(st.integers(0, len(good) - 1))
    changed = good[:at] + bytes([data.draw(st.integers(0, 255))]) + good[at + 1 :]
    before = judge_line(good, log=LOG, keyring=workshop.keyring())
    after = judge_line(changed, log=LOG, keyring=workshop.keyring())
    assert after.reason is not None or (after.payload, after.id) == (before.payload, before.id)
