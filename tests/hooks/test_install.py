"""Are hooks installed so that git runs them, beside what is there, and removed without a trace?"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from git_assay.adopt.hooks import EVENTS, HookState, How, install, remove, status
from git_assay.git.repository import Repository
from tests.repos import Repo

OLD = (2, 39)
NEW = (2, 54)
ORIGINAL = '#!/bin/sh\nwhile read line; do echo "other: $line" >> "$OTHER"; done\nexit 0\n'


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "repo").init()
    made.write("a.txt", "a")
    made.commit()
    return made


@pytest.fixture
def remote(tmp_path: Path, repo: Repo) -> Repo:
    made = Repo(tmp_path / "remote.git").init("sha1", "--bare")
    repo.git("remote", "add", "origin", str(made.path))
    return made


def opened(repo: Repo) -> Repository:
    return Repository.discover(repo.path, dict(os.environ))


def hook(repo: Repo, event: str) -> Path:
    return repo.path / ".git" / "hooks" / event


def write_hook(repo: Repo, event: str, text: str) -> Path:
    file = hook(repo, event)
    file.write_text(text)
    file.chmod(0o755)
    return file


def ways(states: tuple[HookState, ...]) -> list[tuple[str, How, bool]]:
    return [(state.event, state.how, state.fires) for state in states]


def test_an_old_git_gets_hook_files_that_fire(repo: Repo, remote: Repo, recorder: Path) -> None:
    assert ways(install(opened(repo), version=OLD)) == [(event, How.FILE, True) for event in EVENTS]
    repo.write("a.txt", "b")
    head = repo.commit()
    repo.git("push", "-q", "origin", "main")
    zeros = "0" * 40
    assert recorder.read_text().splitlines() == [
        "hook pre-commit",
        f"hook pre-push origin {remote.path}",
        f"refs/heads/main {head} refs/heads/main {zeros}",
    ]


def test_a_failing_hook_stops_commit_and_push(repo: Repo, remote: Repo, recorder: Path) -> None:
    install(opened(repo), version=OLD)
    (recorder.parent / "code").write_text("1")
    head = repo.head()
    with pytest.raises(AssertionError, match="git commit"):
        repo.commit()
    with pytest.raises(AssertionError, match="git push"):
        repo.git("push", "-q", "origin", "main")
    assert repo.head() == head
    assert remote.git("for-each-ref") == ""


def test_a_hook_that_is_there_runs_too_and_gets_the_same_input(
    repo: Repo, remote: Repo, recorder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = recorder.parent / "other"
    monkeypatch.setenv("OTHER", str(other))
    write_hook(repo, "pre-push", ORIGINAL)
    install(opened(repo), version=OLD)
    repo.git("push", "-q", "origin", "main", "HEAD:refs/heads/b$(x)")
    given = recorder.read_text().splitlines()[1:]
    assert len(given) == 2
    assert other.read_text().splitlines() == [f"other: {line}" for line in given]


def test_a_hook_that_is_there_reads_nothing_when_nothing_is_pushed(
    repo: Repo, remote: Repo, recorder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = recorder.parent / "other"
    monkeypatch.setenv("OTHER", str(other))
    write_hook(repo, "pre-push", ORIGINAL)
    repo.git("push", "-q", "origin", "main")
    other.unlink()
    install(opened(repo), version=OLD)
    repo.git("push", "-q", "origin", "main")
    assert not other.exists()


def test_installing_twice_changes_nothing(repo: Repo, recorder: Path) -> None:
    write_hook(repo, "pre-push", ORIGINAL)
    install(opened(repo), version=OLD)
    once = hook(repo, "pre-push").read_text()
    install(opened(repo), version=OLD)
    assert hook(repo, "pre-push").read_text() == once


def test_removing_gives_back_what_was_there(repo: Repo, recorder: Path) -> None:
    write_hook(repo, "pre-push", ORIGINAL)
    install(opened(repo), version=OLD)
    assert ways(remove(opened(repo))) == [(event, How.NONE, False) for event in EVENTS]
    assert hook(repo, "pre-push").read_text() == ORIGINAL
    assert not hook(repo, "pre-commit").exists()


def test_hooks_of_a_linked_worktree_are_those_of_the_repository(repo: Repo, recorder: Path, tmp_path: Path) -> None:
    repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))
    linked = Repo(tmp_path / "linked")
    install(opened(linked), version=OLD)
    linked.commit()
    repo.commit()
    assert recorder.read_text().splitlines() == ["hook pre-commit"] * 2


def test_a_new_git_gets_config_hooks_and_no_file(repo: Repo) -> None:
    repository = opened(repo)
    install(repository, version=NEW)
    assert repo.git("config", "--get-regexp", r"^hook\.").splitlines() == [
        "hook.assay-pre-commit.event pre-commit",
        "hook.assay-pre-commit.command git assay hook pre-commit",
        "hook.assay-pre-push.event pre-push",
        "hook.assay-pre-push.command git assay hook pre-push",
        "hook.assay-post-merge.event post-merge",
        "hook.assay-post-merge.command git assay hook post-merge",
        "hook.assay-post-rewrite.event post-rewrite",
        "hook.assay-post-rewrite.command git assay hook post-rewrite",
    ]
    assert not hook(repo, "pre-push").exists()
    assert ways(status(repository, version=NEW)) == [(event, How.CONFIG, True) for event in EVENTS]
    remove(repository)
    assert ways(status(repository, version=NEW)) == [(event, How.NONE, False) for event in EVENTS]


def test_config_hooks_that_an_older_git_ignores_do_not_count_as_firing(repo: Repo) -> None:
    install(opened(repo), version=NEW)
    states = status(opened(repo), version=OLD)
    assert [state.fires for state in states] == [False for _ in EVENTS]
    assert all("older than 2.54" in state.advice[0] for state in states)


def test_an_older_git_gets_files_though_config_hooks_are_set(repo: Repo, recorder: Path) -> None:
    install(opened(repo), version=NEW)
    assert ways(install(opened(repo), version=OLD)) == [(event, How.FILE, True) for event in EVENTS]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("#!/usr/bin/env bash\n# File generated by pre-commit: https://pre-commit.com\n", "git-assay-pre-push"),
        ("#!/bin/sh\ncall_lefthook run pre-push\n", "lefthook owns this hook"),
        ("#!/usr/bin/env python3\nprint(1)\n", "is not a shell script"),
    ],
)
def test_a_hook_of_another_program_is_left_alone_and_joining_is_told(repo: Repo, text: str, said: str) -> None:
    file = write_hook(repo, "pre-push", text)
    state = install(opened(repo), version=OLD)[1]
    assert (state.how, state.fires) == (How.NONE, False)
    assert any(said in line for line in state.advice)
    assert file.read_text() == text


def test_core_hooks_path_is_left_alone_and_joining_is_told(repo: Repo) -> None:
    repo.git("config", "core.hooksPath", ".husky")
    states = install(opened(repo), version=OLD)
    assert all("core.hooksPath is .husky" in state.advice[0] for state in states)
    assert not (repo.path / ".husky").exists()


def test_a_hook_that_is_not_executable_does_not_fire(repo: Repo) -> None:
    install(opened(repo), version=OLD)
    hook(repo, "pre-commit").chmod(0o644)
    state = status(opened(repo), version=OLD)[0]
    assert not state.fires
    assert "chmod +x" in state.advice[0]
