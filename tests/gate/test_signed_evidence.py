"""Forged, replayed, truncated and re-encoded records in the notes of a real repository: none opens the gate."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from git_assay.evidence.envelope import sign_payload
from git_assay.evidence.keyring import Keyring, make_keyring
from git_assay.evidence.read import read_evidence
from git_assay.evidence.records import PredicateType, Review, Run, Subject
from git_assay.evidence.statement import Body, Unsigned, build_payloads
from git_assay.gate.ask import Request, Sources, judge
from git_assay.gate.decision import Decision, Verdict
from git_assay.git.snapshot import Snapshot
from git_assay.signing.allowed_signers import Signers
from git_assay.values.ids import RepositoryId, TreePath
from tests.evidence import workshop
from tests.evidences import NOW, Who
from tests.gate.worlds import FILES, World, lacks, subject_digests

REPOSITORY = RepositoryId("0123456789abcdef0123456789abcdef")
PEOPLE = ("alice@example.com", "bob@example.com", "ci@acme.example")


class Signed(World):
    """A world in which everything is really signed and stored."""

    def __init__(self, path: Path) -> None:
        lines = "".join(f'{name} namespaces="git-assay" {workshop.signer(name).public_key.text}\n' for name in PEOPLE)
        super().__init__(path, {**FILES, ".assay/allowed_signers": lines})
        self.edit("src/billing/invoice.py", "return total()", "return total() + 1")
        self.change = self.repo.commit()

    def line(
        self, who: str, body: Body, subject: Subject, *, repository: str = REPOSITORY, key: str | None = None
    ) -> bytes:
        kind = PredicateType.REVIEW if isinstance(body, Review) else PredicateType.TESTS
        common = workshop.common(who, repository=repository, tree=self.repo.tree("change"))
        statement = Unsigned(type=kind, place=self.change, common=common, body=body, subjects=(subject,))
        return sign_payload(build_payloads(statement, ())[0], workshop.signer(key or who))

    def store(self, key: str, line: bytes) -> None:
        """Puts a line into a log with plain git, as whoever may push could."""
        ref = f"refs/notes/assay-evidence/{workshop.signer(key).public_key.log}"
        self.repo.git_bytes(("notes", "--ref", ref, "append", "-F", "-", self.change), stdin=line + b"\n")

    def approve(self) -> None:
        for record in self.reviews(*(Who(name) for name in PEOPLE[:2])):
            body = record.statement.predicate.review
            assert body is not None
            self.store(record.principal, self.line(record.principal, body, record.statement.subject[0]))

    def passing(self, module: str = "billing", **changes: Any) -> bytes:
        body: Run = workshop.run()
        subject = Subject(changes.pop("name", module), subject_digests(self.at("change"), module))
        return self.line(PEOPLE[2], body, subject, **changes)

    def judge_signed(self) -> Decision:
        repository = self.open()
        sources = Sources(repository, self.analyze, self.read)
        return judge(sources, Request(repository.resolve("main"), repository.resolve("change"), NOW))

    def read(self, snapshot: Snapshot) -> tuple[Any, Signers]:
        ring: Keyring = make_keyring(
            allowed_signers=snapshot.read(TreePath(b".assay/allowed_signers")), revoked_keys=b"", repository=REPOSITORY
        )
        return read_evidence(self.open(), ring, now=NOW), ring.standing


@pytest.fixture
def signed(tmp_path: Path) -> Signed:
    world = Signed(tmp_path / "repo")
    world.approve()
    return world


def test_signed_reviews_and_a_signed_pass_open_the_gate(signed: Signed) -> None:
    assert lacks(signed.judge_signed()) == {("critical", "billing", "tests:unit")}
    signed.store(PEOPLE[2], signed.passing())
    assert signed.judge_signed().verdict is Verdict.OPEN


def _forged(world: Signed) -> bytes:
    value = json.loads(world.passing())
    signature = bytearray(base64.b64decode(value["signatures"][0]["sig"]))
    signature[-1] ^= 1
    value["signatures"][0]["sig"] = base64.b64encode(bytes(signature)).decode()
    return workshop.compact(value)


def _edited(world: Signed) -> bytes:
    value = json.loads(world.passing("order"))
    payload = base64.b64decode(value["payload"]).replace(b'"order"', b'"billing"')
    value["payload"] = base64.b64encode(payload).decode()
    return workshop.compact(value)


def _reencoded(world: Signed) -> bytes:
    value = json.loads(world.passing())
    payload = json.dumps(json.loads(base64.b64decode(value["payload"])), indent=1).encode()
    value["payload"] = base64.b64encode(payload).decode()
    return workshop.compact(value)


HOSTILE: dict[str, Callable[[Signed], bytes]] = {
    "forged signature": _forged,
    "edited for another module": _edited,
    "signed for another module": lambda world: world.passing("order"),
    "another module's digests under this name": lambda world: world.passing("order", name="billing"),
    "of another repository": lambda world: world.passing(repository="f" * 32),
    "truncated": lambda world: world.passing()[:-40],
    "re-encoded payload": _reencoded,
    "double-keyed": lambda world: world.passing().replace(b'{"payload"', b'{"payload":"","payload"', 1),
    "by a key that is not listed": lambda world: world.passing(key="eve"),
    "by a person's key in the name of CI": lambda world: world.passing(key=PEOPLE[0]),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_record_never_opens_the_gate(signed: Signed, name: str) -> None:
    before = signed.judge_signed()
    assert lacks(before) == {("critical", "billing", "tests:unit")}
    for log in (PEOPLE[2], PEOPLE[0], "eve"):
        signed.store(log, HOSTILE[name](signed))
    decision = signed.judge_signed()
    assert decision.verdict is not Verdict.OPEN
    assert ("critical", "billing", "tests:unit") in lacks(decision)
