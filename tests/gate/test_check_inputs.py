"""Does the gate ask for checks again when only what a check is about, beside the code, changed?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from git_assay.evidence.model import Evidence
from git_assay.gate.decision import Verdict
from git_assay.report.radius import radius_document, radius_text
from git_assay.status.effects import Effect, find_effects
from git_assay.status.radius import find_radius
from git_assay.status.standings import index_runs
from git_assay.values.ids import ModuleId
from tests.evidences import ALICE, BOB, evidence
from tests.gate.worlds import BILLING, FILES, World, lacks

TEST = "tests/test_invoice.py"


@pytest.fixture
def world(tmp_path: Path) -> World:
    """The check of billing names its test file; nobody owns that file."""
    return World(
        tmp_path / "repo",
        {
            **FILES,
            "src/billing/assay.yml": BILLING.replace("inputs: []", f"inputs: [/{TEST}]"),
            TEST: "from billing.invoice import invoice\n\n\ndef test_invoice():\n    assert invoice() == 1\n",
        },
    )


def _weaken(world: World) -> None:
    world.edit(TEST, "assert invoice() == 1", "assert invoice() == invoice()")
    world.repo.commit()


def _effects(world: World, records: Evidence) -> tuple[Effect, ...]:
    return find_effects(find_radius(world.at("main"), world.at("change")), index_runs(records))


def test_a_weaker_test_file_closes_the_gate_for_the_module_that_it_tests(world: World) -> None:
    _weaken(world)
    passed_before = world.tests("billing", rev="main")
    found = lacks(world.judge(*passed_before, *world.reviews(ALICE, BOB)))
    assert ("critical", "billing", "tests:unit") in found
    assert not any(subject == "order" for _, subject, _ in found)


def test_it_opens_after_the_check_ran_again(world: World) -> None:
    _weaken(world)
    assert world.judge(*world.tests("billing"), *world.reviews(ALICE, BOB)).verdict is Verdict.OPEN


def test_a_rule_for_what_changed_does_not_ask_for_what_only_an_input_reaches(world: World) -> None:
    world.edit(".assay/policy.yml", "when: affected", "when: changed")
    world.repo.commit("rule")
    world.repo.git("branch", "-f", "main", "change")
    _weaken(world)
    assert not any(subject == "billing" for _, subject, _ in lacks(world.judge()))


def test_the_radius_names_the_input_and_the_check(world: World) -> None:
    _weaken(world)
    radius = find_radius(world.at("main"), world.at("change"))
    effects = _effects(world, evidence(*world.tests("billing", rev="main")))
    assert [(each.module, each.check, each.goes_stale) for each in effects] == [("billing", "unit", True)]
    text = radius_text(radius, effects)
    assert "billing      inputs\n    tests:unit goes stale\n        tests/test_invoice.py changed" in text
    assert "run: git assay attest billing" in text
    document = json.loads(json.dumps(radius_document(radius, effects)))
    (named,) = document["inputs"]
    assert named["module"] == "billing"
    assert [path["path"] for path in named["checks"][0]["why"]["paths"]] == [TEST]


def test_what_a_test_file_imports_counts_like_the_test_file(world: World) -> None:
    world.repo.write("tests/rates.py", "RATE = 1\n")
    world.edit(TEST, "from billing", "import rates\nfrom billing")
    world.repo.commit("rates")
    world.repo.git("branch", "-f", "main", "change")
    world.repo.write("tests/rates.py", "RATE = 2\n")
    world.repo.commit()
    effects = _effects(world, evidence(*world.tests("billing", rev="main")))
    assert [each.module for each in effects] == [ModuleId("billing")]
    assert ("critical", "billing", "tests:unit") in lacks(world.judge(*world.tests("billing", rev="main")))
