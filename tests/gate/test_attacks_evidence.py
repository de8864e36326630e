"""Attacks by way of evidence: junk in logs, records taken back, keys out of time; and what holds for any evidence."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_assay.evidence.envelope import MalformedEnvelopeError, parse_envelope, sign_payload
from git_assay.evidence.keyring import make_keyring
from git_assay.evidence.model import Record
from git_assay.evidence.records import PredicateType, Subject, Withdrawal
from git_assay.evidence.settle import Judged, settle
from git_assay.evidence.statement import Unsigned, build_payloads
from git_assay.evidence.verify import judge_line
from git_assay.gate.ask import read_proposal, read_rulebook
from git_assay.gate.decide import Question, decide
from git_assay.gate.decision import Decision, Verdict
from git_assay.gate.facts import RangeCommit, RangeFacts
from git_assay.signing.allowed_signers import Signers
from git_assay.signing.sshsig import Sshsig
from git_assay.signing.verification import verify_sshsig
from git_assay.values.digests import Mode, own_name
from git_assay.values.ids import LogId, ModuleId, RecordId
from git_assay.values.moments import format_moment
from tests.evidence import workshop
from tests.evidences import AGENT, ALICE, BOB, CAROL, CI, NOW, Who, evidence, review, run, waiver
from tests.gate.test_signed_evidence import PEOPLE, REPOSITORY, Signed
from tests.gate.worlds import FILES, POLICY, World, lacks, subject_digests

INVOICE = "src/billing/invoice.py"
LACKS_TESTS = {("critical", "billing", "tests:unit")}


@pytest.fixture
def signed(tmp_path: Path) -> Signed:
    world = Signed(tmp_path / "repo")
    world.approve()
    return world


def _common(world: Signed, **changes: object) -> Unsigned:
    return Unsigned(
        type=PredicateType.TESTS,
        place=world.change,
        common=workshop.common(PEOPLE[2], **{"repository": REPOSITORY, **changes}),
        body=workshop.run(),
        subjects=(Subject("billing", subject_digests(world.at("change"), "billing")),),
    )


def _line(statement: Unsigned, key: str = PEOPLE[2], prev: tuple[RecordId, ...] = ()) -> bytes:
    return sign_payload(build_payloads(statement, prev)[0], workshop.signer(key))


def _id(line: bytes) -> RecordId:
    verdict = judge_line(line, log=workshop.signer(PEOPLE[2]).public_key.log, keyring=workshop.keyring())
    assert verdict.id is not None
    return verdict.id


def _take_back(world: Signed, taken: RecordId, *, who: str = PEOPLE[2], key: str | None = None) -> bytes:
    body = Withdrawal(records=(taken,), reason="wrong")
    common = workshop.common(who, repository=REPOSITORY)
    statement = Unsigned(type=PredicateType.WITHDRAWAL, place=world.change, common=common, body=body, subjects=())
    return _line(statement, key or who)


JUNK: dict[str, bytes] = {
    "ten thousand lines": b"\n".join(b'{"payload":"%d"}' % number for number in range(10_000)),
    "bytes that are no text": b"\n".join((b"\0" * 100, b"\xff\xfe\xfa", b"\xed\xa0\x80", b"\r", b"{" * 100_000)),
    "deep and wide JSON": b'{"payload":' + b"[" * 5_000 + b"]" * 5_000 + b"}\n" + b'{"a":1,' * 2_000,
}


@pytest.mark.parametrize("name", JUNK)
def test_junk_in_a_log_changes_nothing(signed: Signed, name: str) -> None:
    before = signed.judge_signed()
    signed.store(PEOPLE[2], JUNK[name])
    assert lacks(signed.judge_signed()) == lacks(before) == LACKS_TESTS
    signed.store(PEOPLE[2], signed.passing())
    assert signed.judge_signed().verdict is Verdict.OPEN


def test_a_record_that_stands_many_times_and_on_other_commits_is_one_record(signed: Signed) -> None:
    line = signed.passing()
    signed.change = signed.base
    for _ in range(3):
        signed.store(PEOPLE[2], line)
    decision = signed.judge_signed()
    assert decision.verdict is Verdict.OPEN
    words = [getattr(item.outcome, "words", "") for item in decision.items if item.need == "tests:unit"]
    assert words == ["passed"]


def test_what_was_taken_back_lacks_until_it_is_attested_again(signed: Signed) -> None:
    line = signed.passing()
    signed.store(PEOPLE[2], line)
    signed.store(PEOPLE[2], _take_back(signed, _id(line)))
    assert lacks(signed.judge_signed()) == LACKS_TESTS
    signed.store(PEOPLE[2], _line(_common(signed, time="2026-11-30T11:30:00Z")))
    assert signed.judge_signed().verdict is Verdict.OPEN


def test_taking_back_what_takes_back_brings_nothing_back(signed: Signed) -> None:
    line = signed.passing()
    taken = _take_back(signed, _id(line))
    for each in (line, taken, _take_back(signed, _id(taken))):
        signed.store(PEOPLE[2], each)
    assert lacks(signed.judge_signed()) == LACKS_TESTS


def test_nobody_takes_back_what_another_said(signed: Signed) -> None:
    line = signed.passing()
    signed.store(PEOPLE[2], line)
    signed.store(PEOPLE[0], _take_back(signed, _id(line), who=PEOPLE[0]))
    signed.store(PEOPLE[0], _take_back(signed, _id(line), who=PEOPLE[2], key=PEOPLE[0]))
    assert signed.judge_signed().verdict is Verdict.OPEN


def test_a_log_that_forks_and_joins_is_whole_and_one_with_a_hole_decides_nothing(signed: Signed) -> None:
    left, right = (_line(_common(signed, time=f"2026-11-30T10:0{minute}:00Z")) for minute in (1, 2))
    joined = _line(_common(signed, time="2026-11-30T10:03:00Z"), prev=(_id(left), _id(right)))
    signed.store(PEOPLE[2], left)
    signed.store(PEOPLE[2], joined)
    decision = signed.judge_signed()
    assert decision.verdict is not Verdict.OPEN
    assert any("lacks records that it names itself" in reason for reason in decision.reasons)
    signed.store(PEOPLE[2], right)
    assert signed.judge_signed().verdict is Verdict.OPEN


@pytest.mark.parametrize(
    ("before", "options"),
    [
        ("", 'namespaces="file"'),
        ("", 'valid-before="20261101Z"'),
        ("", 'valid-after="20261201Z"'),
        ("", "cert-authority"),
        ("!ci@acme.example,*@acme.example", ""),
        ("someone@acme.example", ""),
    ],
    ids=["another namespace", "expired", "not yet valid", "an authority", "negated", "another name"],
)
def test_a_line_of_the_keyring_that_does_not_fit_lists_nobody(signed: Signed, before: str, options: str) -> None:
    signed.store(PEOPLE[2], signed.passing())
    assert signed.judge_signed().verdict is Verdict.OPEN
    text = (signed.repo.path / ".assay/allowed_signers").read_text()
    key = workshop.signer(PEOPLE[2]).public_key.text
    kept = "".join(line for line in text.splitlines(keepends=True) if PEOPLE[2] not in line)
    signed.repo.git("checkout", "-q", "main")
    signed.repo.write(".assay/allowed_signers", f"{kept}{before or PEOPLE[2]} {options} {key}\n")
    signed.repo.commit("keyring")
    assert lacks(signed.judge_signed()) == LACKS_TESTS


def test_a_record_from_the_future_does_not_count_yet(signed: Signed) -> None:
    time = format_moment(NOW + timedelta(minutes=6))
    signed.store(PEOPLE[2], _line(_common(signed, time=time)))
    assert lacks(signed.judge_signed()) == LACKS_TESTS


def test_a_log_of_a_listed_key_that_cannot_be_read_decides_nothing(signed: Signed) -> None:
    line = signed.passing()
    log = workshop.signer(PEOPLE[2]).public_key.log
    runner = f"refs/notes/assay-evidence/{log}-runner"
    signed.repo.git_bytes(("notes", "--ref", runner, "append", "-F", "-", signed.change), stdin=line + b"\n")
    assert signed.judge_signed().verdict is Verdict.OPEN
    blob = signed.repo.git_bytes(("hash-object", "-w", "--stdin"), stdin=b"junk").decode().strip()
    signed.repo.git("update-ref", "refs/notes/assay-evidence/0123456789abcdef", blob)
    assert signed.judge_signed().verdict is Verdict.OPEN
    signed.repo.git("update-ref", f"refs/notes/assay-evidence/{log}", blob)
    decision = signed.judge_signed()
    assert decision.verdict is Verdict.CANNOT_DECIDE
    assert any("could not be judged" in reason for reason in decision.reasons)


@pytest.mark.parametrize("error", [RuntimeError("broken"), RecursionError("deep"), MemoryError(), OSError(5, "io")])
def test_a_withdrawal_that_a_defect_keeps_from_being_read_does_not_bring_back_what_it_takes(
    signed: Signed, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = signed.passing()
    taken = _take_back(signed, _id(line))
    signed.store(PEOPLE[2], line)
    signed.store(PEOPLE[2], taken)
    assert lacks(signed.judge_signed()) == LACKS_TESTS

    def verify(signature: Sshsig, message: bytes) -> None:
        if b"withdrawal" in message:
            raise error
        verify_sshsig(signature, message)

    monkeypatch.setattr("git_assay.evidence.verify.verify_sshsig", verify)
    if isinstance(error, MemoryError | OSError):
        with pytest.raises(type(error)):
            signed.judge_signed()
    else:
        assert signed.judge_signed().verdict is Verdict.CANNOT_DECIDE


# What holds for any evidence: one question, asked again and again with other records.


@cache
def _question() -> Question:
    """One honest change of the critical module, whose tests may be waived."""
    waivable = "{kind: tests, by: ci, waivable: {by: maintainers, max_days: 3}}"
    with TemporaryDirectory() as folder:
        policy = POLICY.replace("{kind: tests, by: ci}", waivable)
        world = World(Path(folder) / "repo", {**FILES, ".assay/policy.yml": policy})
        world.edit(INVOICE, "return total()", "return total() + 1")
        world.repo.write("src/billing/refund.py", "REFUND = 1\n")
        world.repo.commit()
        base, result = world.at("main"), world.at("change")
        rules, proposal = read_rulebook(base, Signers((), ())), read_proposal(result)
        target, head = world.repo.head("main"), world.repo.head("change")
        facts = RangeFacts(target, head, (RangeCommit(head, "dev@example.com", "test@example.com"),))
        question = Question(base, result, rules, proposal, evidence(), facts, NOW)
        _POOL.extend(_records(world))
        decide(question)  # everything that needs the repository is read now
        for mode in Mode:
            for side in (base, result):
                side.digests(ModuleId("billing"), mode)
        return question


_POOL: list[Record] = []


def _records(world: World) -> list[Record]:
    digests, old = (subject_digests(world.at(rev), "billing") for rev in ("change", "main"))
    own = {own_name(Mode.EXACT): digests[own_name(Mode.EXACT)]}
    twin = Who("bob@example.com", key=ALICE.principal)
    approvals = [*world.reviews(ALICE, BOB, CAROL, AGENT, twin), *world.reviews(ALICE, BOB, hours=3000)]
    seen = approvals[0].statement.predicate.review
    assert seen is not None
    pairs = [(pair.piece, pair.old, pair.new) for pair in seen.seen]
    halves = [review(who, pair, module="billing") for who in (ALICE, BOB, CAROL) for pair in pairs]
    steps = [
        review(who, (piece, start, end), module="billing")
        for who in (ALICE, CAROL)
        for piece, first, last in pairs
        for start, end in ((first, "a" * 64), ("a" * 64, last))
    ]
    reject = review(CAROL, *pairs, verdict="reject", module="billing")
    failed = run(CI, "billing", digests, verdict="fatal")
    passes = [run(who, "billing", found) for who in (CI, ALICE, AGENT) for found in (digests, old)]
    day = (NOW + timedelta(days=1)).date().isoformat()
    return [
        *(*approvals, *halves, *steps, *passes, reject, failed),
        review(CAROL, *pairs, module="billing", supersedes=(reject,)),
        run(CI, "billing", digests, supersedes=(failed,), age=timedelta(minutes=5)),
        *(waiver(who, "billing", own, "tests", day) for who in (ALICE, AGENT)),
        *(waiver(ALICE, "billing", own, kind, until) for kind, until in (("tests", "2026-11-01"), ("review", day))),
    ]


def _is_negative(record: Record) -> bool:
    predicate = record.statement.predicate
    bad_run = predicate.run is not None and predicate.run.verdict != "pass"
    return bad_run or (predicate.review is not None and predicate.review.verdict == "reject")


def _asked(records: list[Record]) -> Decision:
    return decide(replace(_question(), evidence=evidence(*records)))


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_hiding_what_speaks_for_a_change_never_opens_the_gate(data: st.DataObject) -> None:
    _question()
    shown = data.draw(st.lists(st.sampled_from(_POOL), unique_by=lambda record: record.id))
    hidden = data.draw(st.sets(st.sampled_from([record.id for record in shown]))) if shown else set()
    kept = [record for record in shown if record.id not in hidden or _is_negative(record)]
    if _asked(shown).verdict is not Verdict.OPEN:
        assert _asked(kept).verdict is not Verdict.OPEN
    assert lacks(_asked(shown)) <= lacks(_asked(kept))


def test_the_pool_can_open_the_gate() -> None:
    _question()
    assert _asked([record for record in _POOL if not _is_negative(record)]).verdict is Verdict.OPEN
    assert _asked(_POOL).verdict is Verdict.OPEN
    assert _asked([record for record in _POOL if _is_negative(record)]).verdict is Verdict.CLOSED


@settings(max_examples=100, deadline=None)
@given(
    good=st.booleans(),
    stranger=st.sampled_from(["eve@elsewhere.example", "dave@example.com"]),
    module=st.sampled_from(["order", "nothing", "billing"]),
    piece=st.sampled_from(["README.md", "src/order/cart.py", INVOICE]),
)
def test_what_strangers_say_changes_nothing(good: bool, stranger: str, module: str, piece: str) -> None:
    _question()
    shown = [record for record in _POOL if not _is_negative(record)] if good else []
    eve = Who(stranger)
    junk = [
        review(eve, (piece, "1" * 64, "2" * 64), module=module),
        run(eve, module, {"assayCheckExact": "3" * 64}),
        waiver(eve, module, {"assayOwnExact": "4" * 64}, "tests", "2026-12-01"),
    ]
    before, after = _asked(shown), _asked([*shown, *junk])
    assert (before.verdict, lacks(before)) == (after.verdict, lacks(after))


@cache
def _lines() -> tuple[bytes, ...]:
    subject = (Subject("billing", subject_digests(_question().result, "billing")),)
    common = workshop.common(PEOPLE[2], repository=REPOSITORY)
    statement = Unsigned(
        type=PredicateType.TESTS, place=workshop.PLACE, common=common, body=workshop.run(), subjects=subject
    )
    return (_line(statement), _line(replace(statement, common=workshop.common(PEOPLE[2], repository="f" * 32))))


def _settled(lines: list[bytes]) -> Decision:
    listed = "".join(f"{name} {workshop.signer(name).public_key.text}\n" for name in PEOPLE)
    ring = make_keyring(allowed_signers=listed.encode(), revoked_keys=b"", repository=REPOSITORY)
    log = LogId(workshop.signer(PEOPLE[2]).public_key.log)
    found = settle([Judged(judge_line(line, log=log, keyring=ring), log, None) for line in lines], now=NOW, tips={})
    return decide(replace(_question(), evidence=found))


def _cut(line: bytes, at: int) -> bytes:
    return line[: at % len(line)]


def _flip(line: bytes, at: int) -> bytes:
    place = at % len(line)
    return line[:place] + bytes([line[place] ^ 1]) + line[place + 1 :]


def _reseal(line: bytes, at: int) -> bytes:
    begin = line.index(b'"sig":"') + 7
    raw = bytearray(base64.b64decode(line[begin : line.index(b'"', begin)]))
    raw[at % len(raw)] ^= 0x80
    return line[:begin] + base64.b64encode(bytes(raw)) + b'"}]}'


_HURT: tuple[Callable[[bytes, int], bytes], ...] = (_cut, _flip, _reseal)


def _is_still_the_record(line: bytes) -> bool:
    """Returns whether only the envelope's `keyid` was hurt: nobody signed it, and it is not looked at."""
    try:
        return parse_envelope(line) == parse_envelope(_lines()[0])
    except MalformedEnvelopeError:
        return False


_HURT_LINES = (
    st.tuples(st.sampled_from(_HURT), st.integers(0, 5_000))
    .map(lambda how: how[0](_lines()[0], how[1]))
    .filter(lambda line: not _is_still_the_record(line))
)


@settings(max_examples=150, deadline=None)
@given(st.booleans(), st.lists(st.binary(max_size=200) | _HURT_LINES, max_size=8))
def test_no_line_that_was_hurt_and_no_junk_changes_the_answer(good: bool, junk: list[bytes]) -> None:
    shown = [_lines()[0]] if good else [_lines()[1]]
    before, after = _settled(shown), _settled([*junk, *shown, *junk])
    assert (("critical", "billing", "tests:unit") in lacks(before)) is not good
    assert (before.verdict, lacks(before)) == (after.verdict, lacks(after))


def test_a_principal_is_who_the_keyring_says_and_not_who_the_record_says(signed: Signed) -> None:
    signed.store(PEOPLE[0], _line(_common(signed), key=PEOPLE[0]))
    assert lacks(signed.judge_signed()) == LACKS_TESTS
