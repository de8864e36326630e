"""What stands once all records are seen together: batches, gaps, withdrawals, time?"""

from __future__ import annotations

from datetime import timedelta

import msgspec
import pytest

from git_assay.errors import AssayError
from git_assay.evidence.envelope import parse_envelope
from git_assay.evidence.heads import heads
from git_assay.evidence.model import Evidence, Refusal
from git_assay.evidence.records import RECORD_LIMIT, PredicateType, Review, Seen, Withdrawal
from git_assay.evidence.settle import Judged, settle
from git_assay.evidence.statement import Unsigned, build_payloads
from git_assay.evidence.verify import judge_line
from git_assay.values.ids import RecordId
from tests.evidence import workshop
from tests.evidence.workshop import ALICE, BOB, NOW


def settled(*lines: tuple[str, bytes]) -> Evidence:
    """Settles (key name, line) pairs, each in the log of its key."""
    ring = workshop.keyring()
    judged = []
    for key, line in lines:
        log = workshop.signer(key).public_key.log
        judged.append(Judged(judge_line(line, log=log, keyring=ring), log, None))
    return settle(judged, now=NOW, tips={})


def line(statement: Unsigned, prev: tuple[RecordId, ...] = (), *, key: str = ALICE) -> bytes:
    (payload,) = build_payloads(statement, prev)
    return workshop.line(payload, key=key)


def name(record: bytes) -> RecordId:
    return parse_envelope(record).id


def reasons(evidence: Evidence) -> set[Refusal]:
    return {one.reason for one in evidence.refused}


def test_missing_predecessor_refuses_the_whole_log_and_no_other() -> None:
    first = line(workshop.unsigned())
    second = line(workshop.unsigned(workshop.run("b")), (name(first),))
    third = line(workshop.unsigned(workshop.run("c")), (name(second),))
    bobs = line(workshop.unsigned(by=BOB), key=BOB)
    whole = settled((ALICE, first), (ALICE, second), (ALICE, third), (BOB, bobs))
    assert len(whole.records) == 4
    holed = settled((ALICE, first), (ALICE, third), (BOB, bobs))
    assert set(holed.records) == {name(bobs)}
    assert reasons(holed) == {Refusal.GAP}
    assert dict(holed.gaps) == {workshop.signer(ALICE).public_key.log: (name(second),)}


def test_predecessor_that_is_refused_itself_is_not_missing() -> None:
    first = line(workshop.unsigned(time="2026-12-30T00:00:00Z"))
    second = line(workshop.unsigned(), (name(first),))
    evidence = settled((ALICE, first), (ALICE, second))
    assert set(evidence.records) == {name(second)}
    assert reasons(evidence) == {Refusal.FUTURE}


def test_forged_predecessor_does_not_fill_a_gap() -> None:
    first = line(workshop.unsigned())
    second = line(workshop.unsigned(workshop.run("b")), (name(first),))
    forged = workshop.compact(workshop.envelope(parse_envelope(first).payload, b"SSHSIG"))
    assert reasons(settled((ALICE, forged), (ALICE, second))) == {Refusal.SSHSIG, Refusal.GAP}


def test_batch_counts_only_when_it_is_complete() -> None:
    payloads = build_payloads(workshop.unsigned(subjects=300), ())
    lines = [(ALICE, workshop.line(payload)) for payload in payloads]
    assert len(lines) > 2
    assert all(len(one) <= RECORD_LIMIT for _, one in lines)
    whole = settled(*lines)
    names = [subject.name for record in whole.records.values() for subject in record.statement.subject]
    assert sorted(names) == sorted(f"module-{n}" for n in range(300))
    holed = settled(*lines[:-1])
    assert not holed.records
    assert reasons(holed) == {Refusal.BATCH}


def test_batch_with_a_false_size_is_incomplete() -> None:
    data = workshop.edited(
        lambda value: value["predicate"]["assay"].update(batch={"id": "x", "i": 0, "n": 9007199254740992})
    )
    assert reasons(settled((ALICE, data))) == {Refusal.BATCH}


def test_seen_pairs_are_split_with_their_module() -> None:
    seen = tuple(Seen(f"module-{n % 2}", f"a/path/of/file_{n}.py", None, f"{n:064x}") for n in range(300))
    statement = workshop.unsigned(Review(verdict="approve", words="fine", seen=seen), subjects=2)
    statement = Unsigned(
        type=PredicateType.REVIEW,
        place=statement.place,
        common=statement.common,
        body=statement.body,
        subjects=statement.subjects,
    )
    evidence = settled(*((ALICE, workshop.line(payload)) for payload in build_payloads(statement, ())))
    found: list[Seen] = []
    for record in evidence.records.values():
        review = record.statement.predicate.review
        assert review is not None
        assert {pair.module for pair in review.seen} <= {subject.name for subject in record.statement.subject}
        found += review.seen
    assert sorted(found, key=lambda pair: pair.new or "") == list(seen)


def test_words_that_fit_no_record_are_refused_when_written() -> None:
    statement = workshop.unsigned(Withdrawal(records=(), reason="x" * 20000))
    with pytest.raises(AssayError, match="too long"):
        build_payloads(statement, ())


@pytest.mark.parametrize("hidden", ["gap", "future", "batch"])
def test_withdrawal_counts_although_something_is_missing_around_it(hidden: str) -> None:
    target = line(workshop.unsigned())
    time = "2026-12-30T00:00:00Z" if hidden == "future" else workshop.EARLIER
    taking = workshop.unsigned(Withdrawal(records=(name(target),), reason="wrong"), time=time)
    prev = (RecordId("0" * 64),) if hidden == "gap" else ()
    (payload,) = build_payloads(taking, prev)
    if hidden == "batch":
        value = msgspec.json.decode(payload)
        value["predicate"]["assay"]["batch"] = {"id": "x", "i": 0, "n": 2}
        payload = msgspec.json.encode(value)
    evidence = settled((ALICE, target), ("alice-second", workshop.line(payload, key="alice-second")))
    assert name(target) not in evidence.records
    assert name(target) in evidence.withdrawn


def test_withdrawal_is_not_withdrawn() -> None:
    target = line(workshop.unsigned())
    first = line(workshop.unsigned(Withdrawal(records=(name(target),), reason="wrong")))
    second = line(workshop.unsigned(Withdrawal(records=(name(first),), reason="sorry")))
    evidence = settled((ALICE, target), (ALICE, first), (ALICE, second))
    assert name(target) not in evidence.records
    assert name(first) in evidence.records


def test_future_record_counts_once_its_time_has_come() -> None:
    later = line(workshop.unsigned(time="2026-11-30T13:00:00Z"))
    log = workshop.signer(ALICE).public_key.log
    judged = [Judged(judge_line(later, log=log, keyring=workshop.keyring()), log, None)]
    assert not settle(judged, now=NOW, tips={}).records
    assert settle(judged, now=NOW + timedelta(hours=1), tips={}).records


def test_order_and_repetition_of_lines_do_not_matter() -> None:
    first = line(workshop.unsigned())
    second = line(workshop.unsigned(workshop.run("b")), (name(first),))
    once = settled((ALICE, first), (ALICE, second))
    twice = settled((ALICE, second), (ALICE, first), (ALICE, second))
    assert list(once.records) == list(twice.records)


def test_heads_of_a_fork_are_both_named() -> None:
    first = line(workshop.unsigned())
    left = line(workshop.unsigned(workshop.run("l")), (name(first),))
    right = line(workshop.unsigned(workshop.run("r")), (name(first),))
    log = workshop.signer(ALICE).public_key.log
    assert heads([first, left, right, b"no record"], log=log) == tuple(sorted((name(left), name(right))))


def test_forged_line_is_never_named_as_predecessor_and_hides_no_head() -> None:
    log = workshop.signer(ALICE).public_key.log
    first = line(workshop.unsigned())
    forged = line(workshop.unsigned(workshop.run("f")), (name(first),), key="mallory")
    again = line(workshop.unsigned(workshop.run("g")), (name(forged),), key="mallory")
    assert heads([again, forged, first], log=log) == (name(first),)
    copied = workshop.compact(workshop.envelope(parse_envelope(first).payload, b"SSHSIG"))
    assert heads([copied, first], log=log) == heads([first, copied], log=log) == (name(first),)
    assert heads([copied], log=log) == ()


def test_secrets_are_masked_before_signing_and_counted() -> None:
    secret = "ghp_" + "a1B2" * 9
    run = msgspec.structs.replace(
        workshop.run(), command=f"curl -H 'Authorization: Bearer {secret}' https://u:pw@host/"
    )
    evidence = settled((ALICE, line(workshop.unsigned(run))))
    (record,) = evidence.records.values()
    signed = record.statement.predicate.run
    assert signed is not None
    assert secret not in signed.command
    assert "pw@" not in signed.command
    assert signed.masked == 2
