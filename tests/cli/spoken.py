"""What did a command say? Runs one in this process, and takes from its words what varies."""

from __future__ import annotations

import io
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

import pytest

from git_assay.cli import boundary

_VARIES = (
    (re.compile(r"\b[0-9a-f]{40}\b"), "OID"),
    (re.compile(r"\b[0-9a-f]{12}\b"), "ID"),
    (re.compile(r"at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ decision"), "at TIME decision"),
    (re.compile(r"SHA256:[A-Za-z0-9+/]{43}"), "FINGERPRINT"),
)


@dataclass(frozen=True)
class Spoken:
    """line: what was typed after `git assay`.  said: stderr, with ids and places replaced."""

    line: str
    code: int
    said: str


def speak(
    line: str, place: Path, root: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Spoken:
    """Runs `git assay LINE` in `place`, without a terminal. root: shown as ROOT."""
    monkeypatch.chdir(place)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    capfd.readouterr()
    code = boundary.guarded(shlex.split(line))
    said = capfd.readouterr().err.replace(str(root), "ROOT")
    for pattern, word in _VARIES:
        said = pattern.sub(word, said)
    return Spoken(line, code, said)
