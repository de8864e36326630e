"""Is what ran what is signed, and does it hold exactly as long as its content?"""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from git_assay.errors import AssayError
from tests.attest.world import World, card
from tests.cli.command import environment

ALL = {"app", "mid", "low", "base", "other"}


def test_a_second_run_finds_everything_fresh(world: World) -> None:
    code, out = world.assay("attest", "--all")
    assert (code, out.count("pass")) == (0, 5)
    assert world.plan() == {"fresh": ALL, "unrun": set()}
    assert world.assay("attest", "--all") == (0, "5 fresh, not run again (--force runs them)\n")
    assert len(world.records()) == 5


def test_force_runs_what_is_fresh(world: World) -> None:
    world.assay("attest", "other")
    world.assay("attest", "other", "--force")
    assert [one["standing"] for one in world.records()] == ["valid", "valid"]


def test_somebody_elses_pass_does_not_spare_a_run(world: World) -> None:
    world.assay("attest", "other", by="bob")
    assert "other" in world.plan()["unrun"]


def test_a_change_three_imports_away_makes_stale_and_an_unrelated_one_does_not(world: World) -> None:
    world.assay("attest", "--all")
    world.repo.write("base/__init__.py", "value = 2\n")
    world.repo.commit()
    assert world.plan() == {"fresh": {"other"}, "unrun": {"app", "mid", "low", "base"}}
    world.repo.git("checkout", "-q", "HEAD~1")
    world.repo.write("other/__init__.py", "value = 2\n")
    world.repo.commit()
    assert world.plan()["unrun"] == {"other"}


def test_a_comment_leaves_checks_fresh_and_gives_reviewers_something_to_see(world: World) -> None:
    world.assay("attest", "--all")
    world.repo.branch("topic")
    world.repo.write("base/__init__.py", "value = 1  # one\n")
    world.repo.commit()
    assert world.plan()["unrun"] == set()
    seen = world.json("review", "--approve", "--yes", "-m", "fine")["seen"]
    assert [(one["module"], one["piece"]) for one in seen] == [("base", "base/__init__.py")]


@pytest.mark.parametrize("way", ["rebase", "squash", "cherry_pick"])
def test_evidence_survives_when_the_cone_does(world: World, way: str) -> None:
    world.repo.branch("topic")
    world.repo.write("low/__init__.py", "import base\nmore = 1\n")
    topic = world.repo.commit()
    world.assay("attest", "--all")
    world.repo.checkout("main")
    world.repo.write("notes.txt", "unrelated")
    world.repo.write("other/__init__.py", "value = 3\n")
    world.repo.commit()
    if way == "rebase":
        world.repo.checkout("topic")
        world.repo.rebase("main")
    else:
        getattr(world.repo, way)("topic")
    assert world.repo.head() != topic
    assert world.plan() == {"fresh": {"app", "mid", "low", "base"}, "unrun": {"other"}}


def test_affected_modules_are_those_that_the_change_reaches(world: World) -> None:
    world.repo.branch("topic")
    world.repo.write("low/__init__.py", "import base\nmore = 1\n")
    world.repo.commit()
    planned = world.json("attest", "--affected", "main..HEAD", "--dry-run")
    assert {one["module"] for one in planned["unrun"]} == {"app", "mid", "low"}


def test_a_changed_command_is_affected_and_not_fresh(world: World) -> None:
    world.assay("attest", "--all")
    world.repo.branch("topic")
    world.repo.write("other/assay.yml", card("other", "exit 0"))
    world.repo.commit()
    planned = world.json("attest", "--affected", "main..HEAD", "--dry-run")
    assert [one["module"] for one in planned["unrun"]] == ["other"]


def test_a_fail_is_signed_and_stands_until_the_same_log_passes(world: World) -> None:
    world.repo.write("other/assay.yml", card("other", 'test -e "$HOME/ready"'))
    world.repo.commit()
    assert world.assay("attest", "other")[0] == 1
    assert [(one["verdict"], one["standing"]) for one in world.records()] == [("fail", "valid")]
    Path(os.environ["HOME"], "ready").touch()
    assert world.assay("attest", "other")[0] == 0
    assert [(one["verdict"], one["standing"]) for one in world.records()] == [
        ("pass", "valid"),
        ("fail", "superseded"),
    ]


def test_a_dry_run_writes_and_runs_nothing(world: World) -> None:
    world.repo.write("other/assay.yml", card("other", "touch ran"))
    world.repo.commit()
    assert "run  other  unit  touch ran" in world.assay("attest", "other", "--dry-run")[1]
    assert not (world.repo.path / "ran").exists()
    assert world.records() == []


@pytest.mark.parametrize(
    ("path", "flag"),
    [
        ("other/__init__.py", None),
        ("other/__init__.py", "--assume-unchanged"),
        ("other/__init__.py", "--skip-worktree"),
        ("other/conftest.py", None),
        ("other/native.so", None),
    ],
)
def test_a_tree_that_is_not_the_commit_is_refused(world: World, path: str, flag: str | None) -> None:
    if flag:
        world.repo.git("update-index", flag, path)
    world.repo.write(path, "value = 'edited'\n")
    with pytest.raises(AssayError, match=f"not the commit\n  .*: {path}"):
        world.assay("attest", "other")
    assert world.records() == []


def test_an_ignored_file_that_could_be_loaded_is_refused_and_others_are_not(world: World) -> None:
    world.repo.write(".gitignore", "gen.py\n*.log\n")
    world.repo.commit()
    world.repo.write("run.log", "harmless")
    assert world.assay("attest", "other")[0] == 0
    world.repo.write("other/gen.py", "x = 1\n")
    with pytest.raises(AssayError, match=r"ignored, but loadable: other/gen\.py"):
        world.assay("attest", "other", "--force")


def test_an_edit_by_the_check_itself_is_caught(world: World) -> None:
    world.repo.write("other/assay.yml", card("other", "echo 'value = 9' > base/__init__.py"))
    world.repo.commit()
    with pytest.raises(AssayError, match="files changed while the checks ran; nothing is signed"):
        world.assay("attest", "other")
    assert world.records() == []


def test_a_missing_key_is_said_before_anything_runs(world: World) -> None:
    world.repo.write("other/assay.yml", card("other", "touch ran"))
    world.repo.commit()
    with pytest.raises(AssayError, match="cannot read the signing key"):
        world.assay("attest", "other", by="nobody")
    with pytest.raises(AssayError, match=r"is nobody's in \.assay/allowed_signers"):
        world.assay("attest", "other", by="eve")
    assert not (world.repo.path / "ran").exists()


def test_a_detached_head_is_attested(world: World) -> None:
    world.repo.git("checkout", "-q", "--detach")
    assert world.assay("attest", "other")[0] == 0
    assert world.records()[0]["place"] == world.repo.head()


def test_an_unborn_branch_has_nothing_to_attest(world: World) -> None:
    world.repo.git("checkout", "-q", "--orphan", "fresh")
    with pytest.raises(AssayError, match="branch 'fresh' has no commit yet"):
        world.assay("attest", "other")


def test_a_repository_that_has_not_adopted_says_so(world: World) -> None:
    world.repo.git("rm", "-rqf", ".assay")
    world.repo.commit()
    with pytest.raises(AssayError, match=r"\.assay") as caught:
        world.assay("attest", "other")
    assert caught.value.hint == "git assay init"


def test_an_unknown_module_and_an_unknown_check_are_usage_errors(world: World) -> None:
    with pytest.raises(AssayError, match="no module 'nope'"):
        world.assay("attest", "nope")
    with pytest.raises(AssayError, match="no selected module has a check named 'nope'"):
        world.assay("attest", "other", "--check", "nope")


def test_an_interrupt_signs_what_is_finished_and_leaves_nothing_running(world: World) -> None:
    world.repo.write("base/assay.yml", card("base", "true"))
    world.repo.write("other/assay.yml", card("other", 'sleep 600 & echo $! > "$HOME/pid"; wait'))
    world.repo.commit()
    env = environment(
        {
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "assay.signingKey",
            "GIT_CONFIG_VALUE_0": str(world.keys / "alice"),
        }
    )
    command = [sys.executable, "-m", "git_assay", "attest", "base", "other", "--jobs", "1"]
    running = subprocess.Popen(command, cwd=world.repo.path, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    pid = Path(os.environ["HOME"], "pid")
    while running.poll() is None and not (pid.exists() and pid.read_text().strip()):
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    out, _ = running.communicate(timeout=60)
    assert running.returncode == 130, out
    world.now = datetime.now(UTC)
    assert [one["modules"] for one in world.records()] == [["base"]]
    stat = Path("/proc", pid.read_text().strip(), "stat")
    assert not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] == "Z"


@pytest.mark.parametrize(
    ("kind", "after_a_comment"),
    [
        ("tests", "fresh"),
        ("property", "fresh"),
        ("resource", "fresh"),
        ("contract", "fresh"),
        ("explanation", "fresh"),
        ("static", "stale"),
        ("build", "stale"),
        ("spelling", "stale"),
    ],
)
def test_every_kind_of_check_is_attested_and_only_those_that_read_formatting_notice_it(
    world: World, kind: str, after_a_comment: str
) -> None:
    world.repo.write("other/assay.yml", card("other").replace("kind: tests", f"kind: {kind}"))
    world.repo.commit()
    code, answer = world.assay("attest", "other")
    assert (code, answer.splitlines()[0].split()[:3]) == (0, ["pass", kind, "other"])
    assert _standing(world, kind) == "fresh"
    world.repo.write("other/__init__.py", "value = 1  # one\n")
    world.repo.commit()
    assert _standing(world, kind) == after_a_comment
    world.repo.write("other/__init__.py", "value = 2\n")
    world.repo.commit()
    assert _standing(world, kind) == "stale"


def _standing(world: World, kind: str) -> str:
    """How the check of `other` stands."""
    lines = world.assay("status", "other", "--porcelain")[1].splitlines()
    [word] = [line.split("\t")[2] for line in lines if f"\t{kind}:unit\t" in line]
    return word


def test_progress_is_told_on_a_terminal_and_otherwise_only_what_failed(world: World) -> None:
    world.repo.write("other/assay.yml", card("other", "false"))
    world.repo.commit()
    quiet = _told(world, terminal=False)
    assert [line for line in quiet if line.startswith("[")] == ["[2/2] fail other unit: exit 1"]
    lines = [line for line in _told(world, terminal=True) if line.startswith("[")]
    assert [line.split(":")[0] for line in lines] == ["[1/2] pass base unit", "[2/2] fail other unit"]


def _told(world: World, *, terminal: bool) -> list[str]:
    """What `attest base other` says on stderr."""
    ours, theirs = pty.openpty() if terminal else os.pipe()
    command = [sys.executable, "-m", "git_assay", "attest", "base", "other", "--force", "--jobs", "1"]
    key = {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "assay.signingKey",
        "GIT_CONFIG_VALUE_0": str(world.keys / "alice"),
    }
    with os.fdopen(ours, "rb", buffering=0) as reader:
        done = subprocess.run(
            command, cwd=world.repo.path, env=environment(key), stdout=subprocess.PIPE, stderr=theirs, check=False
        )
        os.close(theirs)
        assert done.returncode == 1
        return reader.read(65536).decode().replace("\r", "").splitlines()
