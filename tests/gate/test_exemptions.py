"""Tests of grandfathering: what ends an exemption and what does not."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path

import pytest

from git_assay.gate.decision import Excused, Verdict
from git_assay.gate.exempting import exemptions_for, is_holding
from git_assay.gate.exemptions import Exemption
from git_assay.gate.load import load_policy
from tests.evidences import ALICE, BOB, NOW
from tests.gate.worlds import FILES, World, lacks

INVOICE = "src/billing/invoice.py"
DAY = date(2027, 3, 1)


def exempted(path: Path, files: Mapping[str, str] | None = None, *, lenient: bool = False) -> World:
    """Makes an adopted repository in which everything that exists is excused."""
    given = {**FILES, **(files or {})}
    draft = World(path / "draft", given)
    analysis = draft.at("main")
    policy, _ = load_policy(analysis.snapshot)
    assert policy is not None
    found = exemptions_for(analysis, policy, reason="was here", until=[DAY], lenient=lenient)
    return World(path / "repo", {**given, ".assay/exemptions.yml": _text(found)})


def _text(exemptions: tuple[Exemption, ...]) -> str:
    lines = [
        f"  - {{module: {e.module}, requirement: {e.requirement}, scope: {e.scope}, digest: {e.digest}, "
        f"reason: {e.reason}, until: {e.until}}}\n"
        for e in exemptions
    ]
    return "format: assay-exemptions/1\nexemptions:\n" + "".join(lines)


def test_everything_that_exists_is_excused_until_touched(tmp_path: Path) -> None:
    world = exempted(tmp_path)
    world.edit(INVOICE, "return total()", "return total() + 1")
    world.repo.commit()
    assert lacks(world.judge()) == {
        ("critical", "billing", "tests:unit"),
        ("critical", "billing", "review"),
        ("everything", "billing", "review"),
    }


@pytest.mark.parametrize("text", ["# a remark\n", "\n\n\n"])
def test_comments_and_blank_lines_do_not_end_it(tmp_path: Path, text: str) -> None:
    world = exempted(tmp_path)
    world.edit(INVOICE, "from order", text + "from order")
    world.repo.commit()
    decision = world.judge()
    assert decision.verdict is Verdict.OPEN
    assert all(isinstance(item.outcome, Excused) for item in decision.items)


def test_a_moved_folder_does_not_end_it(tmp_path: Path) -> None:
    world = exempted(tmp_path)
    before, after = world.at("main"), None
    world.repo.git("mv", "src/billing", "src/accounts")
    world.repo.commit()
    after = world.at("change")
    policy, _ = load_policy(before.snapshot)
    assert policy is not None
    for exemption in exemptions_for(before, policy, reason="x", until=[DAY]):
        if exemption.module == "billing":
            assert is_holding(exemption, after, now=NOW)


def test_a_new_check_does_not_end_it(tmp_path: Path) -> None:
    world = exempted(tmp_path)
    world.edit(
        "src/billing/assay.yml", "checks:\n", "checks:\n  - {name: more, kind: tests, run: 'true', inputs: []}\n"
    )
    world.repo.commit()
    assert lacks(world.judge()) == set()


def test_a_change_in_the_cone_ends_the_one_for_tests_and_not_the_lenient_one(tmp_path: Path) -> None:
    for lenient in (False, True):
        world = exempted(tmp_path / str(lenient), lenient=lenient)
        world.edit("src/order/cart.py", "return 1", "return 2")
        world.repo.commit()
        missing = ("critical", "billing", "tests:unit")
        assert (missing in lacks(world.judge())) is not lenient


def test_it_ends_after_its_last_day(tmp_path: Path) -> None:
    world = exempted(tmp_path)
    world.edit(INVOICE, "from order", "# a remark\nfrom order")
    world.repo.commit()
    last = NOW.replace(year=DAY.year, month=DAY.month, day=DAY.day)
    assert world.judge(now=last).verdict is Verdict.OPEN
    assert world.judge(now=last + timedelta(days=1)).verdict is Verdict.CLOSED


def test_removing_exemptions_is_free_and_changing_one_is_not(tmp_path: Path) -> None:
    world = exempted(tmp_path)
    lines = (world.repo.path / ".assay/exemptions.yml").read_text().splitlines(keepends=True)
    world.repo.write(".assay/exemptions.yml", "".join(lines[:-1]))
    world.repo.commit()
    assert world.judge().verdict is Verdict.OPEN
    world.edit(".assay/exemptions.yml", "2027-03-01", "2037-03-01")
    world.repo.commit()
    assert lacks(world.judge()) == {("policy_changes", ".assay", "review")}
    assert world.judge(*world.reviews(ALICE, BOB)).verdict is Verdict.OPEN


def test_an_exemption_of_one_module_excuses_no_other(tmp_path: Path) -> None:
    world = exempted(tmp_path)
    analysis = world.at("main")
    policy, _ = load_policy(analysis.snapshot)
    assert policy is not None
    by_module = {e.module: e for e in exemptions_for(analysis, policy, reason="x", until=[DAY]) if e.scope == "own"}
    assert by_module["billing"].digest != by_module["order"].digest
    stolen = Exemption("order", "review", "own", by_module["billing"].digest, "x", "2027-03-01")
    assert not is_holding(stolen, analysis, now=NOW)
