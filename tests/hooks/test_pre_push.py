"""What does the pre-push hook let through, and does evidence go along without asking anybody?"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from git_assay.cli.prepush import read_mode, read_push
from git_assay.cli.session import Session
from git_assay.errors import AssayError
from git_assay.git.pushing import push_quietly
from git_assay.git.repository import Repository
from tests.cli.command import Answer, assay
from tests.repos import Repo

LOG = "refs/notes/assay-evidence/aaaaaaaaaaaaaaaa"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "repo").init()
    made.write("a.txt", "a")
    made.commit()
    remote = Repo(tmp_path / "remote.git").init("sha1", "--bare")
    made.git("remote", "add", "origin", str(remote.path))
    made.git("push", "-q", "origin", "main")
    made.git("fetch", "-q", "origin")
    return made


@pytest.fixture
def remote(repo: Repo, tmp_path: Path) -> Repo:
    return Repo(tmp_path / "remote.git")


def write_log(repo: Repo, content: str = "record") -> str:
    """Makes an evidence log by hand; its content does not matter to the one who sends it."""
    blob = fed(repo, content, "hash-object", "-w", "--stdin")
    commit = repo.git("commit-tree", "-m", "log", fed(repo, f"100644 blob {blob}\taa\n", "mktree"))
    repo.git("update-ref", LOG, commit)
    return commit


def fed(repo: Repo, given: str, *args: str) -> str:
    return repo.git_bytes(args, stdin=given.encode()).decode().strip()


def hook(repo: Repo, given: str = "", env: Mapping[str, str] | None = None, *args: str) -> Answer:
    return assay("hook", "pre-push", *(args or ("origin", "url")), cwd=repo.path, given=given, env=env)


def line(repo: Repo, new: str, *, to: str = "refs/heads/x", old: str = "0" * 40) -> str:
    return f"refs/heads/x {repo.git('rev-parse', new)} {to} {old}\n"


def opened(repo: Repo) -> Repository:
    return Repository.discover(repo.path, dict(os.environ))


def test_evidence_is_sent_along_by_a_real_push(repo: Repo, remote: Repo, assay_on_path: Path) -> None:
    assert assay("hooks", "install", cwd=repo.path).code == 0
    repo.git("config", "assay.prePush", "off")
    tip = write_log(repo)
    repo.write("a.txt", "b")
    repo.commit("b", GIT_AUTHOR_DATE="2026-01-03T00:00:00Z")
    repo.git("push", "-q", "origin", "main")
    assert remote.git("rev-parse", LOG) == tip
    assert remote.git("rev-parse", "main") == repo.head()


def test_evidence_is_sent_along_from_a_linked_worktree(
    repo: Repo, remote: Repo, assay_on_path: Path, tmp_path: Path
) -> None:
    assay("hooks", "install", cwd=repo.path)
    repo.git("config", "assay.prePush", "off")
    repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))
    tip = write_log(repo)
    Repo(tmp_path / "linked").git("push", "-q", "origin", "side")
    assert remote.git("rev-parse", LOG) == tip


def test_a_push_of_evidence_only_sends_nothing_more(repo: Repo, remote: Repo) -> None:
    write_log(repo)
    answer = hook(repo, line(repo, LOG, to=LOG))
    assert (answer.code, answer.err) == (0, "")
    assert remote.git("for-each-ref", "refs/notes") == ""


def test_evidence_that_cannot_be_sent_lets_the_push_go_and_says_what_to_type(repo: Repo, remote: Repo) -> None:
    repo.git("config", "assay.prePush", "off")
    write_log(repo, "theirs")
    repo.git("push", "-q", "origin", LOG)
    write_log(repo, "ours")
    answer = hook(repo)
    assert answer.code == 0
    assert "evidence was not sent along" in answer.err
    assert "hint: git push origin 'refs/notes/assay-evidence/*'" in answer.err
    assert remote.git("cat-file", "-p", f"{LOG}:aa") == "theirs"


def test_what_the_remote_is_known_to_have_is_not_sent_again(repo: Repo, remote: Repo) -> None:
    repo.git("config", "assay.prePush", "off")
    tip = write_log(repo)
    repo.git("update-ref", f"refs/assay/remotes/origin/{LOG.rpartition('/')[2]}", tip)
    assert hook(repo).code == 0
    assert remote.git("for-each-ref", "refs/notes") == ""


def test_a_failing_push_is_an_answer(repo: Repo, tmp_path: Path) -> None:
    sent = push_quietly(opened(repo), str(tmp_path / "nowhere"), ["main:main"])
    assert not sent.ok
    assert "nowhere" in sent.said


@pytest.mark.parametrize(
    ("configured", "expected"),
    [
        (None, "-oBatchMode=yes"),
        ("/usr/bin/ssh -i key", "-i key"),
        ("ssh -i key", "-oBatchMode=yes"),
    ],
)
def test_ssh_is_told_not_to_ask(configured: str | None, expected: str, repo: Repo, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    program = tmp_path / "bin" / "ssh"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$@ $GIT_TERMINAL_PROMPT" > "{seen}"\nexit 1\n')
    program.chmod(0o755)
    if configured is not None:
        repo.git("config", "core.sshCommand", configured.replace("/usr/bin/ssh", str(program)))
    repository = Repository.discover(repo.path, {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"})
    assert not push_quietly(repository, "ssh://host.invalid/x", ["main:main"]).ok
    assert expected in seen.read_text()
    assert "-oBatchMode=yes" in seen.read_text()
    assert seen.read_text().endswith(" 0\n")


def test_a_misspelt_mode_is_an_error_and_not_advice(repo: Repo) -> None:
    repo.git("config", "assay.prePush", "enforced")
    answer = hook(repo, line(repo, "HEAD"))
    assert answer.code == 128
    assert "assay.prePush is 'enforced', not one of advise, enforce, off" in answer.err


def test_the_gate_is_advice_unless_configured(repo: Repo) -> None:
    assert read_mode(opened(repo)) == "advise"


def test_a_deletion_and_a_tag_of_no_commit_are_not_judged(repo: Repo) -> None:
    repo.git("config", "assay.prePush", "enforce")
    blob = repo.git("hash-object", "-w", "a.txt")
    repo.git("tag", "blob", blob)
    deletion = f"(delete) {'0' * 40} refs/heads/old {repo.head()}\n"
    answer = hook(repo, deletion + line(repo, "refs/tags/blob", to="refs/tags/blob"))
    assert (answer.code, answer.err) == (0, "")


def test_a_line_that_is_not_of_the_protocol_is_refused(repo: Repo) -> None:
    assert hook(repo, "what is this\n").code == 128


def test_the_pre_commit_framework_tells_of_one_ref_by_variables(repo: Repo) -> None:
    env = {
        "PRE_COMMIT_REMOTE_NAME": "origin",
        "PRE_COMMIT_TO_REF": repo.head(),
        "PRE_COMMIT_FROM_REF": "0" * 40,
        "PRE_COMMIT_REMOTE_BRANCH": "refs/heads/x",
    }
    push = read_push(Session(cwd=repo.path, env=env), b"", remote=None)
    assert push.remote == "origin"
    assert [(ref.remote, ref.new, ref.old) for ref in push.refs] == [("refs/heads/x", repo.head(), None)]


def test_without_a_remote_there_is_nothing_to_push_to(repo: Repo) -> None:
    with pytest.raises(AssayError, match="no remote"):
        read_push(Session(cwd=repo.path, env={}), b"", remote=None)
