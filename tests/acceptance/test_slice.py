"""Does the main job hold over three releases? The small slice, without a network, of `benchmarks/real_history.py`.

The same functions play the same scenes as on Django and SymPy, on a package of ten files that is written here. A wrong
exit code anywhere ends the play, so the gate is closed before the checks and open after them, in both later releases.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
from collections.abc import Mapping
from pathlib import Path

import pytest

from benchmarks.real_history import Scene, play

GOLDEN = Path(__file__).parent / "golden" / "transcript.txt"
# Release -> verb -> its answers, in order.
Answers = Mapping[str, Mapping[str, list[str]]]

FIRST = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1.0"\n',
    "web/__init__.py": '"""Show pages."""\n',
    "web/page.py": "from orders.cart import total\n\n\ndef page(items):\n    return str(total(items))\n",
    "orders/__init__.py": '"""Hold orders."""\n',
    "orders/cart.py": "from money import price\n\n\ndef total(items):\n    return sum(map(price.of, items))\n",
    "orders/notes.py": "def note(text):\n    return text.strip()\n",
    "money/__init__.py": '"""Know prices."""\n',
    "money/price.py": "import rates.table\n\n\ndef of(item):\n    return item * rates.table.RATE\n",
    "rates/__init__.py": '"""Know rates."""\n',
    "rates/table.py": "RATE = 2\n",
    "extra/__init__.py": '"""Help with text."""\n',
    "extra/text.py": "def short(text):\n    return text[:10]\n",
}
# Three imports below `web` something changes; in `extra` only a comment and the layout do.
SECOND = {
    **FIRST,
    "rates/table.py": "RATE = 3\n",
    "extra/text.py": "# Shortens.\ndef short( text ):\n    return text[:10]\n",
}
# A file of `rates` goes, another comes, and its importer follows.
THIRD = {
    **{path: text for path, text in SECOND.items() if path != "rates/table.py"},
    "rates/rate.py": "RATE = 3\n",
    "money/price.py": "import rates.rate\n\n\ndef of(item):\n    return item * rates.rate.RATE\n",
}
OPTIONS = argparse.Namespace(
    package="shop",
    versions=["1.0", "1.1", "1.2"],
    modules=["web", "extra"],
    single={"notes": "orders/notes.py"},
    chosen=["web", "extra", "notes"],
)


class Recording(Scene):
    """Keeps every answer of the tool. told: commands and answers, in order."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, lines=0)
        self.release = "1.0"
        self.answers: dict[str, dict[str, list[str]]] = {}
        self.told: list[str] = []

    def run(self, *command: str, expect: int = 0, show: bool = True) -> str:
        if command[:3] == ("git", "switch", "-q") and command[-1].startswith("release-"):
            self.release = command[-1].removeprefix("release-")
        answer = super().run(*command, expect=expect, show=show)
        if command[:2] == ("git", "assay"):
            self.answers.setdefault(self.release, {}).setdefault(command[2], []).append(answer)
            self.told.append(f"$ {shlex.join(command)}\n{answer}")
        return answer


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    folder = tmp_path_factory.mktemp("slice")
    sources = [_release(folder / str(number), files) for number, files in enumerate((FIRST, SECOND, THIRD))]
    scene = Recording(folder / "scene")
    play(scene, OPTIONS, sources)
    return scene


@pytest.fixture
def answers(scene: Recording) -> Answers:
    return scene.answers


def _release(place: Path, files: Mapping[str, str]) -> Path:
    for path, text in files.items():
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        (place / path).write_text(text)
    return place


def _standings(status: str) -> dict[str, str]:
    """Module -> the word before its check."""
    found: dict[str, str] = {}
    module = ""
    for line in status.splitlines():
        if line and not line.startswith(" "):
            module = line.split()[0]
        elif "tests:parses" in line:
            found[module] = line.split()[0]
    return found


def test_what_is_attested_is_fresh(answers: Answers) -> None:
    assert _standings(answers["1.0"]["status"][0]) == {"web": "fresh", "extra": "fresh", "notes": "fresh"}


def test_the_radius_comes_nearest_first_with_the_chain_that_carries_it(
    answers: Answers,
) -> None:
    lines = answers["1.1"]["radius"][0].splitlines()
    modules = [line.split()[0] for line in lines if line.endswith("alice@example.com") and line[0] not in " a"]
    assert modules == ["extra", "rates", "money", "orders", "web"]
    web = lines[next(number for number, line in enumerate(lines) if line.startswith("web ")) :]
    assert web[1:3] == [
        "    through web/page.py:1 -> orders/cart.py:1 -> money/price.py:1 -> rates/table.py",
        "    tests:parses goes stale",
    ]
    assert "    tests:parses holds (code digest unchanged)" in lines
    assert "run: git assay attest web" in lines


def test_what_a_file_three_imports_away_reaches_is_stale_with_its_chain_and_the_rest_is_fresh(
    answers: Answers,
) -> None:
    changed = answers["1.1"]["status"][0]
    assert _standings(changed) == {"web": "stale", "extra": "fresh", "notes": "fresh"}
    below = "web/page.py:1 -> orders/cart.py:1 -> money/price.py"
    assert f"rates/table.py changed, through {below}:1 -> rates/table.py" in changed
    moved = answers["1.2"]["status"][0]
    assert _standings(moved) == {"web": "stale", "extra": "fresh", "notes": "fresh"}
    for line in (
        f"money/price.py changed, through {below}",
        f"rates/rate.py entered, through {below}:1 -> rates/rate.py",
        f"rates/table.py left, through {below}:1 -> rates/table.py",
    ):
        assert f"        {line}\n" in moved


@pytest.mark.parametrize(("release", "lacking"), [("1.1", "1 review"), ("1.2", "2 reviews")])
def test_the_gate_is_closed_for_what_lacks_and_open_when_it_is_there(
    answers: Answers, release: str, lacking: str
) -> None:
    closed, opened = answers[release]["gate"]
    assert closed.startswith(f"closed: {lacking} (maintainers), 1 check (maintainers)\n")
    assert "maintainers: git assay attest web --check parses\n" in closed
    assert opened.startswith("open: ")


@pytest.mark.parametrize("release", ["1.1", "1.2"])
def test_only_what_is_stale_runs_again(answers: Answers, release: str) -> None:
    [ran] = answers[release]["attest"]
    assert [line.split()[2] for line in ran.splitlines() if line.startswith("pass")] == ["web"]
    assert "2 fresh, not run again" in ran


@pytest.mark.parametrize("release", ["1.1", "1.2"])
def test_evidence_of_the_branch_is_fresh_after_it_is_squashed(answers: Answers, release: str) -> None:
    _, squashed = answers[release]["status"]
    assert _standings(squashed) == {"web": "fresh", "extra": "fresh", "notes": "fresh"}


def test_what_people_read_is_as_it_was_reviewed(scene: Recording) -> None:
    """`ASSAY_GOLDEN=write` rewrites the golden transcript."""
    told = _same_everywhere("\n".join(scene.told), scene)
    if os.environ.get("ASSAY_GOLDEN") == "write":
        GOLDEN.write_text(told, encoding="utf-8")
    assert told.count("$ git assay ") == len(scene.told) == 19
    assert told == GOLDEN.read_text(encoding="utf-8")


def _same_everywhere(text: str, scene: Recording) -> str:
    """Without what differs from run to run: ids (their first eight digits or more), times, places."""
    text = text.replace(str(scene.home), "HOME")
    text = re.sub(r"\b\d{4}-\d\d-\d\dT[\d:]+Z", "TIME", text)
    text = re.sub(r"in \d+\.\d s", "in N s", text)
    return re.sub(r"\b[0-9a-f]{8,64}\b", "ID", text)
