"""Is nothing lost when thirty processes write at once, while others are killed in the middle?"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from git_assay.evidence.log import log_ref
from git_assay.evidence.model import Evidence
from git_assay.evidence.publish import publish
from git_assay.evidence.read import read_evidence
from git_assay.git.repository import Repository
from tests.evidence import workshop
from tests.evidence.workshop import ALICE, NOW
from tests.repos import Repo

ROOT = Path(__file__).parents[2]
LOG = workshop.signer(ALICE).public_key.log
Process = subprocess.Popen[bytes]


def ready_writers(repo: Repo, numbers: Sequence[int]) -> list[Process]:
    """Starts a process for each number, each in a session of its own; returns when all wait for their sign."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.evidence.writing", str(repo.path), str(number)],
            env=env,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        for number in numbers
    ]
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
    return started


def let_go(writers: Sequence[Process]) -> None:
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write(b"\n")
        writer.stdin.flush()


def kill(writer: Process) -> None:
    """Kills a writer and the git that it runs, at once and for good."""
    os.killpg(writer.pid, signal.SIGKILL)
    writer.communicate()


def lock_of(repo: Repo) -> Path:
    return repo.path / ".git" / f"{log_ref(LOG)}.lock"


@contextmanager
def janitor(repo: Repo) -> Iterator[list[Path]]:
    """Removes a lock file that stays for half a second, as the hint of the error says. Gives those removed."""
    lock, removed, stop = lock_of(repo), [], threading.Event()

    def watch() -> None:
        seen: tuple[int, float] | None = None
        while not stop.wait(0.05):
            try:
                inode = lock.stat().st_ino
            except FileNotFoundError:
                seen = None
                continue
            if seen is None or seen[0] != inode:
                seen = (inode, time.monotonic())
            elif time.monotonic() - seen[1] > 0.5:
                lock.unlink(missing_ok=True)
                removed.append(lock)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield removed
    finally:
        stop.set()
        thread.join()


def opened(repo: Repo) -> Repository:
    return Repository.discover(repo.path, dict(os.environ))


def checks(evidence: Evidence) -> set[str]:
    runs = (record.statement.predicate.run for record in evidence.records.values())
    return {run.check for run in runs if run is not None}


def test_thirty_processes_at_once_lose_nothing_while_others_are_killed(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo").init()
    repo.commit("first")
    chance = random.Random(7)
    writers = ready_writers(repo, range(36))
    lasting, doomed = writers[:30], writers[30:]
    with janitor(repo):
        let_go(writers)
        for writer in doomed:
            time.sleep(chance.uniform(0.02, 0.5))
            kill(writer)
        complaints = [writer.communicate()[1] for writer in lasting]
    assert [writer.returncode for writer in lasting] == [0] * 30, complaints
    evidence = read_evidence(opened(repo), workshop.keyring(), now=NOW)
    written = {f"check-{n}" for n in range(30)}
    assert written <= checks(evidence) <= written | {f"check-{n}" for n in range(30, 36)}
    assert evidence.refused == ()
    assert not evidence.gaps
    assert repo.git("fsck", "--strict", "--no-dangling") == ""
    publish(opened(repo), [workshop.unsigned(workshop.run("after"))], workshop.signer(ALICE))
    assert checks(read_evidence(opened(repo), workshop.keyring(), now=NOW)) == checks(evidence) | {"after"}


def test_killed_writer_leaves_the_old_state_or_the_new_one(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo").init()
    repo.commit("first")
    chance = random.Random(11)
    before: set[str] = set()
    for writer in ready_writers(repo, range(10)):
        let_go([writer])
        time.sleep(chance.uniform(0.0, 0.25))
        kill(writer)
        lock_of(repo).unlink(missing_ok=True)
        evidence = read_evidence(opened(repo), workshop.keyring(), now=NOW)
        assert evidence.refused == ()
        assert before <= set(evidence.records)
        assert len(evidence.records) - len(before) in (0, 1)
        before = set(evidence.records)
    publish(opened(repo), [workshop.unsigned()], workshop.signer(ALICE))
    assert len(read_evidence(opened(repo), workshop.keyring(), now=NOW).records) == len(before) + 1


def test_a_lock_that_a_killed_git_left_is_waited_for_and_then_named(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo").init()
    repo.commit("first")
    here = opened(repo)
    publish(here, [workshop.unsigned()], workshop.signer(ALICE))
    lock_of(repo).write_bytes(b"")
    with janitor(repo) as removed:
        publish(here, [workshop.unsigned(workshop.run("b"))], workshop.signer(ALICE))
    assert removed
    assert checks(read_evidence(here, workshop.keyring(), now=NOW)) == {"unit", "b"}
