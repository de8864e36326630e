"""Does every verb of the table exist, with help that shows an example and a test that runs it?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from git_assay.cli import dispatch
from git_assay.cli.table import VERBS
from tests.cli.command import assay

TESTS = Path(__file__).parents[1]


def leaves(command: click.Command) -> Iterator[click.Command]:
    if isinstance(command, click.Group):
        for inner in command.commands.values():
            yield from leaves(inner)
    else:
        yield command


@pytest.mark.parametrize("verb", VERBS)
def test_verb_can_be_imported_and_its_help_has_an_example(verb: str) -> None:
    command = dispatch.load(verb)
    for one in {command, *leaves(command)}:
        assert "Example" in (one.help or ""), f"{verb} {one.name}"
        assert f"git assay {verb}" in (one.help or ""), f"{verb} {one.name}"


@pytest.mark.parametrize("verb", VERBS)
def test_verb_is_named_in_a_test(verb: str) -> None:
    pattern = re.compile(rf"assay\W[^\n]{{0,20}}\b{verb}\b")
    assert any(pattern.search(path.read_text(encoding="utf-8")) for path in TESTS.rglob("test_*.py"))


def test_every_file_of_a_verb_is_in_the_table() -> None:
    files = {path.stem for path in (TESTS.parent / "git_assay" / "cli" / "verbs").glob("*.py")} - {"__init__"}
    assert files == {row.module.rpartition(".")[2] for row in VERBS.values()}


def test_every_hint_of_the_sources_is_a_verb() -> None:
    """A hint is a command that the user can type now."""
    told = {
        (verb, path.name)
        for path in (TESTS.parent / "git_assay").rglob("*.py")
        for verb in re.findall(r"(?:hint|HINT)\s*[=:]\s*f?[\"']git assay ([a-z]+)", path.read_text(encoding="utf-8"))
    }
    assert told
    assert {(verb, name) for verb, name in told if verb not in VERBS} == set()


def test_help_of_a_verb_by_all_three_ways(tmp_path: Path) -> None:
    answers = [assay(*words, cwd=tmp_path) for words in (("hooks", "-h"), ("hooks", "--help"), ("help", "hooks"))]
    assert {answer.code for answer in answers} == {0}
    assert len({answer.out for answer in answers}) == 1
    assert answers[0].out.startswith("Usage: git assay hooks")
