"""Do links lead somewhere, and do the commands that the documentation shows exist with these options?"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from git_assay.cli import dispatch
from git_assay.cli.table import VERBS
from tests.docs.reference import PAGE, page

ROOT = Path(__file__).parents[2]
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])

_LINK = re.compile(r"\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^```(?:sh|console)\n(.*?)^```", re.DOTALL | re.MULTILINE)
_SHOWN = re.compile(r"(?:^|[\s`])git assay ([a-z][^`\n|&;#]*)")


def anchors(text: str) -> set[str]:
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("name", PAGES)
def test_links_resolve(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    broken = []
    for link in _LINK.findall(re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)):
        if re.match(r"[a-z]+:", link):
            continue
        place, _, anchor = link.partition("#")
        target = ROOT / name if not place else (ROOT / name).parent / place
        if not target.exists() or (anchor and anchor not in anchors(target.read_text(encoding="utf-8"))):
            broken.append(link)
    assert broken == []


def shown_commands(text: str) -> Iterator[list[str]]:
    for written in _SHOWN.findall(text):
        yield shlex.split(written.split(" > ")[0].rstrip(" \\."), comments=False, posix=True)


@pytest.mark.parametrize("name", [name for name in PAGES if name != "docs/reference/cli.md"])
def test_commands_that_are_shown_exist(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    wrong = [reason for fence in _FENCE.findall(text) for words in shown_commands(fence) for reason in _wrong(words)]
    wrong += [f"no verb {verb}" for verb in re.findall(r"`git assay ([a-z][a-z-]*)", text) if verb not in VERBS]
    assert wrong == []


def _wrong(words: list[str]) -> Iterator[str]:
    if words[0] not in VERBS:
        yield f"no verb {words[0]}"
        return
    command, rest = dispatch.load(words[0]), words[1:]
    while isinstance(command, click.Group) and rest and rest[0] in command.commands:
        command, rest = command.commands[rest[0]], rest[1:]
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    for word in rest:
        option = word.split("=")[0]
        if word.startswith("-") and word != "-" and option not in known | {"--", "-h", "--help"}:
            yield f"no option {option} of {' '.join(words)}"


def test_reference_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m tests.docs.reference"


def test_every_verb_stands_in_the_reference() -> None:
    assert set(re.findall(r"^## (\S+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)) == set(VERBS)
