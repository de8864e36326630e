"""Golden text and JSON of status, radius and gate, through the command line. `ASSAY_GOLDEN=write` rewrites them."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.cli.command import Answer, assay
from tests.gate.test_signed_evidence import PEOPLE, Signed

GOLDEN = Path(__file__).parent / "golden"
AT = "2026-11-30T12:00:00Z"

COMMANDS = {
    "status.txt": ("status", "--at", AT),
    "status.json": ("status", "--json", "--at", AT),
    "status.porcelain": ("status", "--porcelain", "--at", AT),
    "radius.txt": ("radius",),
    "radius.json": ("radius", "--json"),
    "radius.z": ("radius", "-z"),
    "radius-checks.z": ("radius", "-z", "--checks"),
    "radius.dot": ("radius", "--format", "dot"),
    "radius.mermaid": ("radius", "--format", "mermaid"),
    "gate.txt": ("gate", "--at", AT),
    "gate.json": ("gate", "--json", "--at", AT),
    "gate.github": ("gate", "--github", "--at", AT),
}


_ANSWERS: dict[str, Answer] = {}


@pytest.fixture
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Answer]:
    """One repository for all: a dependency changed, billing was attested and seen before.

    Made by the first test and kept: a fixture of the module's scope would be made outside the hermetic environment.
    """
    if _ANSWERS:
        return _ANSWERS
    world = Signed(tmp_path_factory.mktemp("golden") / "repo")
    world.approve()
    world.store(PEOPLE[2], world.passing())
    world.edit("src/order/cart.py", "return 1", "return 2")
    world.repo.write("notes.txt", "new\n")
    world.repo.commit("second")
    _ANSWERS.update({name: assay(*command, cwd=world.repo.path) for name, command in COMMANDS.items()})
    return _ANSWERS


@pytest.mark.parametrize("name", COMMANDS)
def test_output_is_as_it_was_reviewed(answers: dict[str, Answer], name: str) -> None:
    answer = answers[name]
    assert answer.err == ""
    assert answer.code == (1 if name.startswith("gate") else 0)
    path = GOLDEN / name
    if os.environ.get("ASSAY_GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(_steady(answer.out))
    assert _steady(answer.out) == path.read_text()


def _steady(text: str) -> str:
    """Returns the text with the ids of records and notes commits, which hold a signature, made steady."""
    return re.sub(r'("(?:at|id)": )"[^"]*"', r'\1"*"', text).replace("\0", "\\0\n")


def test_advise_exits_with_0_whatever_the_verdict(tmp_path: Path) -> None:
    world = Signed(tmp_path / "repo")
    closed = assay("gate", cwd=world.repo.path)
    assert closed.code == 1
    assert assay("gate", "--advise", cwd=world.repo.path).code == 0


def test_the_summary_goes_where_the_workflow_asks_for_it(tmp_path: Path) -> None:
    world = Signed(tmp_path / "repo")
    place = tmp_path / "summary.md"
    assay("gate", "--github", cwd=world.repo.path, env={"GITHUB_STEP_SUMMARY": str(place)})
    assert place.read_text().startswith("### git assay: closed: ")


def test_an_unborn_branch_and_a_repository_without_cards_say_so(tmp_path: Path) -> None:
    from tests.repos import Repo

    repo = Repo(tmp_path / "empty").init()
    for verb in ("radius", "gate"):
        answer = assay(verb, cwd=repo.path)
        assert answer.code == 128
        assert answer.err.count("\n") == 2
        assert "hint: " in answer.err
    repo.write("a.py", "x = 1\n")
    repo.commit()
    answer = assay("status", cwd=repo.path)
    assert answer.code == 128
    assert "has not adopted git assay" in answer.err


def test_a_detached_head_is_judged_like_any_other(tmp_path: Path) -> None:
    world = Signed(tmp_path / "repo")
    world.repo.git("checkout", "-q", "--detach")
    assert assay("gate", "main..HEAD", cwd=world.repo.path).code == 1
    assert assay("status", cwd=world.repo.path).code == 0
