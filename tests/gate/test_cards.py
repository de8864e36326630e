"""Who has to see that a card is weakened, and what exactly?"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evidences import ALICE, BOB, CAROL
from tests.gate.test_exemptions import exempted
from tests.gate.worlds import FILES, ORDER, POLICY, World, lacks, why

CARD = "src/order/assay.yml"
WEAKER = {("card_changes", "order", "review")}


def _world(path: Path, card: str = ORDER, policy: str = POLICY, **files: str) -> World:
    return World(path / "repo", {**FILES, CARD: card, ".assay/policy.yml": policy, **files})


def test_the_policy_says_who_sees_a_weaker_card(tmp_path: Path) -> None:
    policy = POLICY + "card_changes: {by: maintainers, count: 2}\n"
    world = _world(tmp_path, ORDER.replace("goal:", "labels: [kept]\ngoal:"), policy)
    world.edit(CARD, "labels: [kept]\n", "")
    world.repo.commit()
    assert lacks(world.judge(*world.reviews(BOB))) == WEAKER
    assert lacks(world.judge(*world.reviews(BOB, CAROL))) == set()


@pytest.mark.parametrize("owners", ["owners: [nobody@elsewhere.example]", "owners: [ci@acme.example]", "owners: []"])
def test_where_no_owner_is_a_person_of_the_policy_its_own_people_see_it(tmp_path: Path, owners: str) -> None:
    card = ORDER.replace("owners: [bob@example.com]", f"{owners}\nlabels: [kept]")
    world = _world(tmp_path, card)
    world.edit(CARD, "labels: [kept]\n", "")
    world.repo.commit()
    assert lacks(world.judge(*world.reviews(BOB))) == WEAKER
    assert lacks(world.judge(*world.reviews(BOB, CAROL))) == set()


def test_an_owner_may_be_a_role(tmp_path: Path) -> None:
    card = ORDER.replace("owners: [bob@example.com]", "owners: [maintainers]\nlabels: [kept]")
    world = _world(tmp_path, card)
    world.edit(CARD, "labels: [kept]\n", "")
    world.repo.commit()
    assert lacks(world.judge()) == {*WEAKER, ("everything", "order", "review")}
    assert lacks(world.judge(*world.reviews(CAROL))) == set()


def test_code_that_leaves_the_scope_unchanged_is_seen_where_that_was_said(tmp_path: Path) -> None:
    world = _world(tmp_path)
    world.edit(".assay/config.yml", "roots: [src]\n", 'roots: [src]\nexclude: ["/src/order/cart.py"]\n')
    world.repo.commit()
    decision = world.judge(*world.reviews(ALICE))
    assert lacks(decision) >= WEAKER
    assert "src/order/cart.py moves out of scope" in why(decision, "order")
    assert WEAKER.isdisjoint(lacks(world.judge(*world.reviews(BOB))))


ALL_LOSSES = {
    "an owner comes": ("owners: [bob@example.com]", "owners: [bob@example.com, eve@example.com]"),
    "a parent": ("owners:", "parent: billing\nowners:"),
    "other claims": ("owners:", 'owns: ["*.py"]\nowners:'),
    "a loan": ("owners:", "lends: [{pattern: cart.py, to: billing}]\nowners:"),
    "fewer dependencies": ("owners:", "depends: []\nowners:"),
    "a dynamic glob": ("owners:", 'dynamic: ["*.py"]\nowners:'),
    "a budget": ("owners:", "complexity: {time: O(n)}\nowners:"),
    "a longer time": ("inputs: []", "inputs: [], timeout: 6000"),
    "other inputs": ("inputs: []", 'inputs: ["cart.py"]'),
    "another verdict": ("inputs: []", "inputs: [], verdicts: {retry: [1]}"),
    "another kind": ("kind: tests", "kind: lint"),
    "another report": ("inputs: []", "inputs: [], report: out.xml"),
}


@pytest.mark.parametrize("loss", ALL_LOSSES)
def test_whatever_may_weaken_a_card_is_seen_by_its_people(tmp_path: Path, loss: str) -> None:
    world = _world(tmp_path)
    world.edit(CARD, *ALL_LOSSES[loss])
    world.repo.commit()
    assert lacks(world.judge(*world.reviews(CAROL))) >= WEAKER
    assert WEAKER.isdisjoint(lacks(world.judge(*world.reviews(BOB))))


def test_an_asset_that_is_dropped_is_seen_by_its_people(tmp_path: Path) -> None:
    world = _world(
        tmp_path, ORDER.replace("owners:", "assets: [/data/rates.csv]\nowners:"), **{"data/rates.csv": "1\n"}
    )
    world.edit(CARD, "assets: [/data/rates.csv]\n", "")
    world.repo.commit()
    assert lacks(world.judge(*world.reviews(CAROL))) >= WEAKER


def test_a_file_that_moves_to_another_module_by_a_rename_is_seen_by_those_it_leaves(tmp_path: Path) -> None:
    world = _world(tmp_path, **{"src/order/rates.py": "RATE = 'nobody else has these bytes'\n"})
    (world.repo.path / "src/order/rates.py").rename(world.repo.path / "src/billing/rates.py")
    world.repo.commit()
    decision = world.judge(*world.reviews(CAROL))
    assert lacks(decision) >= WEAKER
    assert "src/billing/rates.py moves to billing" in why(decision, "order")


def test_a_symbol_that_changes_hands_is_seen_by_those_it_leaves(tmp_path: Path) -> None:
    taker = ORDER.replace("module: order", "module: sums").replace("[bob@", "[carol@")
    both = ORDER + "---\n" + taker.replace("owners:", 'owns: ["cart.py::total"]\nowners:')
    world = _world(tmp_path, ORDER + "---\n" + taker.replace("owners:", "owns: []\nowners:"))
    world.repo.write(CARD, both)
    world.repo.commit("takes a symbol")
    assert lacks(world.judge(*world.reviews(CAROL))) >= WEAKER
    world.repo.git("branch", "-f", "main", "change")
    world.repo.write(CARD, ORDER + "---\n" + taker.replace("owners:", "owns: []\nowners:"))
    world.repo.commit("gives it back")
    assert ("card_changes", "sums", "review") in lacks(world.judge(*world.reviews(BOB)))


def test_an_exemption_of_a_cone_ends_with_what_only_runs_later(tmp_path: Path) -> None:
    lazy = "def invoice():\n    from order.cart import total\n\n    return total()\n"
    world = exempted(tmp_path, {"src/billing/invoice.py": lazy})
    world.edit("src/order/cart.py", "return 1", "return 2")
    world.repo.commit()
    assert ("critical", "billing", "tests:unit") in lacks(world.judge())
