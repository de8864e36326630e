"""Are commits read as they were written, and is what history held found?"""

from __future__ import annotations

import contextlib
import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_assay.errors import AssayError
from git_assay.git.commits import parse_commit
from git_assay.git.diff import diff_trees
from git_assay.git.history import commits_between, first_parents, is_ancestor, past_blobs
from git_assay.values.ids import ObjectId, TreePath
from tests.git.conftest import Open
from tests.repos import Repo

A = TreePath(b"pkg/a.py")


def test_a_range_is_parents_first_with_authors_and_co_authors(repo: Repo, open_repo: Open) -> None:
    base = repo.head()
    message = "subject\n\nbody: no trailer\n\nCo-Authored-By: Bob B <bob@example.com>\nReviewed-by: C <c@example.com>"
    first = repo.commit(message, GIT_AUTHOR_NAME="Zoë", GIT_AUTHOR_EMAIL="zoe@example.com")
    second = repo.commit("second")
    facts = commits_between(open_repo(repo.path), base, second)
    assert [commit.oid for commit in facts] == [first, second]
    assert (facts[0].author.name, facts[0].author.email) == ("Zoë", "zoe@example.com")
    assert facts[0].committer.name == "Test"
    assert facts[0].co_authors == (("Bob B", "bob@example.com"),)
    assert ("Reviewed-by", "C <c@example.com>") in facts[0].trailers
    assert facts[0].parents == (base,)
    assert facts[0].tree == repo.tree(first)
    assert facts[0].signature is None
    assert commits_between(open_repo(repo.path), second, second) == ()


def test_settings_of_log_change_nothing(repo: Repo, open_repo: Open) -> None:
    repo.write("pkg/a.py", "two\n")
    head = repo.commit()
    before = (commits_between(open_repo(repo.path), None, head), past_blobs(open_repo(repo.path), head, [A]))
    for key, value in {
        "log.showSignature": "true",
        "log.follow": "true",
        "log.diffMerges": "separate",
        "log.date": "relative",
        "diff.renames": "copies",
        "format.pretty": "fuller",
        "core.quotePath": "true",
        "color.ui": "always",
        "trailer.separators": "=",
        "i18n.logOutputEncoding": "UTF-16",
    }.items():
        repo.git("config", key, value)
    after = (commits_between(open_repo(repo.path), None, head), past_blobs(open_repo(repo.path), head, [A]))
    assert after == before


def test_first_parents_and_ancestors(repo: Repo, open_repo: Open) -> None:
    base = repo.head()
    repo.branch("side")
    side = repo.commit("side")
    repo.checkout("main")
    main = repo.commit("main")
    merged = repo.merge("side")
    opened = open_repo(repo.path)
    assert list(first_parents(opened, merged)) == [merged, main, base]
    assert list(first_parents(opened, merged, limit=1)) == [merged]
    assert is_ancestor(opened, side, merged)
    assert not is_ancestor(opened, merged, side)


def test_past_blobs_include_what_a_merge_replaced_and_what_was_deleted(repo: Repo, open_repo: Open) -> None:
    one = repo.git("rev-parse", "HEAD:pkg/a.py")
    repo.branch("side")
    repo.write("pkg/a.py", "side\n")
    repo.commit()
    repo.checkout("main")
    repo.commit("empty")
    repo.merge("side", GIT_COMMITTER_DATE="2026-02-01T00:00:00Z")
    side = repo.git("rev-parse", "HEAD:pkg/a.py")
    repo.remove("pkg/a.py")
    repo.write("pkg/a.py/below.py", "a directory now")
    head = repo.commit("replaced", GIT_COMMITTER_DATE="2026-03-01T00:00:00Z")
    other = TreePath(b"never.py")
    found = past_blobs(open_repo(repo.path), head, [A, other])
    assert found == {A: ((side, 1772323200), (one, 1769904000)), other: ()}


def test_changes_are_renames_only_when_asked(repo: Repo, open_repo: Open) -> None:
    old = repo.head()
    repo.git("mv", "pkg/a.py", "pkg/b.py")
    repo.write("new.py", "n")
    new = repo.commit()
    repo.git("config", "diff.renames", "false")
    opened = open_repo(repo.path)
    pairs = {(c.old_path, c.new_path) for c in diff_trees(opened, old, new)}
    assert pairs == {(A, b"pkg/b.py"), (None, b"new.py")}
    pairs = {(c.old_path, c.new_path) for c in diff_trees(opened, old, new, renames=False)}
    assert pairs == {(A, None), (None, b"pkg/b.py"), (None, b"new.py")}
    assert diff_trees(opened, new, new) == ()


def test_a_signature_and_what_it_signs_are_split_as_git_does(repo: Repo, open_repo: Open) -> None:
    if shutil.which("ssh-keygen") is None:
        pytest.skip("no ssh-keygen here")
    key = repo.path.parent / "key"
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key], check=True)
    options = ("-c", "gpg.format=ssh", "-c", f"user.signingKey={key}")
    repo.git(*options, "commit", "-q", "-S", "--allow-empty", "-m", "signed\n\nbody")
    (facts,) = commits_between(open_repo(repo.path), repo.head("HEAD~1"), repo.head())
    assert facts.signature is not None
    assert facts.signed_payload is not None
    (repo.path.parent / "sig").write_bytes(facts.signature)
    (repo.path.parent / "signers").write_text(f"me {key.with_suffix('.pub').read_text()}")
    check = ["ssh-keygen", "-Y", "verify", "-n", "git", "-I", "me", "-f", "signers", "-s", "sig"]
    done = subprocess.run(check, input=facts.signed_payload, cwd=repo.path.parent, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


@given(st.binary())
def test_hostile_commit_bytes_are_refused_or_read(raw: bytes) -> None:
    with contextlib.suppress(AssayError):
        assert parse_commit(ObjectId("0" * 40), raw, object_format="sha1").signature is None


@given(st.binary(max_size=20), st.sampled_from(["utf-8", "latin-1", "no-such", "hex"]))
def test_a_commit_with_any_name_and_encoding_is_read(name: bytes, encoding: str) -> None:
    name = name.replace(b"\n", b"").replace(b"<", b"")
    raw = b"tree %s\nauthor %s <a@b> 1 +0000\ncommitter c <c@d> 2 +0000\nencoding %s\n\nm" % (
        b"1" * 40,
        name,
        encoding.encode(),
    )
    facts = parse_commit(ObjectId("0" * 40), raw, object_format="sha1")
    assert (facts.committer.email, facts.committer.time, facts.message) == ("c@d", 2, "m")
