"""Are objects written as git writes them, and read back whole?"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from git_assay.errors import AssayError
from git_assay.git.objects import Identity, list_tree, read_commit, write_blob, write_blobs, write_commit, write_tree
from git_assay.git.repository import Repository
from git_assay.git.snapshot import MODE_EXECUTABLE, MODE_FILE, Entry
from git_assay.git.trees import MODE_TREE
from git_assay.values.ids import TreePath
from tests.git.conftest import Open
from tests.repos import Repo

_NAME = st.binary(min_size=1, max_size=4).filter(
    lambda name: not set(name) & {0, 47} and name.lower() not in (b".", b"..", b".git")
)
_PATHS = st.lists(st.lists(_NAME, min_size=1, max_size=3).map(b"/".join), max_size=8)


def test_a_tree_is_the_one_that_git_made(repo: Repo, open_repo: Open) -> None:
    for path in ("pkg/b.py", "pkg-x/c.py", "pkg.py", "pkg/sub/d.py"):
        repo.write(path, path)
    (repo.path / "pkg.py").chmod(0o755)
    repo.commit()
    opened = open_repo(repo.path)
    assert write_tree(opened, opened.snapshot(repo.tree()).entries) == repo.tree()
    one_level = list_tree(opened, repo.tree(), recursive=False)
    assert one_level[TreePath(b"pkg")].mode == MODE_TREE
    assert write_tree(opened, one_level) == repo.tree()
    assert write_tree(opened, {}) == repo.git("hash-object", "-t", "tree", "--stdin")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(paths=_PATHS)
def test_what_is_written_is_listed(tmp_path: Path, paths: list[bytes]) -> None:
    place = tmp_path / "laws"
    if not place.exists():
        Repo(place).init()
    opened = Repository.discover(place, dict(os.environ))
    entry = Entry(MODE_FILE, write_blob(opened, b"x"))
    wanted = {TreePath(path): entry for path in paths}
    if any(a != b and b.startswith(a + b"/") for a in wanted for b in wanted):
        with pytest.raises(AssayError):
            write_tree(opened, wanted)
        return
    tree = write_tree(opened, wanted)
    found = opened.snapshot(tree)
    assert dict(found.entries) == wanted
    assert list(found.entries) == sorted(wanted)


@pytest.mark.parametrize("path", [b"", b"/a", b"a//b", b"a/", b"../a", b".git/hooks", b"a/.GIT", b"a\0b"])
def test_a_path_that_no_tree_can_hold_is_refused(repo: Repo, open_repo: Open, path: bytes) -> None:
    opened = open_repo(repo.path)
    with pytest.raises(AssayError, match="no tree can hold"):
        write_tree(opened, {TreePath(path): Entry(MODE_EXECUTABLE, write_blob(opened, b""))})


def test_blobs_are_written_without_filters(repo: Repo, open_repo: Open) -> None:
    (repo.path / ".gitattributes").write_text("* text\n")
    opened = open_repo(repo.path)
    contents = (b"a\r\n", b"", b"\0\xff", b"a\r\n")
    oids = write_blobs(opened, contents)
    assert len(set(oids)) == 3
    found = dict(opened.read_blobs(oids))
    assert tuple(found[oid] for oid in oids) == contents


def test_more_than_a_pipe_holds_does_not_block(repo: Repo, open_repo: Open) -> None:
    opened = open_repo(repo.path)
    # More requests (82 kB) than a pipe holds, and answers (400 kB) that fill the other one.
    oids = write_blobs(opened, [b"%200d" % number for number in range(2000)])
    assert [data for _, data in opened.read_blobs(oids)] == [b"%200d" % number for number in range(2000)]


def test_a_reader_that_stops_early_leaves_nothing_behind(repo: Repo, open_repo: Open) -> None:
    opened = open_repo(repo.path)
    oids = write_blobs(opened, [bytes([number]) * 100_000 for number in range(20)])
    reading = iter(opened.read_blobs(oids))
    assert next(reading)[0] == oids[0]
    reading.close()  # type: ignore[attr-defined]


def test_a_commit_has_the_users_identity_or_a_stated_one(repo: Repo, open_repo: Open, hermetic: Path) -> None:
    written = write_commit(open_repo(repo.path), repo.tree(), [repo.head()], "subject\n\nbody\n")
    facts = read_commit(open_repo(repo.path), written)
    assert (facts.author.name, facts.committer.email, facts.subject) == ("Test", "test@example.com", "subject")
    given_one = Identity("Zoë", "z@example.com", "1700000000 +0100")
    facts = read_commit(
        open_repo(repo.path), write_commit(open_repo(repo.path), repo.tree(), [], "m", identity=given_one)
    )
    assert (facts.author.name, facts.author.time, facts.author.zone) == ("Zoë", 1700000000, "+0100")
    (hermetic / ".gitconfig").write_text("[user]\n\tuseConfigOnly = true\n[commit]\n\tgpgSign = true\n")
    facts = read_commit(open_repo(repo.path), write_commit(open_repo(repo.path), repo.tree(), [], "m"))
    assert facts.author.name == facts.committer.name == "git assay"
