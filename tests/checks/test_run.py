"""Does a check's outcome say what happened, and does nothing outlive it?"""

from __future__ import annotations

import hashlib
import os
import threading
import tracemalloc
from pathlib import Path

import pytest

from git_assay.checks import processes
from git_assay.checks.environment import child_environment
from git_assay.checks.junit import CaseCounts
from git_assay.checks.run import CheckOutcome, run_check
from git_assay.checks.verdicts import Verdict
from git_assay.modules.card import Check, VerdictMap


def _run(root: Path, command: str, *, timeout: float = 30, report: str | None = None, retry: int = 1) -> CheckOutcome:
    check = Check("unit", "tests", command, timeout=timeout, verdicts=VerdictMap(retry=(retry,)), report=report)
    env = child_environment(os.environ, root=root, run=f"test-{os.getpid()}-{root.name}", bytecode=root / "pyc")
    return run_check(check, root, env, stop=threading.Event())


def _gone(pid: int) -> bool:
    return not Path(f"/proc/{pid}").exists() or processes._is_zombie(pid)


@pytest.mark.parametrize(
    ("command", "verdict"),
    [
        ("true", Verdict.PASS),
        ("exit 1", Verdict.RETRY),
        ("exit 2", Verdict.FATAL),
        ("exit 99", Verdict.FATAL),
        ("no-such-program-anywhere", Verdict.FATAL),
        ("kill -KILL $$", Verdict.FATAL),
        ("if then", Verdict.FATAL),
    ],
)
def test_exit_codes_become_verdicts_by_the_map(tmp_path: Path, command: str, verdict: Verdict) -> None:
    assert _run(tmp_path, command).verdict is verdict


def test_a_signal_is_a_negative_exit_code(tmp_path: Path) -> None:
    assert _run(tmp_path, "kill -SEGV $$").ended.exit == -11


def test_output_and_errors_are_hashed_and_their_end_is_kept(tmp_path: Path) -> None:
    outcome = _run(tmp_path, "printf out; printf err >&2")
    assert outcome.log == hashlib.sha256(b"outerr").hexdigest()
    assert outcome.tail == b"outerr"


def test_a_large_log_stays_out_of_memory(tmp_path: Path) -> None:
    tracemalloc.start()
    try:
        outcome = _run(tmp_path, "head -c 100000000 /dev/zero")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert outcome.verdict is Verdict.PASS
    assert len(outcome.tail) == 4096
    assert peak < 10_000_000


def test_a_flood_is_ended_and_fatal(tmp_path: Path) -> None:
    limits = processes.Limits(30, threading.Event(), log_bytes=100_000)
    with (tmp_path / "log").open("wb") as log:
        ended = processes.run_command("yes", tmp_path, {"PATH": os.environ["PATH"]}, log=log, limits=limits)
    assert ended.flooded


def test_a_timeout_ends_grandchildren_and_those_that_left_the_group(tmp_path: Path) -> None:
    command = "(sleep 600 & echo $! > a; wait) & setsid sh -c 'trap \"\" TERM; echo $$ > b; sleep 600' & sleep 600"
    outcome = _run(tmp_path, command, timeout=2)
    assert outcome.ended.timed_out
    assert outcome.verdict is Verdict.FATAL
    assert all(_gone(int((tmp_path / name).read_text())) for name in ("a", "b"))


def test_a_background_process_does_not_outlive_a_check_that_ends(tmp_path: Path) -> None:
    outcome = _run(tmp_path, "setsid sleep 600 & echo $! > a; while ! test -s a; do :; done; exit 0")
    assert outcome.verdict is Verdict.PASS
    assert _gone(int((tmp_path / "a").read_text()))


def test_a_stopped_check_is_ended_and_says_so(tmp_path: Path) -> None:
    stop = threading.Event()
    stop.set()
    outcome = run_check(Check("unit", "tests", "sleep 600"), tmp_path, {"PATH": os.environ["PATH"]}, stop=stop)
    assert outcome.ended.stopped
    assert outcome.verdict is Verdict.FATAL


def test_the_check_reads_nothing_from_the_terminal(tmp_path: Path) -> None:
    assert _run(tmp_path, "cat").tail == b""


REPORT = "<testsuite><testcase/><testcase><failure/></testcase></testsuite>"


def test_counts_come_from_a_report_that_this_run_wrote(tmp_path: Path) -> None:
    outcome = _run(tmp_path, f"echo '{REPORT}' > j.xml", report="j.xml")
    assert outcome.counts == CaseCounts(passed=1, failed=1, errors=0, skipped=0)


def test_a_stale_report_gives_no_counts(tmp_path: Path) -> None:
    (tmp_path / "j.xml").write_text(REPORT)
    outcome = _run(tmp_path, "true", report="j.xml")
    assert outcome.counts is None
    assert outcome.note == "report j.xml is left from an earlier run"


@pytest.mark.parametrize(
    ("command", "report"),
    [
        ("true", "j.xml"),
        ("echo x > j.xml", "j.xml"),
        ("ln -s /etc/passwd j.xml", "j.xml"),
        ("ln -s k.xml j.xml; echo '<testsuite/>' > k.xml", "j.xml"),
        ("mkfifo j.xml", "j.xml"),
        ("mkdir j.xml", "j.xml"),
        ("true", "../j.xml"),
        ("true", "/etc/passwd"),
    ],
)
def test_a_bad_report_gives_no_counts_and_a_reason(tmp_path: Path, command: str, report: str) -> None:
    outcome = _run(tmp_path, command, report=report)
    assert outcome.counts is None
    assert outcome.note is not None
    assert outcome.verdict is Verdict.PASS


def test_python_code_in_a_planted_bytecode_cache_is_not_run(tmp_path: Path) -> None:
    (tmp_path / "mod.py").write_text("value = 'planted'\n")
    mode = "py_compile.PycInvalidationMode.UNCHECKED_HASH"
    plant = f"python3 -c \"import py_compile; py_compile.compile('mod.py', invalidation_mode={mode})\""
    env = {"PATH": os.environ["PATH"]}
    run_check(Check("plant", "tests", plant), tmp_path, env, stop=threading.Event())
    (tmp_path / "mod.py").write_text("value = 'real'\n")
    show = Check("show", "tests", "python3 -c 'import mod; print(mod.value)'")
    assert run_check(show, tmp_path, env, stop=threading.Event()).tail == b"planted\n"
    assert _run(tmp_path, show.run).tail == b"real\n"
