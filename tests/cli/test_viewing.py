"""Does `git log --notes=assay` say what holds, and only what verified records say?"""

from __future__ import annotations

from pathlib import Path

import pytest

from git_assay.cli.demo.stage import Stage, set_stage
from git_assay.cli.demo.story import tell
from tests.cli.command import assay, environment
from tests.repos import Repo


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    """The repository that the demo leaves, on main after the squash."""
    stage = set_stage(tmp_path_factory.mktemp("stage"), environment({}), lambda line: None)
    tell(stage)
    return stage


def notes(stage: Stage, rev: str) -> list[list[str]]:
    text = Repo(stage.repository).git("log", "-1", "--notes=assay", "--format=%N", rev)
    return [line.split() for line in text.splitlines() if line.strip()]


def test_the_commit_that_was_attested_shows_its_records(told: Stage) -> None:
    rows = notes(told, "rounding")
    assert sorted(row[2] for row in rows if row[0] == "pass") == ["invoice", "money", "tax"]
    assert [row[1] for row in rows if row[0] == "approve"] == ["review"]


def test_a_squashed_commit_shows_what_holds_for_its_content(told: Stage) -> None:
    source = Repo(told.repository).git("rev-parse", "--short=7", "rounding").strip()
    rows = notes(told, "main")
    assert ["holds", "tests", "invoice", "from", source] in rows
    assert {row[0] for row in rows} == {"holds"}


def test_the_hook_after_a_rewrite_makes_the_view_anew(told: Stage, tmp_path: Path) -> None:
    repo = Repo(tmp_path / "copy")
    Repo(told.repository).git("clone", "-q", "--mirror", str(told.repository), str(tmp_path / "mirror"))
    Repo(tmp_path / "mirror").git("worktree", "add", "-q", str(repo.path), "main")
    repo.git("commit", "-q", "--amend", "-m", "other words")
    assert notes_of(repo) == []
    assert assay("hook", "post-rewrite", "amend", cwd=repo.path).code == 0
    assert ["holds", "tests", "money"] in [row[:3] for row in notes_of(repo)]


def notes_of(repo: Repo) -> list[list[str]]:
    text = repo.git("log", "-1", "--notes=assay", "--format=%N", "HEAD")
    return [line.split() for line in text.splitlines() if line.strip()]


def test_the_hook_is_silent_where_nothing_was_adopted(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "plain").init()
    repo.write("a.py", "x = 1\n")
    repo.commit("one")
    answer = assay("hook", "post-merge", "0", cwd=repo.path)
    assert (answer.code, answer.out, answer.err) == (0, "", "")
