"""What did one check say? A card's command, run once, becomes an outcome.

Steps: 1 note the state of the report file; 2 run the command (processes.py) with the child's environment
(environment.py); 3 hash the log; 4 count the report's cases, only when this run wrote it; 5 turn the exit code into a
verdict by the card's map.
**Source:** design 30-evidence §5, 10-modules §2.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from git_assay.checks.environment import environment_digest
from git_assay.checks.junit import REPORT_LIMIT, BadReportError, CaseCounts, count_cases
from git_assay.checks.processes import Ended, Limits, run_command
from git_assay.checks.verdicts import Verdict, verdict_of
from git_assay.modules.card import Check
from git_assay.values.ids import Digest

_BLOCK = 1 << 20
TAIL = 4096  # bytes of the log's end that are kept for people


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """What one run of one check said.

    log, environment: SHA-256.  tail: last TAIL bytes of the log, for people, in no record.  counts: None without a
    report that this run wrote; `note` then says why where a report was promised.
    """

    verdict: Verdict
    ended: Ended
    log: Digest
    environment: Digest
    tail: bytes
    counts: CaseCounts | None
    note: str | None


def run_check(check: Check, root: Path, env: Mapping[str, str], *, stop: threading.Event) -> CheckOutcome:
    """Runs one check in `root` and returns what it said; an outcome with `ended.stopped` is not evidence.

    env: the child's whole environment (environment.child_environment).  Raises AssayError when no shell can be started.
    """
    before = _report_state(root, check.report)  # 1
    with tempfile.TemporaryFile() as log:
        ended = run_command(check.run, root, env, log=log, limits=Limits(check.timeout, stop))  # 2
        log_digest, tail = _hash_log(log)  # 3
    counts, note = _read_counts(root, check.report, before)  # 4
    return CheckOutcome(
        verdict=verdict_of(ended, check.verdicts),
        ended=ended,
        log=log_digest,
        environment=environment_digest(check.run, env),
        tail=tail,
        counts=counts,
        note=note,
    )


def _hash_log(log: IO[bytes]) -> tuple[Digest, bytes]:
    hashed = hashlib.sha256()
    log.seek(0)
    tail = b""
    while block := log.read(_BLOCK):
        hashed.update(block)
        tail = (tail + block)[-TAIL:]
    return Digest(hashed.hexdigest()), tail


def _report_state(root: Path, report: str | None) -> tuple[int, ...] | None:
    """Returns what tells one writing of the report from another; None when there is no such file."""
    if report is None:
        return None
    try:
        found = (root / report).lstat()
    except OSError:
        return None
    return (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


def _read_counts(
    root: Path, report: str | None, before: tuple[int, ...] | None
) -> tuple[CaseCounts | None, str | None]:
    if report is None:
        return None, None
    path = root / report
    if not path.resolve().is_relative_to(root.resolve()):
        return None, f"report {report} is outside the repository"
    after = _report_state(root, report)
    if after is None:
        return None, f"no report at {report}"
    if after == before:
        return None, f"report {report} is left from an earlier run"
    try:
        return count_cases(_read_regular(path)), None
    except (BadReportError, OSError) as error:
        return None, f"report {report}: {error}"


def _read_regular(path: Path) -> bytes:
    """Returns at most one byte more than the limit; a link, device or pipe is an OSError, never a wait."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise BadReportError("not a regular file")
        return file.read(REPORT_LIMIT + 1)
