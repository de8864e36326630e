"""Does the tutorial work, word by word, and end where it says?"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.cli.command import environment

PAGE = Path(__file__).parents[2] / "docs" / "tutorial" / "first-hour.md"
_FENCE = re.compile(r"^```sh\n(.*?)^```", re.DOTALL | re.MULTILINE)


def test_the_tutorial_can_be_typed(tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    command = programs / "git-assay"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m git_assay "$@"\n')
    command.chmod(0o755)
    env = environment({})
    env["PATH"] = f"{programs}:{env['PATH']}"
    script = "\n".join(["set -e", *_FENCE.findall(PAGE.read_text(encoding="utf-8"))])
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    steps = (
        "no problem: 3 modules",
        "pass  tests  invoice",
        "1 fresh",
        "1 stale",
        "closed: 1\n",
        "pass  tests  invoice",
        "open: ",
        "holds",
    )
    rest = done.stdout
    for step in steps:
        assert step in rest, f"{step!r} is not where the tutorial says\n{done.stdout}"
        rest = rest.partition(step)[2]
