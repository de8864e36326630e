"""A repository with two files and one commit, and a way to open any directory as the tool does."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from git_assay.git.repository import Repository
from tests.repos import Repo

Open = Callable[[Path], Repository]


@pytest.fixture
def open_repo() -> Open:
    return lambda path: Repository.discover(path, dict(os.environ))


@pytest.fixture(params=["sha1", "sha256"])
def repo(request: pytest.FixtureRequest, tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "repo").init(request.param)
    made.write("pkg/a.py", "one\n")
    made.write("top.txt", "top\n")
    made.commit("first")
    return made
