"""More attacks on the gate: code that is hidden, shared out, shadowed, or run without being named."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from git_assay.errors import AssayError
from git_assay.gate.decision import Verdict
from git_assay.values.moments import format_moment
from tests.evidences import ALICE, BOB, CAROL, NOW
from tests.gate.worlds import BILLING, FILES, ORDER, World, lacks

INVOICE, CART = "src/billing/invoice.py", "src/order/cart.py"
TESTS = ("critical", "billing", "tests:unit")
UNOWNED = ("policy_changes", ".unowned", "review")


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "repo")


def _land(world: World) -> None:
    """Makes what stands on the branch the target's."""
    world.repo.git("branch", "-f", "main", "change")


def _link(world: World, path: str, target: str) -> None:
    place = world.repo.path / path
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    place.unlink(missing_ok=True)
    os.symlink(target, place)


def _submodule(world: World, path: str) -> None:
    shutil.rmtree(world.repo.path / path)
    world.repo.git("add", "-A")
    world.repo.git("update-index", "--add", "--cacheinfo", f"160000,{'a' * 40},{path}")
    world.repo.git("commit", "-q", "-m", "submodule")


# Files that Python or a tool takes instead of, or before, what the code names.
SHADOWS = [
    "src/order.py",
    "src/order/cart/__init__.py",
    "src/order/cart.cpython-311-x86_64-linux-gnu.so",
    "src/order/cart.pyc",
    "src/sitecustomize.py",
    "usercustomize.py",
    "src/conftest.py",
    "pytest.ini",
    "src/billing/tox.ini",
    "package.json",
]


@pytest.mark.parametrize("path", SHADOWS)
def test_a_file_that_runs_in_the_place_of_another_makes_tests_stale(world: World, path: str) -> None:
    before = world.tests("billing", rev="main")
    world.repo.write(path, "def total():\n    return 5\n")
    world.repo.commit()
    assert TESTS in lacks(world.judge(*before))


def test_a_package_around_a_module_runs_before_it(tmp_path: Path) -> None:
    deep = BILLING.replace("module: billing", "module: deep")
    cards = {"src/billing/assay.yml": BILLING.replace("labels: [critical]\n", ""), "src/billing/deep/assay.yml": deep}
    world = World(tmp_path / "repo", {**FILES, **cards, "src/billing/deep/rates.py": "RATE = 1\n"})
    before = world.tests("deep", rev="main")
    world.repo.write("src/billing/__init__.py", "import sys\n\nsys.modules['billing.deep.rates'] = sys\n")
    world.repo.commit()
    assert ("critical", "deep", "tests:unit") in lacks(world.judge(*before))


@pytest.mark.parametrize(
    ("run", "path"),
    [
        ("pytest -p plug", "plug.py"),
        ("pytest -p plug.deep", "plug/deep.py"),
        ('python -c "import tools.check; tools.check.main()"', "tools/check.py"),
        ("python -m tools", "tools/__main__.py"),
        ("make test", "Makefile"),
        ("task test", "Taskfile.yml"),
        ("cd ci && sh run.sh", "ci/run.sh"),
        ("pytest -c ci/p.ini", "ci/p.ini"),
        ("pytest @args.txt", "args.txt"),
        ("pytest -q", "tests/__init__.py"),
        ("pytest -q", "tests/conftest.py"),
        ("pytest -q", "tests/test_b.py"),
    ],
)
@pytest.mark.parametrize("after", [None, "pass\n"], ids=["deleted", "emptied"])
def test_a_check_is_made_trivial_by_what_it_runs(tmp_path: Path, run: str, path: str, after: str | None) -> None:
    card = BILLING.replace("run: pytest -q", f"run: {run!r}").replace("inputs: []", "inputs: [/tests/test_b.py]")
    files = {"src/billing/assay.yml": card, "tests/test_b.py": "import billing\n", path: "assert True\n"}
    world = World(tmp_path / "repo", {**FILES, **files})
    before = world.tests("billing", rev="main")
    assert world.judge(*before).verdict is Verdict.OPEN
    if after is None:
        world.repo.remove(path)
    else:
        world.repo.write(path, after)
    world.repo.commit()
    assert TESTS in lacks(world.judge(*before))


def test_code_behind_a_link_is_in_the_cone(tmp_path: Path) -> None:
    world = World(tmp_path / "repo", {**FILES, "lib/cart.py": "def total():\n    return 1\n"})
    _link(world, CART, "../../lib/cart.py")
    world.repo.commit()
    _land(world)
    before = world.tests("billing", rev="main")
    world.edit("lib/cart.py", "return 1", "return 2")
    world.repo.commit()
    assert TESTS in lacks(world.judge(*before))


@pytest.mark.parametrize("path", ["src/order", "src/billing"])
def test_code_that_becomes_a_submodule_is_a_change_of_its_owner(world: World, path: str) -> None:
    before = world.tests("billing", rev="main")
    _submodule(world, path)
    found = lacks(world.judge(*before, *world.reviews(CAROL)))
    assert TESTS in found
    assert ("card_changes", path.removeprefix("src/"), "review") in found


def _assay_as_link(world: World) -> None:
    (world.repo.path / ".assay").rename(world.repo.path / "rules")
    _link(world, ".assay", "rules")
    world.repo.commit()


def _policy_as_link(world: World) -> None:
    (world.repo.path / ".assay/policy.yml").rename(world.repo.path / "policy.yml")
    _link(world, ".assay/policy.yml", "../policy.yml")
    world.repo.commit()


def _card_as_link(world: World) -> None:
    (world.repo.path / "src/billing/assay.yml").rename(world.repo.path / "src/billing/card.yml")
    _link(world, "src/billing/assay.yml", "card.yml")
    world.repo.commit()


def _two_cards(world: World) -> None:
    world.repo.write("aaa/assay.yml", BILLING.replace("labels: [critical]\n", ""))
    world.repo.commit()


def _marked_card(world: World) -> None:
    world.repo.write("src/billing/assay.yml", "\ufeff" + BILLING)
    world.repo.commit()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_assay_as_link, "removes .assay"),
        (lambda world: _submodule(world, ".assay"), "removes .assay"),
        (_policy_as_link, "must be a file, not a link"),
        (_card_as_link, "must be a file, not a link"),
        (_two_cards, "already declared in aaa/assay.yml"),
        (_marked_card, "byte order mark"),
    ],
)
def test_what_governs_is_one_plain_file_or_nothing_is_decided(
    world: World, change: Callable[[World], None], said: str
) -> None:
    change(world)
    with pytest.raises(AssayError) as caught:
        world.judge(*world.tests("billing", rev="main"))
    assert said in str(caught.value)


def test_a_card_that_moves_to_another_folder_leaves_its_code_behind(world: World) -> None:
    (world.repo.path / "elsewhere").mkdir()
    (world.repo.path / "src/billing/assay.yml").rename(world.repo.path / "elsewhere/assay.yml")
    world.repo.commit()
    found = lacks(world.judge(*world.tests("billing"), *world.reviews(CAROL)))
    assert {("card_changes", "billing", "review"), ("critical", "billing", "review")} <= found


@pytest.mark.parametrize("path", [".Assay/policy.yml", "src/.assay/policy.yml", ".gitmodules", "src/ASSAY.YML"])
def test_a_name_that_only_looks_like_a_rule_is_a_change_like_any_other(world: World, path: str) -> None:
    world.repo.write(path, "format: assay-policy/1\n")
    world.repo.commit()
    assert lacks(world.judge(*world.reviews(ALICE))) == {UNOWNED}


def test_two_spellings_of_one_letter_are_two_files(world: World) -> None:
    world.repo.write("src/billing/caf\u00e9.py", "A = 1\n")
    world.repo.write("src/billing/cafe\u0301.py", "A = 2\n")
    world.repo.commit()
    reviews = world.reviews(ALICE, BOB)
    seen = {pair.piece for record in reviews for pair in record.statement.predicate.review.seen}  # type: ignore[union-attr]
    assert seen == {"src/billing/caf\u00e9.py", "src/billing/cafe\u0301.py"}


SHARED = {"src/order/assay.yml": ORDER + "---\n" + ORDER.replace("module: order", "module: sums").replace(
    "owners: [bob@example.com]", 'owners: [carol@example.com]\nowns: ["cart.py::total"]'
), CART: "def total():\n    return 1\n\n\ndef other():\n    return 2\n"}  # fmt: skip


def test_a_file_named_like_a_symbol_does_not_stand_for_it(tmp_path: Path) -> None:
    world = World(tmp_path / "repo", {**FILES, **SHARED})
    world.repo.write(f"{CART}::total", "def total():\n    return 1\n")
    world.edit(CART, "return 1", "return 9")
    world.repo.commit()
    pieces = {
        (record.statement.subject[0].name, pair.piece)
        for record in world.reviews(ALICE)
        for pair in record.statement.predicate.review.seen  # type: ignore[union-attr]
    }
    assert pieces == {("order", f"{CART}:%3Atotal"), ("sums", f"{CART}::total")}


def test_a_revert_that_is_applied_again_in_part_needs_a_new_look(tmp_path: Path) -> None:
    world = World(tmp_path / "repo", {**FILES, **SHARED})
    world.edit(CART, "return 1", "return 9")
    world.edit(CART, "return 2", "return 8")
    world.repo.commit("both")
    early = world.reviews(ALICE, hours=5)
    assert ("everything", "sums", "review") not in lacks(world.judge(*early))
    _land(world)
    world.repo.checkout("main")
    when = format_moment(NOW - timedelta(hours=2))
    world.repo.git("revert", "--no-edit", "HEAD", GIT_COMMITTER_DATE=when, GIT_AUTHOR_DATE=when)
    world.repo.branch("again")
    world.edit(CART, "return 1", "return 9")
    world.repo.commit("half of it")
    assert ("everything", "sums", "review") in lacks(world.judge(*early, head="again"))
    late = world.reviews(ALICE, head="again", hours=1)
    assert ("everything", "sums", "review") not in lacks(world.judge(*early, *late, head="again"))
