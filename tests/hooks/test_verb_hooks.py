"""What does `git assay hooks` say, and with which exit code?"""

from __future__ import annotations

import json
from pathlib import Path

from git_assay.adopt.hooks import EVENTS
from tests.cli.command import assay
from tests.repos import Repo


def test_install_status_and_remove_through_the_command_line(tmp_path: Path) -> None:
    repo = Repo(tmp_path).init()
    assert assay("hooks", "status", cwd=repo.path).code == 1
    installed = assay("hooks", "install", cwd=repo.path)
    assert (installed.code, installed.err) == (0, "")
    seen = assay("hooks", "status", "--json", cwd=repo.path)
    document = json.loads(seen.out)
    assert seen.code == 0
    assert document["format"] == "assay-hooks/1"
    assert [(hook["event"], hook["fires"]) for hook in document["hooks"]] == [(event, True) for event in EVENTS]
    assert assay("hooks", "remove", cwd=repo.path).out.count("not installed") == len(EVENTS)


def test_a_place_that_is_not_ours_is_told_and_exits_with_1(tmp_path: Path) -> None:
    repo = Repo(tmp_path).init()
    repo.git("config", "core.hooksPath", ".husky")
    answer = assay("hooks", "install", cwd=repo.path)
    # A git with config hooks needs no file, so it installs all the same.
    told = "core.hooksPath is .husky" in answer.out
    assert answer.code == (1 if told else 0)


def test_outside_a_repository_there_is_one_message(tmp_path: Path) -> None:
    answer = assay("hooks", "install", cwd=tmp_path)
    assert (answer.code, answer.out) == (128, "")
    assert answer.err.startswith("error: ")
    assert "hint: git init" in answer.err
