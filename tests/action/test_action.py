"""Which range does the action judge on each event, and what does it report? Its scripts run as they stand."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.repos import Repo

ROOT = Path(__file__).parents[2]
ZEROS = "0" * 40


def action() -> dict[str, Any]:
    found = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


def steps() -> dict[str, dict[str, Any]]:
    return {step["name"]: step for step in action()["runs"]["steps"]}


@dataclass(frozen=True)
class Job:
    """A runner: a repository, a stand-in for git assay that records its arguments, and the files a host gives."""

    repo: Repo
    folder: Path

    def gate(self, event: str, payload: object, *, answer: int = 0, said: str = "", **env: str) -> int:
        """Runs the step Gate and returns its exit code."""
        (self.folder / "event.json").write_text(json.dumps(payload))
        (self.folder / "answer").write_text(str(answer))
        (self.folder / "said").write_text(said)
        given = {"ASSAY_MODE": "enforce", "ASSAY_RANGE": "", "GITHUB_EVENT_NAME": event, **env}
        return self.step("Gate", given).returncode

    def step(self, name: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
        files = {
            "GITHUB_EVENT_PATH": "event.json",
            "GITHUB_OUTPUT": "output",
            "GITHUB_STEP_SUMMARY": "summary",
            "GITHUB_PATH": "path",
            "RUNNER_TEMP": "",
        }
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", steps()[name]["run"]],
            cwd=self.repo.path,
            env={**os.environ, **{key: str(self.folder / value) for key, value in files.items()}, **env},
            capture_output=True,
            text=True,
            check=False,
        )

    def read(self, name: str) -> str:
        file = self.folder / name
        return file.read_text() if file.exists() else ""

    @property
    def asked(self) -> str:
        return self.read("asked").strip()


@pytest.fixture
def job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Job:
    folder = tmp_path / "runner"
    folder.mkdir()
    program = folder / "bin" / "git-assay"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\ncd "{folder}"; echo "$@" > asked; cat said >&2; exit "$(cat answer)"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    repo = Repo(tmp_path / "repo").init()
    repo.write("a", "a")
    repo.commit()
    return Job(repo, folder)


def test_action_holds_the_public_schema() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-actions", ROOT / "action.yml"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_scripts_are_strict_and_take_nothing_from_expressions() -> None:
    for step in steps().values():
        assert step["shell"] == "bash"
        assert step["run"].startswith("set -euo pipefail\n")
        assert "${{" not in step["run"]
        assert "uses" not in step


def test_a_pull_request_is_judged_on_the_merge_against_its_first_parent(job: Job) -> None:
    old_base = job.repo.head()
    job.repo.branch("change")
    job.repo.write("b", "b")
    head = job.repo.commit()
    job.repo.checkout("main")
    job.repo.write("c", "c")
    tip = job.repo.commit()
    job.repo.merge("change")
    payload = {"pull_request": {"head": {"sha": head}, "base": {"sha": old_base}}}
    assert job.gate("pull_request", payload) == 0
    assert job.asked == f"gate --github {tip}..HEAD"
    assert job.read("output") == "decision=open\n"


def test_a_pull_request_whose_merge_is_not_checked_out_cannot_be_decided(job: Job) -> None:
    payload = {"pull_request": {"head": {"sha": job.repo.head()}}}
    assert job.gate("pull_request", payload) == 128
    assert job.asked == ""
    assert job.read("output") == "decision=undecided\n"


def test_a_merge_group_is_judged_from_its_base(job: Job) -> None:
    job.gate("merge_group", {"merge_group": {"base_sha": "b" * 40, "head_sha": "c" * 40}})
    assert job.asked == f"gate --github {'b' * 40}..{'c' * 40}"


def test_a_push_is_judged_from_what_was_there(job: Job) -> None:
    job.gate("push", {"before": "b" * 40, "after": "c" * 40})
    assert job.asked == f"gate --github {'b' * 40}..{'c' * 40}"


def test_a_push_of_a_new_branch_is_judged_against_its_target(job: Job) -> None:
    job.gate("push", {"before": ZEROS, "after": "c" * 40})
    assert job.asked == "gate --github"


def test_a_given_range_wins(job: Job) -> None:
    job.gate("schedule", {}, ASSAY_RANGE="v1..HEAD; touch pwned")
    assert job.asked == "gate --github v1..HEAD; touch pwned"
    assert not (job.repo.path / "pwned").exists()


def test_an_event_without_a_range_cannot_be_decided(job: Job) -> None:
    assert job.gate("schedule", {}) == 128


@pytest.mark.parametrize(
    ("answer", "mode", "code", "decision"),
    [
        (0, "enforce", 0, "open"),
        (1, "enforce", 1, "closed"),
        (128, "enforce", 128, "undecided"),
        (70, "enforce", 70, "undecided"),
        (1, "advise", 0, "closed"),
        (128, "advise", 0, "undecided"),
    ],
)
def test_exit_code_and_decision(answer: int, mode: str, code: int, decision: str, job: Job) -> None:
    assert job.gate("push", {"before": ZEROS}, answer=answer, ASSAY_MODE=mode) == code
    assert job.read("output") == f"decision={decision}\n"


def test_an_unknown_mode_cannot_be_decided(job: Job) -> None:
    assert job.gate("push", {"before": ZEROS}, ASSAY_MODE="advice") == 128


def test_words_of_the_change_can_neither_command_the_runner_nor_leave_their_fence(job: Job) -> None:
    hostile = "  ::set-env name=X::1\n``````````\n<script>"
    job.gate("push", {"before": ZEROS}, answer=128, said=hostile)
    summary = job.read("summary")
    assert summary.count("\n``````````\n") == 1
    assert summary.count("``````````") == 2
    done = job.step("Gate", {"ASSAY_MODE": "enforce", "ASSAY_RANGE": "", "GITHUB_EVENT_NAME": "push"})
    lines = done.stdout.splitlines()
    assert lines[0].startswith("::stop-commands::")
    token = lines[0].removeprefix("::stop-commands::")
    assert len(token) == 32
    assert lines[-1] == f"::{token}::"
    assert lines.index("  ::set-env name=X::1") < len(lines) - 1


def test_evidence_is_fetched_into_refs_that_nothing_else_writes(job: Job, tmp_path: Path) -> None:
    remote = Repo(tmp_path / "remote").init("sha1", "--bare")
    job.repo.git("remote", "add", "origin", str(remote.path))
    job.repo.git("push", "-q", "origin", "HEAD:refs/notes/assay-evidence/aaaa")
    assert job.step("Fetch evidence", {}).returncode == 0
    assert job.repo.git("rev-parse", "refs/assay/remotes/origin/aaaa") == job.repo.head()
    assert job.repo.git("for-each-ref", "refs/notes") == ""


def test_fetching_from_a_remote_without_evidence_is_no_error(job: Job, tmp_path: Path) -> None:
    remote = Repo(tmp_path / "remote").init("sha1", "--bare")
    job.repo.git("remote", "add", "origin", str(remote.path))
    assert job.step("Fetch evidence", {}).returncode == 0
