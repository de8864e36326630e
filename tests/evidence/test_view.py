"""Do people see, in git's own log, what is verified and nothing else?"""

from __future__ import annotations

import os
from pathlib import Path

from git_assay.evidence.publish import publish
from git_assay.evidence.read import read_evidence
from git_assay.evidence.store import NewLine, write_records
from git_assay.evidence.view import Held, aligned, write_view
from git_assay.git.repository import Repository
from git_assay.values.ids import ModuleId
from tests.evidence import workshop
from tests.evidence.workshop import ALICE, NOW
from tests.repos import Repo


def test_view_shows_verified_records_in_git_log(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo").init()
    commit = repo.commit("first")
    here = Repository.discover(repo.path, dict(os.environ))
    log = workshop.signer(ALICE).public_key.log
    forged = workshop.compact(workshop.envelope(workshop.payload(by="mallory"), b"SSHSIG"))
    write_records(here, log, [NewLine(workshop.line(), commit), NewLine(forged, commit)], subject="assay: two")
    evidence = read_evidence(here, workshop.keyring(), now=NOW)
    assert write_view(here, evidence)
    name = next(iter(evidence.records))[:8]
    shown = repo.git("log", "-1", "--format=%N", "--notes=assay").strip()
    assert shown == f"pass   tests   module-0   unit: exit 0 in 4.1 s   alice@example.com   2026-11-30 11:00Z   {name}"
    assert not write_view(here, evidence)


def test_commit_without_records_shows_what_holds(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo").init()
    first = repo.commit("first")
    second = repo.commit("second")
    here = Repository.discover(repo.path, dict(os.environ))
    publish(here, [workshop.unsigned()], workshop.signer(ALICE))
    asked = []

    def holds(commit: str) -> list[Held]:
        asked.append(commit)
        return [Held("tests", ModuleId("invoice"), first)] if commit == second else []

    write_view(here, read_evidence(here, workshop.keyring(), now=NOW), holds=holds)
    assert (
        repo.git("log", "-1", "--format=%N", "--notes=assay").strip() == f"holds   tests   invoice   from {first[:7]}"
    )
    assert sorted(asked) == sorted([first, second])


def test_hostile_words_are_shown_harmlessly() -> None:
    text = aligned([("pass", "te\x1b[2Jsts", "a"), ("approve", "review", "b\u202e")])
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert text.splitlines()[0].index("te") == text.splitlines()[1].index("review")
