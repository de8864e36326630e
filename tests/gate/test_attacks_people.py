"""Attacks on who counts as whom: one person under several names, machines under people's names, exemptions of old."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from git_assay.evidence.model import Record
from git_assay.gate.ask import Request, Sources, judge
from git_assay.gate.decision import Decision, Verdict
from git_assay.git.snapshot import Snapshot
from git_assay.signing.allowed_signers import Signers, parse_allowed_signers
from git_assay.values.digests import Mode, own_name
from git_assay.values.ids import ModuleId
from tests.evidence import workshop
from tests.evidences import AGENT, ALICE, BOB, CAROL, NOW, Who, evidence, waiver
from tests.gate.test_exemptions import exempted
from tests.gate.worlds import BILLING, FILES, POLICY, World, lacks

INVOICE = "src/billing/invoice.py"
LACKS_REVIEW = {("critical", "billing", "review")}
ALIASED = POLICY.replace("dev@example.com}", "dev@example.com, bob@example.com: alice@example.com}")
TWIN = Who("Alice@example.com")


def _world(path: Path, policy: str = POLICY, **commit: str) -> World:
    world = World(path / "repo", {**FILES, ".assay/policy.yml": policy})
    world.edit(INVOICE, "return total()", "return total() + 1")
    world.repo.commit(**commit)
    return world


def test_two_names_that_an_alias_ties_are_one_person(tmp_path: Path) -> None:
    world = _world(tmp_path, ALIASED)
    assert lacks(world.judge(*world.reviews(ALICE, BOB), *world.tests("billing"))) == LACKS_REVIEW
    assert world.judge(*world.reviews(ALICE, CAROL), *world.tests("billing")).verdict is Verdict.OPEN


def test_an_author_does_not_review_under_an_alias(tmp_path: Path) -> None:
    world = _world(tmp_path, ALIASED, GIT_AUTHOR_EMAIL="alice@example.com")
    assert lacks(world.judge(*world.reviews(BOB, CAROL), *world.tests("billing"))) == LACKS_REVIEW


def test_names_that_differ_only_in_case_are_one_person(tmp_path: Path) -> None:
    world = _world(tmp_path, POLICY.replace("carol@example.com]", "carol@example.com, Alice@example.com]"))
    assert lacks(world.judge(*world.reviews(ALICE, TWIN), *world.tests("billing"))) == LACKS_REVIEW


def test_an_author_does_not_review_under_another_case(tmp_path: Path) -> None:
    policy = POLICY.replace("carol@example.com]", "carol@example.com, Alice@example.com]")
    world = _world(tmp_path, policy, GIT_AUTHOR_EMAIL="alice@example.com")
    assert lacks(world.judge(*world.reviews(TWIN, CAROL), *world.tests("billing"))) == LACKS_REVIEW


@pytest.mark.parametrize("machine", [AGENT.principal, "ci@acme.example"])
def test_a_key_that_is_listed_for_a_machine_too_is_nobodys_hand(tmp_path: Path, machine: str) -> None:
    world = _world(tmp_path)
    line = f"{machine},bob@example.com {workshop.signer('shared').public_key.text}\n"
    signers = parse_allowed_signers(line.encode())
    repository = world.open()

    def decide(keyring: Signers) -> Decision:
        def read(_: Snapshot) -> tuple[object, Signers]:
            return evidence(*world.reviews(ALICE, BOB), *world.tests("billing")), keyring

        sources = Sources(repository, world.analyze, read)  # type: ignore[arg-type]
        return judge(sources, Request(repository.resolve("main"), repository.resolve("change"), NOW))

    assert decide(Signers((), ())).verdict is Verdict.OPEN
    assert lacks(decide(signers)) == LACKS_REVIEW


def test_a_waiver_that_its_own_author_replaced_excuses_nothing(tmp_path: Path) -> None:
    waivable = "{kind: tests, by: ci, waivable: {by: maintainers, max_days: 3}}"
    world = _world(tmp_path, POLICY.replace("{kind: tests, by: ci}", waivable))
    own = {own_name(Mode.EXACT): world.at("change").digests(ModuleId("billing"), Mode.EXACT).own}
    first = waiver(ALICE, "billing", own, "tests", (NOW + timedelta(days=1)).date().isoformat())
    nothing = waiver(ALICE, "billing", own, "tests", (NOW - timedelta(days=1)).date().isoformat(), supersedes=(first,))
    reviews = world.reviews(ALICE, BOB)
    assert world.judge(*reviews, first).verdict is Verdict.OPEN
    assert lacks(world.judge(*reviews, first, nothing)) == {("critical", "billing", "tests:unit")}


def test_going_back_to_what_was_grandfathered_is_not_grandfathered(tmp_path: Path) -> None:
    world = exempted(tmp_path)
    world.edit(INVOICE, "return total()", "return max(total(), 0)")
    world.repo.commit("a fix")
    world.repo.git("branch", "-f", "main", "change")
    world.edit(INVOICE, "return max(total(), 0)", "return total()")
    world.repo.commit("takes the fix back")
    found = lacks(world.judge())
    assert found == {
        ("critical", "billing", "tests:unit"),
        ("critical", "billing", "review"),
        ("everything", "billing", "review"),
    }


def _promise_less(world: World) -> None:
    world.edit("src/billing/assay.yml", "post: [result is positive]", "post: []")


def _executable(world: World) -> None:
    (world.repo.path / INVOICE).chmod(0o755)


def _link(world: World) -> None:
    path = world.repo.path / "src/billing/table.txt"
    path.unlink()
    os.symlink("../order/cart.py", path)


@pytest.mark.parametrize("change", [_promise_less, _executable, _link])
def test_an_exemption_of_code_excuses_no_weaker_promise_and_no_other_mode(
    tmp_path: Path, change: Callable[[World], None]
) -> None:
    card = BILLING + "interface:\n  - {name: invoice, post: [result is positive]}\n"
    world = exempted(tmp_path, {"src/billing/assay.yml": card, "src/billing/table.txt": "../order/cart.py"})
    change(world)
    world.repo.commit()
    assert {("critical", "billing", "review"), ("everything", "billing", "review")} <= lacks(world.judge())


def test_records_of_one_person_count_once_whatever_keys_made_them(tmp_path: Path) -> None:
    world = _world(tmp_path)
    second = Who("alice@example.com", key="another key of hers")
    records: tuple[Record, ...] = (*world.reviews(ALICE, second), *world.tests("billing"))
    assert len({record.log for record in world.reviews(ALICE, second)}) == 2
    assert lacks(world.judge(*records)) == LACKS_REVIEW
