"""Does a fresh clone say that it has no evidence, and does what it says help?"""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.cli.command import assay
from tests.gate.test_signed_evidence import PEOPLE, Signed
from tests.repos import Repo


def _shared(tmp_path: Path) -> Repo:
    """Somebody attested and pushed branches and evidence; returns a plain clone of that."""
    world = Signed(tmp_path / "one")
    world.approve()
    world.store(PEOPLE[2], world.passing())
    world.repo.git("clone", "-q", "--mirror", str(world.repo.path), str(tmp_path / "hub.git"))
    world.repo.git("clone", "-q", str(tmp_path / "hub.git"), str(tmp_path / "two"))
    return Repo(tmp_path / "two")


def test_a_fresh_clone_says_that_it_sees_no_evidence_and_how_to_get_it(tmp_path: Path) -> None:
    clone = _shared(tmp_path)
    closed = assay("gate", "origin/main..origin/change", cwd=clone.path)
    assert closed.code == 1
    said, hint = closed.err.splitlines()
    assert said == "note: this clone has no evidence, and its fetches bring none of origin"
    assert assay("status", cwd=clone.path).err == closed.err

    subprocess.run(hint.removeprefix("hint: "), shell=True, check=True, cwd=clone.path)
    opened = assay("gate", "origin/main..origin/change", "--at", "2026-11-30T12:00:00Z", cwd=clone.path)
    assert (opened.code, opened.err) == (0, "")


def test_nothing_is_said_without_a_remote_or_where_fetches_bring_evidence(tmp_path: Path) -> None:
    clone = _shared(tmp_path)
    clone.git("config", "--add", "remote.origin.fetch", "+refs/notes/assay-evidence/*:refs/assay/remotes/origin/*")
    assert assay("status", cwd=clone.path).err == ""
    clone.git("remote", "remove", "origin")
    assert assay("status", cwd=clone.path).err == ""
