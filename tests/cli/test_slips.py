"""What is said to a slip of the pen: a module, a revision, a check or a path that is not there?"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.situations import SITUATIONS, fingerprint
from tests.cli.spoken import Spoken, speak

MODULE = "error: no module 'shp' (did you mean 'shop'?)\nhint: git assay module list\n"
REVISION = "error: no commit named 'maim' (did you mean 'main'?)\nhint: git branch --all\n"

SAID = {
    "module show shp": (129, MODULE),
    "cone shp": (129, MODULE),
    "cone shp --hash": (129, MODULE),
    "cone shp --diff main HEAD": (129, MODULE.replace("'shp'", "'shp' in either tree")),
    "status shp": (129, MODULE),
    "log shp": (129, MODULE),
    "attest shp": (129, MODULE),
    "review --module shp --approve --yes -m fine": (129, MODULE),
    "waive shp --requirement tests --until 14d -m why": (129, MODULE),
    "module new new --goal Be. --parent shp": (129, MODULE.replace("'shp'", "'shp' that could be the parent")),
    "check maim": (128, REVISION),
    "check --base maim": (128, REVISION),
    "module list --rev maim": (128, REVISION),
    "owners shop/money.py --rev maim": (128, REVISION),
    "graph --files maim": (128, REVISION),
    "cone shop maim": (128, REVISION),
    "cone shop --diff maim HEAD": (128, REVISION),
    "status --rev maim": (128, REVISION),
    "radius maim..HEAD": (128, REVISION),
    "radius maim...HEAD": (128, REVISION),
    "gate maim..HEAD": (128, REVISION),
    "attest --affected maim..HEAD": (128, REVISION),
    "review maim..HEAD --approve --yes -m fine": (128, REVISION),
    "radius HEAD~9..HEAD": (128, "error: no commit named 'HEAD~9'\nhint: git log --oneline HEAD\n"),
    "status --rev aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa": (
        128,
        "error: OID is no commit and no tree here\nhint: git fetch --all\n",
    ),
    "attest --all --check unti": (
        129,
        "error: no selected module has a check named 'unti' (did you mean 'unit'?)\n"
        "hint: git assay attest --all --dry-run\n",
    ),
    "statsu": (129, "error: 'statsu' is not a git assay verb\nhint: git assay status\n"),
    "waive shop --requirement tests --until soon -m why": (
        129,
        "error: not a day (2026-12-31) or a span (48h, 14d): soon\nhint: git assay waive -h\n",
    ),
}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return SITUATIONS["ordinary"](tmp_path)


@pytest.mark.parametrize("line", SAID)
def test_a_slip_is_told_with_what_was_meant(
    line: str, place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    before = fingerprint(tmp_path)
    assert speak(line, place, tmp_path, monkeypatch, capfd) == Spoken(line, *SAID[line])
    assert fingerprint(tmp_path) == before


@pytest.mark.parametrize("line", ["attest --all", "review --approve --yes -m fine"])
def test_a_repository_that_cannot_be_written_is_told_before_anything_runs(
    line: str, place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)  # root, who runs tests, may write anywhere
    before = fingerprint(tmp_path)
    answer = speak(line, place, tmp_path, monkeypatch, capfd)
    assert answer.code == 128
    assert answer.said == (
        "error: evidence cannot be written: ROOT/repo/.git/objects is not writable by you\n"
        "hint: ls -ld ROOT/repo/.git/objects\n"
    )
    assert fingerprint(tmp_path) == before
