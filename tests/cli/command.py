"""How does a test run `git assay` as its user would?"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Answer:
    """What a command left behind."""

    code: int
    out: str
    err: str


def assay(*args: str, cwd: Path, env: Mapping[str, str] | None = None, given: str = "") -> Answer:
    """Runs `git assay ARGS` in `cwd` with the test's environment and `env` on top."""
    done = subprocess.run(
        [sys.executable, "-m", "git_assay", *args],
        cwd=cwd,
        env=environment(env or {}),
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )
    return Answer(done.returncode, done.stdout, done.stderr)


def environment(extra: Mapping[str, str]) -> dict[str, str]:
    """Returns the test's environment in which this checkout can be imported from anywhere."""
    root = str(Path(__file__).parents[2])
    return {**os.environ, "PYTHONPATH": root, "PYTHONDONTWRITEBYTECODE": "", **extra}
