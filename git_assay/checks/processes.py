"""How is a command run so that it ends, with everything it started?

The command gets its own session (and so its own process group). When it ends, is over its time or its log over its
size, or the caller stops, the whole group is ended: SIGTERM, then SIGKILL after a grace period. Descendants that left
the group (`setsid`, daemons) are found where the system shows process environments (`/proc`), by the marker that they
inherited; one that also wiped its environment is not found.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from git_assay.checks.environment import MARKER
from git_assay.errors import AssayError

LOG_LIMIT = 512 * 1024 * 1024  # bytes of output after which a check is ended; on disk, never in memory
GRACE_S = 2.0  # between SIGTERM and SIGKILL
_POLL_S = 0.02  # how late an end, a limit or a stop may be noticed
_SHELL = "/bin/sh"  # POSIX; `run` on a card is a command line of this shell


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended. exit: its code, negative for a signal.  duration_ms: wall time.

    timed_out, flooded: the time or the log limit ended it.  stopped: the caller did.
    """

    exit: int
    duration_ms: int
    timed_out: bool = False
    flooded: bool = False
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class Limits:
    """timeout_s: wall time in seconds.  stop: set when the caller stops.  log_bytes: of output.

    grace_s: between SIGTERM and SIGKILL.
    """

    timeout_s: float
    stop: threading.Event
    log_bytes: int = LOG_LIMIT
    grace_s: float = GRACE_S


def run_command(command: str, root: Path, env: Mapping[str, str], *, log: IO[bytes], limits: Limits) -> Ended:
    """Runs `command` through the shell in `root`, output and errors into `log`; returns how it ended.

    Nothing that it started is left alive. Raises AssayError when it cannot be started.
    """
    started = time.monotonic()
    try:
        process = subprocess.Popen(
            (_SHELL, "-c", command),
            cwd=root,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        raise AssayError(f"cannot start {_SHELL}: {error.strerror}") from error
    why = ""
    try:
        why = _wait(process, log, limits, deadline=started + limits.timeout_s)
    finally:
        _end_all(process, env.get(MARKER, ""), grace_s=limits.grace_s)
    duration_ms = round((time.monotonic() - started) * 1000)
    return Ended(
        process.returncode,
        duration_ms,
        timed_out=why == "timeout",
        flooded=why == "flood" or os.fstat(log.fileno()).st_size > limits.log_bytes,
        stopped=why == "stop",
    )


def _wait(process: subprocess.Popen[bytes], log: IO[bytes], limits: Limits, *, deadline: float) -> str:
    """Returns why waiting ended: "" when the command ended by itself."""
    while process.poll() is None:
        if limits.stop.is_set():
            return "stop"
        if time.monotonic() >= deadline:
            return "timeout"
        if os.fstat(log.fileno()).st_size > limits.log_bytes:
            return "flood"
        limits.stop.wait(_POLL_S)
    return ""


def _end_all(process: subprocess.Popen[bytes], mark: str, *, grace_s: float) -> None:
    _signal(process.pid, mark, signal.SIGTERM)
    deadline = time.monotonic() + grace_s
    while time.monotonic() < deadline and _is_alive(process, mark):
        time.sleep(_POLL_S)
    # Until nothing is left: between a look and a signal a process may have started another.
    for _ in range(100):
        if not _is_alive(process, mark):
            break
        _signal(process.pid, mark, signal.SIGKILL)
        time.sleep(_POLL_S)
    process.wait()


def _is_alive(process: subprocess.Popen[bytes], mark: str) -> bool:
    if process.poll() is None:
        return True
    try:
        os.killpg(process.pid, 0)
    except ProcessLookupError:
        return any(True for _ in _marked(mark))
    except PermissionError:
        return True
    return any(not _is_zombie(pid) for pid in _group(process.pid)) or any(True for _ in _marked(mark))


def _signal(group: int, mark: str, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)
    for pid in _marked(mark):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def _marked(mark: str) -> Iterator[int]:
    """Yields the live processes that carry the marker of this run."""
    if not mark:
        return
    wanted = f"{MARKER}={mark}".encode()
    for pid in _pids():
        with contextlib.suppress(OSError):
            if wanted in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0") and not _is_zombie(pid):
                yield pid


def _group(group: int) -> Iterator[int]:
    for pid in _pids():
        with contextlib.suppress(OSError):
            if os.getpgid(pid) == group:
                yield pid


def _pids() -> Iterator[int]:
    with contextlib.suppress(OSError):
        for name in os.listdir("/proc"):
            if name.isdigit():
                yield int(name)


def _is_zombie(pid: int) -> bool:
    try:
        # The state follows the command name, which stands in parentheses and may hold any character.
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] in (b"Z", b"X")
    except (OSError, IndexError):
        return True
