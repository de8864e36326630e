"""Is a record that counts as written there for good, whoever else writes and whatever is killed?"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from git_assay.errors import AssayError
from git_assay.evidence.log import log_ref
from git_assay.evidence.model import Refusal
from git_assay.evidence.publish import publish
from git_assay.evidence.read import read_evidence
from git_assay.evidence.records import Withdrawal
from git_assay.evidence.store import NewLine, log_heads, write_records
from git_assay.git.repository import Repository
from git_assay.values.ids import ObjectId
from tests.evidence import workshop
from tests.evidence.workshop import ALICE, BOB, NOW
from tests.repos import Repo

LOG = workshop.signer(ALICE).public_key.log


@pytest.fixture(params=["sha1", "sha256"])
def repo(tmp_path: Path, request: pytest.FixtureRequest) -> Repo:
    made = Repo(tmp_path / "repo").init(request.param)
    made.write("a.py", "x = 1\n")
    made.commit("first")
    return made


def opened(repo: Repo) -> Repository:
    return Repository.discover(repo.path, dict(os.environ))


def test_what_is_published_is_read_back_and_verified(repo: Repo) -> None:
    here = opened(repo)
    done = publish(here, [workshop.unsigned(), workshop.unsigned(workshop.run("lint"))], workshop.signer(ALICE))
    index = tmp = repo.path / ".git" / "assay" / "index.sqlite"
    for _ in range(2):
        evidence = read_evidence(here, workshop.keyring(), now=NOW, index=index)
        assert list(evidence.records) == sorted(one.ids[0] for one in done)
        assert evidence.refused == ()
    assert tmp.exists()


def test_note_stands_on_its_commit_and_git_shows_it(repo: Repo) -> None:
    statement = workshop.unsigned()
    line = workshop.line()
    write_records(opened(repo), LOG, [NewLine(line, repo.head())], subject="assay: tests pass module-0")
    assert repo.git("notes", f"--ref=assay-evidence/{LOG}", "show", "HEAD").encode() == line
    assert repo.git("log", "-1", "--format=%s", log_ref(LOG)) == "assay: tests pass module-0"
    assert statement.place != repo.head()


def test_records_of_one_command_make_one_commit_and_name_their_predecessors(repo: Repo) -> None:
    here = opened(repo)
    first = publish(here, [workshop.unsigned(), workshop.unsigned(workshop.run("b"))], workshop.signer(ALICE))
    assert repo.git("rev-list", "--count", log_ref(LOG)) == "1"
    second = publish(here, [workshop.unsigned(workshop.run("c"))], workshop.signer(ALICE))
    records = read_evidence(here, workshop.keyring(), now=NOW).records
    assert records[first[1].ids[0]].statement.predicate.assay.prev == first[0].ids
    assert records[second[0].ids[0]].statement.predicate.assay.prev == first[1].ids
    assert log_heads(here, LOG) == second[0].ids


def test_stale_lock_is_named(repo: Repo) -> None:
    lock = repo.path / ".git" / f"{log_ref(LOG)}.lock"
    lock.parent.mkdir(parents=True)
    lock.write_bytes(b"")
    with pytest.raises(AssayError, match="lock"):
        publish(opened(repo), [workshop.unsigned()], workshop.signer(ALICE))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_read_only_repository_is_read_and_not_written(repo: Repo) -> None:
    here = opened(repo)
    publish(here, [workshop.unsigned()], workshop.signer(ALICE))
    subprocess.run(["chmod", "-R", "a-w", str(repo.path)], check=True)
    try:
        index = repo.path / ".git" / "assay" / "index.sqlite"
        assert len(read_evidence(here, workshop.keyring(), now=NOW, index=index).records) == 1
        with pytest.raises(AssayError):
            publish(here, [workshop.unsigned(workshop.run("b"))], workshop.signer(ALICE))
    finally:
        subprocess.run(["chmod", "-R", "u+w", str(repo.path)], check=True)


def test_writing_works_without_an_identity(repo: Repo, hermetic: Path) -> None:
    (hermetic / ".gitconfig").write_text("[user]\n\tuseConfigOnly = true\n")
    publish(opened(repo), [workshop.unsigned()], workshop.signer(ALICE))
    assert repo.git("log", "-1", "--format=%an", log_ref(LOG)) != ""


def test_full_note_overflows_into_records_of_their_own(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("git_assay.evidence.store.NOTE_LIMIT", 3000)
    here = opened(repo)
    for n in range(4):
        publish(here, [workshop.unsigned(workshop.run(f"check-{n}"))], workshop.signer(ALICE))
    names = repo.git("ls-tree", "-r", "--name-only", log_ref(LOG)).splitlines()
    assert any(name.startswith("records/") for name in names)
    assert len(read_evidence(here, workshop.keyring(), now=NOW).records) == 4


def test_writer_leaves_one_of_two_spellings_and_keeps_the_lines_of_both(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo").init()
    place = repo.commit("first")
    lines = [workshop.line(), workshop.line(workshop.payload(body=workshop.run("b")))]
    blobs = [repo.git_bytes(["hash-object", "-w", "--stdin"], stdin=line + b"\n").decode().strip() for line in lines]
    inner = repo.git_bytes(["mktree"], stdin=f"100644 blob {blobs[0]}\t{place[2:]}\n".encode()).decode().strip()
    listing = f"040000 tree {inner}\t{place[:2]}\n100644 blob {blobs[1]}\t{place}\n".encode()
    tree = repo.git_bytes(["mktree"], stdin=listing).decode().strip()
    repo.git("update-ref", log_ref(LOG), repo.git("commit-tree", "-m", "both", tree))
    here = opened(repo)
    assert len(read_evidence(here, workshop.keyring(), now=NOW).records) == 2
    publish(here, [workshop.unsigned(workshop.run("c"))], workshop.signer(ALICE))
    names = repo.git("ls-tree", "-r", "--name-only", log_ref(LOG)).splitlines()
    assert [name.replace("/", "") for name in names].count(place) == 1
    assert len(read_evidence(here, workshop.keyring(), now=NOW).records) == 3


@pytest.mark.parametrize("count", [1, 255, 256, 1200])
def test_fan_out_is_the_one_that_git_writes(tmp_path: Path, count: int) -> None:
    repo = Repo(tmp_path / "repo").init()
    repo.commit("first")
    blobs = [repo.git_bytes(["hash-object", "-w", "--stdin"], stdin=b"%d" % n).decode().strip() for n in range(4)]
    places = [ObjectId(f"{n * 2654435761 % 2**32:08x}{n:032x}") for n in range(count)]
    write_records(opened(repo), LOG, [NewLine(workshop.line(), place) for place in places], subject="assay: many")
    ours = repo.git("ls-tree", "-r", "--name-only", log_ref(LOG)).splitlines()
    stream = b"commit refs/notes/theirs\ncommitter T <t@example.com> 0 +0000\ndata 0\n"
    stream += b"".join(b"M 100644 %s %s\n" % (blobs[0].encode(), place.encode()) for place in places)
    repo.git_bytes(["fast-import", "--quiet"], stdin=stream + b"\n")
    # One more note makes git write the whole tree in its own way; taking it out again keeps that.
    repo.git("notes", "--ref=theirs", "add", "-m", "x", "HEAD")
    repo.git("notes", "--ref=theirs", "remove", "HEAD")
    assert repo.git("ls-tree", "-r", "--name-only", "refs/notes/theirs").splitlines() == ours


def test_damaged_index_is_rebuilt(repo: Repo) -> None:
    here = opened(repo)
    publish(here, [workshop.unsigned()], workshop.signer(ALICE))
    index = repo.path / ".git" / "assay" / "index.sqlite"
    index.parent.mkdir(exist_ok=True)
    for _ in range(2):
        index.write_bytes(b"not a database at all, but long enough to be looked at" * 40)
        assert len(read_evidence(here, workshop.keyring(), now=NOW, index=index).records) == 1
    read_evidence(here, workshop.keyring(), now=NOW, index=index)
    assert index.read_bytes().startswith(b"SQLite format 3")


def test_index_holds_no_verdict_for_another_keyring(repo: Repo) -> None:
    here = opened(repo)
    publish(here, [workshop.unsigned()], workshop.signer(ALICE))
    index = repo.path / ".git" / "assay" / "index.sqlite"
    assert len(read_evidence(here, workshop.keyring(), now=NOW, index=index).records) == 1
    stripped = workshop.keyring(revoked=workshop.signer(ALICE).public_key.text.encode())
    assert [one.reason for one in read_evidence(here, stripped, now=NOW, index=index).refused] == [Refusal.REVOKED]


def test_forged_copy_of_a_record_never_takes_its_place(repo: Repo) -> None:
    here = opened(repo)
    done = publish(here, [workshop.unsigned()], workshop.signer(ALICE))
    forged = workshop.compact(workshop.envelope(workshop.payload(), b"SSHSIG"))
    write_records(here, LOG, [NewLine(forged, workshop.PLACE)], subject="assay: forged")
    index = repo.path / ".git" / "assay" / "index.sqlite"
    for _ in range(2):
        assert list(read_evidence(here, workshop.keyring(), now=NOW, index=index).records) == list(done[0].ids)


def test_fetched_logs_are_read_and_doubles_count_once(repo: Repo) -> None:
    here = opened(repo)
    publish(here, [workshop.unsigned()], workshop.signer(ALICE))
    publish(here, [workshop.unsigned(by=BOB)], workshop.signer(BOB))
    repo.git("update-ref", f"refs/assay/remotes/origin/{LOG}", log_ref(LOG))
    bobs = log_ref(workshop.signer(BOB).public_key.log)
    repo.git("update-ref", f"refs/assay/remotes/up/stream/{bobs.rpartition('/')[2]}", bobs)
    repo.git("update-ref", "-d", bobs)
    evidence = read_evidence(here, workshop.keyring(), now=NOW)
    assert {record.principal for record in evidence.records.values()} == {ALICE, BOB}
    assert len(evidence.records) == 2


def test_log_that_is_no_commit_is_one_refusal(repo: Repo) -> None:
    blob = repo.git_bytes(["hash-object", "-w", "--stdin"], stdin=b"x").decode().strip()
    repo.git("update-ref", f"refs/notes/assay-evidence/{'0' * 16}", blob)
    evidence = read_evidence(opened(repo), workshop.keyring(), now=NOW)
    assert [one.reason for one in evidence.refused] == [Refusal.DEFECT]


def test_withdrawal_takes_back_only_what_the_same_principal_said(repo: Repo) -> None:
    here = opened(repo)
    alices = publish(here, [workshop.unsigned()], workshop.signer(ALICE))[0].ids
    publish(here, [workshop.unsigned(Withdrawal(records=alices, reason="no"), by=BOB)], workshop.signer(BOB))
    assert set(alices) <= set(read_evidence(here, workshop.keyring(), now=NOW).records)
    second = workshop.signer("alice-second")
    taken = publish(here, [workshop.unsigned(Withdrawal(records=alices, reason="wrong"))], second)[0].ids
    evidence = read_evidence(here, workshop.keyring(), now=NOW)
    assert dict(evidence.withdrawn) == {alices[0]: taken[0]}
    assert alices[0] not in evidence.records
