"""A PATH on which `git assay` is this checkout, or a recorder of calls."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest


@pytest.fixture
def assay_on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns a directory that is first on PATH and holds a `git-assay` that runs this checkout."""
    root = Path(__file__).parents[2]
    return _program(tmp_path, monkeypatch, f'PYTHONPATH={root} exec "{sys.executable}" -m git_assay "$@"\n')


@pytest.fixture
def recorder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns the file into which a stand-in for `git assay` writes its arguments and its input.

    It fails with the code that stands in the file `code` beside it.
    """
    record = tmp_path / "bin" / "record"
    script = f'{{ echo "$@"; [ "$2" = pre-push ] && cat; }} >> "{record}"; exit "$(cat "{record.parent}/code")"\n'
    _program(tmp_path, monkeypatch, script)
    (record.parent / "code").write_text("0")
    return record


def _program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "git-assay"
    program.write_text("#!/bin/sh\n" + script)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return folder
