"""When is the answer coloured? As git would: NO_COLOR, then color.assay and color.ui, and only for a terminal."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from git_assay.cli.session import Session
from tests.cli.command import environment
from tests.repos import Repo


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repo:
    monkeypatch.delenv("NO_COLOR", raising=False)
    return Repo(tmp_path).init()


def coloured(place: Path, stream: io.StringIO, **env: str) -> bool:
    with redirect_stdout(stream):
        return Session(cwd=place, env=environment({"TERM": "xterm", **env})).colour()


def test_a_terminal_is_coloured_unless_git_says_otherwise(repo: Repo) -> None:
    assert coloured(repo.path, Terminal())
    repo.git("config", "color.ui", "never")
    assert not coloured(repo.path, Terminal())
    repo.git("config", "color.assay", "always")
    assert coloured(repo.path, Terminal())


def test_no_color_and_a_dumb_terminal_are_plain(repo: Repo) -> None:
    assert not coloured(repo.path, Terminal(), NO_COLOR="1")
    assert not coloured(repo.path, Terminal(), TERM="dumb")


def test_what_is_no_terminal_is_plain_unless_git_pages_it(repo: Repo) -> None:
    assert not coloured(repo.path, io.StringIO())
    assert coloured(repo.path, io.StringIO(), GIT_PAGER_IN_USE="true")


def test_outside_a_repository_it_is_plain(tmp_path: Path) -> None:
    assert not coloured(tmp_path, Terminal())
