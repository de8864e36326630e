"""What do people and machines read from `git assay cone` and `git assay graph`?"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.command import Answer, assay
from tests.cones.test_analysis import TREE
from tests.histories import CONFIG
from tests.repos import Repo

GOLDEN = Path(__file__).parent / "golden"
OPEN = "import importlib\nfrom ..low import x\n\n\ndef load(name):\n    return importlib.import_module(name)\n"
STORY = {
    **TREE,
    ".assay/config.yml": CONFIG + "open_accepted: [/util/text.py]\n",
    "util/text.py": "import numpy\n\n\ndef load(name):\n    return __import__(name)\n",
}


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """A base, and a change that makes something enter, leave, change and become open."""
    repo = Repo(tmp_path / "story").init()
    for path, text in STORY.items():
        repo.write(path, text)
    repo.commit("base")
    repo.write("base/low.py", "VALUE = 2\n")
    repo.write("base/more.py", OPEN)
    repo.write("base/core.py", "import base.low\nimport base.more\n")
    repo.write("app/main.py", "from base import core\n")
    repo.commit("change")
    return repo


CASES = {
    "cone.txt": ("cone", "app", "HEAD~1"),
    "cone-load.txt": ("cone", "app", "HEAD~1", "--reach", "load"),
    "cone.json": ("cone", "app", "HEAD~1", "--json"),
    "cone-open.txt": ("cone", "base"),
    "cone-open.json": ("cone", "base", "--json"),
    "hash.txt": ("cone", "base", "HEAD~1", "--hash"),
    "hash.json": ("cone", "base", "HEAD~1", "--hash", "--json"),
    "diff.txt": ("cone", "app", "--reach", "load", "--diff", "HEAD~1", "HEAD"),
    "diff.json": ("cone", "app", "--reach", "load", "--diff", "HEAD~1", "HEAD", "--json"),
    "diff-same.txt": ("cone", "app", "--diff", "HEAD", "HEAD"),
    "graph.txt": ("graph", "--files"),
    "graph.json": ("graph", "--files", "HEAD", "--json"),
}


@pytest.mark.parametrize("name", CASES)
def test_answers_are_what_was_reviewed(repo: Repo, name: str) -> None:
    answer = assay(*CASES[name], cwd=repo.path)
    assert (answer.code, answer.err) == (0, "")
    golden = GOLDEN / name
    assert answer.out == golden.read_text()


def test_members_and_edges_are_printed_raw_for_scripts(repo: Repo) -> None:
    members = assay("cone", "app", "HEAD~1", "--reach", "load", "-z", cwd=repo.path)
    assert members.out.split("\0")[:2] == ["app/__init__.py", "app/main.py"]
    fields = assay("graph", "--files", "HEAD~1", "-z", cwd=repo.path).out.split("\0")
    assert fields[:4] == ["app/main.py", "base/__init__.py", "load", "1"]
    assert len(fields) % 4 == 1


def test_the_graph_is_shown_before_adoption(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "plain").init()
    repo.write("a.py", "import b\n")
    repo.write("b.py", "")
    repo.commit()
    assert assay("graph", "--files", cwd=repo.path).out == "a.py:1 -> b.py (load)\n"
    answer = assay("cone", "a", cwd=repo.path)
    assert (answer.code, answer.out) == (128, "")
    assert "git assay init" in answer.err


def test_unknown_modules_and_wrong_options_are_refused(repo: Repo) -> None:
    def refused(answer: Answer, code: int, words: str) -> bool:
        return answer.code == code and not answer.out and words in answer.err

    assert refused(assay("cone", "nothing", cwd=repo.path), 129, "no module 'nothing'")
    assert refused(assay("cone", "app", "--diff", "HEAD~1", "HEAD", "-z", cwd=repo.path), 129, "--diff")
    assert refused(assay("cone", "app", "no-such-revision", cwd=repo.path), 128, "no-such-revision")


def test_graph_alone_says_what_it_does_not_know(repo: Repo) -> None:
    numbers, *doubts = assay("graph", cwd=repo.path).out.splitlines()
    assert "unresolved" in numbers
    assert set(doubts) < set(assay("graph", "--files", cwd=repo.path).out.splitlines())


def _bare(repo: Repo, place: Path) -> Path:
    repo.git("clone", "-q", "--bare", str(repo.path), str(place))
    return place


def _elsewhere(repo: Repo, place: Path) -> Path:
    repo.git("clone", "-q", str(repo.path), str(place / "a path with späces"))
    return place / "a path with späces"


def _untidy(repo: Repo, place: Path) -> Path:
    """The working directory is not the tree: nothing of it may count."""
    repo.write("base/low.py", "VALUE = 'dirty'\n")
    repo.write("base/ignored.py", "import app.main\n")
    return repo.path


@pytest.mark.parametrize("move", [_bare, _elsewhere, _untidy])
def test_digests_are_the_same_in_a_bare_clone_at_another_path_and_beside_an_untidy_working_directory(
    repo: Repo, tmp_path: Path, move: Callable[[Repo, Path], Path]
) -> None:
    expected = assay("cone", "base", "--hash", cwd=repo.path).out
    assert expected
    assert assay("cone", "base", "--hash", cwd=move(repo, tmp_path / "other")).out == expected


def test_digests_are_the_same_in_every_locale_and_time_zone(repo: Repo, tmp_path: Path) -> None:
    expected = assay("cone", "base", "--hash", cwd=repo.path).out
    for number, env in enumerate(
        ({"LC_ALL": "C"}, {"LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Tokyo"}, {"PYTHONHASHSEED": "7"})
    ):
        place = _bare(repo, tmp_path / str(number))  # no cache of the first answer
        assert assay("cone", "base", "--hash", cwd=place, env=env).out == expected


def test_digests_do_not_depend_on_the_object_format(tmp_path: Path) -> None:
    answers = []
    for object_format in ("sha1", "sha256"):
        repo = Repo(tmp_path / object_format).init(object_format)
        for path, text in STORY.items():
            repo.write(path, text)
        repo.commit()
        answers.append(json.loads(assay("cone", "base", "--hash", "--json", cwd=repo.path).out))
    assert answers[0].pop("tree") != answers[1].pop("tree")
    assert answers[0] == answers[1]
