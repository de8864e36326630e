"""Does a log still give and take records when somebody put the strangest things into its notes?"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from git_assay.evidence import heads as heads_module
from git_assay.evidence.envelope import record_id
from git_assay.evidence.heads import heads
from git_assay.evidence.read import read_evidence
from git_assay.evidence.statement import build_payloads
from git_assay.evidence.store import NewLine, write_records
from git_assay.git.process import find_executable
from git_assay.git.repository import Repository
from git_assay.values.ids import LogId, RecordId
from tests.evidence import workshop
from tests.repos import Repo

LOG = workshop.signer(workshop.ALICE).public_key.log
DEEP = b'{"x":' + b"[" * 50_000


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path / "repo").init()


def _open(repo: Repo) -> Repository:
    return Repository.discover(repo.path, dict(os.environ))


def _forged_chain(length: int) -> list[bytes]:
    prev: tuple[RecordId, ...] = ()
    lines = []
    for number in range(length):
        (payload,) = build_payloads(workshop.unsigned(workshop.run(f"c{number}")), prev)
        prev = (record_id(payload),)
        lines.append(workshop.compact(workshop.envelope(payload, b"SSHSIG")))
    return lines


def test_a_forged_chain_is_looked_at_once_per_line(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[bytes] = []
    genuine = heads_module._is_genuine

    def watched(line: bytes, log: LogId) -> bool:
        looked.append(line)
        return genuine(line, log)

    monkeypatch.setattr(heads_module, "_is_genuine", watched)
    real = workshop.line()
    chain = _forged_chain(60)
    (name,) = heads([*chain, real], log=LOG)
    assert name == record_id(workshop.payload())
    assert sorted(looked) == sorted([*chain, real])


def test_a_record_that_only_forgeries_name_is_still_a_head() -> None:
    (payload,) = build_payloads(workshop.unsigned(workshop.run("later")), (record_id(workshop.payload()),))
    forged = workshop.compact(workshop.envelope(payload, b"SSHSIG"))
    assert heads([workshop.line(), forged], log=LOG) == (record_id(workshop.payload()),)
    assert heads([workshop.line(), workshop.line(payload)], log=LOG) == (record_id(payload),)


@pytest.mark.parametrize(
    "line", [DEEP, workshop.compact(workshop.envelope(DEEP, b"x")), b'{"payload":"' + b"A" * 3_000_000]
)
def test_what_is_too_deep_or_too_long_is_no_predecessor(line: bytes) -> None:
    assert heads([line, workshop.line()], log=LOG) == (record_id(workshop.payload()),)


@pytest.mark.parametrize("name", [b"-\xff", b"-" + "ä".encode(), b"-x" * 40])
def test_a_ref_whose_name_is_no_log_is_none(repo: Repo, name: bytes) -> None:
    opened = _open(repo)
    write_records(opened, LOG, [NewLine(workshop.line(), workshop.PLACE)], subject="attest")
    ref = f"refs/notes/assay-evidence/{LOG}"
    repo.git("update-ref", os.fsdecode(ref.encode() + name), repo.git("rev-parse", ref))
    index = repo.path / "index.sqlite"
    for _ in range(2):  # cold and warm
        found = read_evidence(opened, workshop.keyring(), now=workshop.NOW, index=index)
        assert (len(found.records), found.refused) == (1, ())


def test_a_note_whose_place_is_spelled_in_upper_case_is_read_as_git_reads_it(repo: Repo) -> None:
    place = "C" * 40
    blob = os.fsdecode(repo.git_bytes(["hash-object", "-w", "--stdin"], stdin=workshop.line() + b"\n")).strip()
    tree = os.fsdecode(repo.git_bytes(["mktree"], stdin=f"100644 blob {blob}\t{place}\n".encode())).strip()
    repo.git("update-ref", f"refs/notes/assay-evidence/{LOG}", repo.git("commit-tree", "-m", "notes", tree))
    assert repo.git("notes", "--ref", f"assay-evidence/{LOG}", "list") == f"{blob} {place.lower()}"
    found = read_evidence(_open(repo), workshop.keyring(), now=workshop.NOW)
    assert [len(found.records), len(found.refused)] == [1, 0]


def test_a_directory_on_path_that_may_not_be_read_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root may read everything, so the refusal of the system is played here."""
    real = os.stat
    closed = tmp_path / "closed"

    def refusing(path: int | str | bytes | os.PathLike[str], **options: object) -> os.stat_result:
        if not isinstance(path, int) and os.fsdecode(path).startswith(str(closed)):
            raise PermissionError(13, "Permission denied", os.fsdecode(path))
        return real(path, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "stat", refusing)
    found = find_executable(tmp_path, os.pathsep.join([str(closed), *os.environ["PATH"].split(os.pathsep)]))
    assert Path(found).name == "git"
