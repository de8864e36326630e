"""Does every ordinary kind of repository open and read?"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from git_assay.errors import AssayError
from git_assay.git.merge import merge_result
from git_assay.git.process import find_executable
from git_assay.git.reading import NotFetched, ObjectMissing
from git_assay.git.repository import Repository
from git_assay.git.snapshot import Snapshot
from git_assay.git.snapshots import index_snapshot, worktree_snapshot
from git_assay.values.ids import ObjectId, TreePath
from tests.git.conftest import Open
from tests.repos import Repo

A = TreePath(b"pkg/a.py")


def _head_bytes(found: Repository) -> bytes:
    head = found.head()
    assert head is not None
    return found.snapshot_of(head).read(A)


def test_a_normal_repository_reads_from_a_subdirectory(repo: Repo, open_repo: Open) -> None:
    found = open_repo(repo.path / "pkg")
    assert _head_bytes(found) == b"one\n"
    assert found.layout.prefix == b"pkg/"
    assert found.top == repo.path
    assert found.branch() == "main"


def test_a_commit_is_resolved_together_with_its_tree(repo: Repo, open_repo: Open) -> None:
    found = open_repo(repo.path)
    repo.git("tag", "-a", "-m", "x", "v1")
    for name in ("HEAD", "v1", repo.head(), repo.head()[:12]):
        assert found.resolve(name) == repo.head()
        assert found.tree_of(found.resolve(name)) == repo.tree()
    for name in ("nowhere", "HEAD:top.txt", repo.tree(), "HEAD\nHEAD", "HEAD\0", "", "-q", "\udcff"):
        assert found.try_resolve(name) is None


def test_trees_read_one_after_the_other_are_what_each_lists(repo: Repo, open_repo: Open) -> None:
    first = repo.head()
    (repo.path / "top.txt").chmod(0o755)
    repo.write("pkg/b.py", "one\n")
    repo.commit("second")
    together = open_repo(repo.path)
    snapshots = [together.snapshot_of(ObjectId(commit)) for commit in (first, repo.head())]
    alone = [open_repo(repo.path).snapshot(each.tree) for each in snapshots]
    assert [each.entries for each in snapshots] == [each.entries for each in alone]
    assert [entry.mode for entry in snapshots[1].entries.values()] == [0o100644, 0o100644, 0o100755]
    assert snapshots[0].entries != snapshots[1].entries


def test_a_directory_with_a_line_end_in_its_name_opens(tmp_path: Path, open_repo: Open) -> None:
    made = Repo(tmp_path / "two\nlines").init("sha1")
    made.write("pkg/a.py", "one\n")
    made.commit("first")
    found = open_repo(made.path / "pkg")
    assert (found.top, found.layout.prefix) == (made.path, b"pkg/")
    assert found.layout.git_dir == made.path / ".git"


def test_a_bare_repository_reads_and_has_no_working_directory(repo: Repo, tmp_path: Path, open_repo: Open) -> None:
    repo.git("clone", "-q", "--bare", str(repo.path), str(tmp_path / "bare.git"))
    found = open_repo(tmp_path / "bare.git")
    assert found.layout.bare
    assert _head_bytes(found) == b"one\n"
    with pytest.raises(AssayError, match="working directory"):
        worktree_snapshot(found)


def test_a_linked_worktree_has_its_own_head_and_index(repo: Repo, tmp_path: Path, open_repo: Open) -> None:
    repo.git("worktree", "add", "-q", "-b", "other", str(tmp_path / "wt"))
    Repo(tmp_path / "wt").write("pkg/a.py", "staged\n")
    Repo(tmp_path / "wt").git("add", "-A")
    found = open_repo(tmp_path / "wt")
    assert found.branch() == "other"
    assert found.layout.common_dir == repo.path / ".git"
    assert found.layout.git_dir != found.layout.common_dir
    assert index_snapshot(found).read(A) == b"staged\n"
    assert index_snapshot(open_repo(repo.path)).read(A) == b"one\n"


def test_a_submodule_checkout_reads_as_its_own_repository(repo: Repo, tmp_path: Path, open_repo: Open) -> None:
    outer = Repo(tmp_path / "outer").init(repo.git("rev-parse", "--show-object-format"))
    outer.git("submodule", "--quiet", "add", str(repo.path), "sub")
    commit = outer.commit()
    entries = open_repo(outer.path).snapshot_of(commit).entries
    assert entries[TreePath(b"sub")].is_submodule
    assert _head_bytes(open_repo(outer.path / "sub")) == b"one\n"


def test_a_shallow_clone_is_known_as_such(repo: Repo, tmp_path: Path, open_repo: Open) -> None:
    repo.write("pkg/a.py", "two\n")
    repo.commit("second")
    repo.git("clone", "-q", "--depth=1", f"file://{repo.path}", str(tmp_path / "shallow"))
    found = open_repo(tmp_path / "shallow")
    assert found.layout.shallow
    assert _head_bytes(found) == b"two\n"


@pytest.mark.parametrize("index", ["--no-sparse-index", "--sparse-index"])
def test_a_sparse_checkout_keeps_what_it_left_out(repo: Repo, open_repo: Open, index: str) -> None:
    repo.write("docs/x.txt", "docs\n")
    repo.commit()
    repo.git("sparse-checkout", "set", "--cone", index, "docs")
    assert not (repo.path / "pkg").exists()
    found = open_repo(repo.path)
    assert index_snapshot(found).tree == repo.tree()
    assert worktree_snapshot(found).tree == repo.tree()


def test_alternates_are_read_also_through_temporary_objects(repo: Repo, tmp_path: Path, open_repo: Open) -> None:
    repo.git("clone", "-q", "--shared", str(repo.path), str(tmp_path / 'odd ":name'))
    borrowed = Repo(tmp_path / 'odd ":name')
    assert _head_bytes(open_repo(borrowed.path)) == b"one\n"
    borrowed.write("new.txt", "new\n")
    assert worktree_snapshot(open_repo(borrowed.path)).read(TreePath(b"new.txt")) == b"new\n"


def test_a_reftable_repository_reads(tmp_path: Path, open_repo: Open) -> None:
    probe = Repo(tmp_path / "probe").init()
    version = tuple(int(part) for part in probe.git("version").split()[2].split(".")[:2])
    if version < (2, 45):
        pytest.skip(f"the installed git {version} has no reftable (needs 2.45)")
    made = Repo(tmp_path / "reftable").init("sha1", "--ref-format=reftable")
    made.write("pkg/a.py", "one\n")
    made.commit()
    assert _head_bytes(open_repo(made.path)) == b"one\n"


def _partial_clone(source: Repo, place: Path) -> Repo:
    source.git("config", "uploadpack.allowFilter", "true")
    source.git("config", "uploadpack.allowAnySHA1InWant", "true")
    source.git("clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{source.path}", str(place))
    return Repo(place)


def test_a_partial_clone_fetches_missing_blobs_in_one_batch(repo: Repo, tmp_path: Path, open_repo: Open) -> None:
    for number in range(20):
        repo.write(f"many/{number}.py", f"{number}\n")
    commit = repo.commit()
    clone = _partial_clone(repo, tmp_path / "partial")
    found = open_repo(clone.path)
    snapshot = found.snapshot_of(commit)
    assert len(snapshot.read_many(snapshot.entries)) == 22
    packs = list((clone.path / ".git/objects/pack").glob("*.promisor"))
    assert len(packs) == 2  # the clone's own, and one batch


def test_a_blob_that_cannot_be_fetched_is_told_from_a_damaged_one(repo: Repo, tmp_path: Path, open_repo: Open) -> None:
    commit = repo.head()
    clone = _partial_clone(repo, tmp_path / "partial")
    repo.path.rename(tmp_path / "gone")
    snapshot = open_repo(clone.path).snapshot_of(commit)
    with pytest.raises(NotFetched, match="partial clone"):
        snapshot.read(A)


def test_a_merge_in_a_partial_clone_fetches_what_it_needs(repo: Repo, tmp_path: Path, open_repo: Open) -> None:
    repo.branch("feature")
    repo.write("pkg/a.py", "zero\none\n")
    feature = repo.commit()
    repo.checkout("main")
    repo.write("top.txt", "changed\n")
    main = repo.commit()
    clone = _partial_clone(repo, tmp_path / "partial")
    result = merge_result(open_repo(clone.path), main, feature)
    assert isinstance(result, Snapshot)
    assert result.entries[A] == open_repo(clone.path).snapshot_of(feature).entries[A]


def test_a_missing_object_in_a_complete_clone_is_missing(repo: Repo, open_repo: Open) -> None:
    absent = ObjectId("1" * len(repo.head()))
    with pytest.raises(ObjectMissing):
        list(open_repo(repo.path).read_blobs([absent]))


def test_a_commit_is_no_blob(repo: Repo, open_repo: Open) -> None:
    with pytest.raises(AssayError, match="not a blob"):
        list(open_repo(repo.path).read_blobs([repo.head()]))


def test_an_unborn_branch_has_a_name_and_no_head(tmp_path: Path, open_repo: Open) -> None:
    made = Repo(tmp_path / "new").init()
    found = open_repo(made.path)
    assert found.head() is None
    assert found.branch() == "main"
    assert worktree_snapshot(found).entries == {}


def test_a_detached_head_has_no_branch(repo: Repo, open_repo: Open) -> None:
    repo.git("checkout", "-q", "--detach")
    assert open_repo(repo.path).branch() is None
    assert open_repo(repo.path).head() == repo.head()


def test_names_are_bytes(repo: Repo, open_repo: Open) -> None:
    odd = [TreePath(name) for name in (b"caf\xe9.py", b"tab\there", b"line\nend", b"*", b'quo"te')]
    for name in odd:
        repo.write(name, name)
    commit = repo.commit()
    found = open_repo(repo.path)
    snapshot = found.snapshot_of(commit)
    assert snapshot.read_many(odd) == {name: bytes(name) for name in odd}
    assert worktree_snapshot(found).tree == repo.tree()
    assert list(snapshot.entries) == sorted(snapshot.entries)


def test_replace_refs_and_grafts_are_ignored(repo: Repo, open_repo: Open) -> None:
    old_blob = repo.git("rev-parse", "HEAD:pkg/a.py")
    repo.write("pkg/a.py", "two\n")
    repo.commit()
    repo.git("replace", old_blob, repo.git("rev-parse", "HEAD:pkg/a.py"))
    (repo.path / ".git/info").mkdir(exist_ok=True)
    (repo.path / ".git/info/grafts").write_text(f"{repo.head()}\n")
    found = open_repo(repo.path)
    assert found.resolve("HEAD~1") != repo.head()
    assert found.snapshot_of(found.resolve("HEAD~1")).read(A) == b"one\n"


def test_no_repository_is_one_clear_error(tmp_path: Path, open_repo: Open) -> None:
    with pytest.raises(AssayError, match="not in a git repository") as caught:
        open_repo(tmp_path)
    assert caught.value.hint == "git init"


def test_dubious_ownership_gives_gits_remedy(repo: Repo) -> None:
    with pytest.raises(AssayError, match="another user") as caught:
        Repository.discover(repo.path, {**os.environ, "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"})
    assert caught.value.hint == f"git config --global --add safe.directory '{repo.path}'"


def test_a_git_inside_the_current_directory_is_never_run(tmp_path: Path) -> None:
    trap = tmp_path / "git"
    trap.write_text("#!/bin/sh\nexit 0\n")
    trap.chmod(0o755)
    found = find_executable(tmp_path, os.pathsep.join(["", ".", str(tmp_path), os.environ["PATH"]]))
    assert not Path(found).is_relative_to(tmp_path)
    with pytest.raises(AssayError, match="no git on PATH"):
        find_executable(tmp_path, str(tmp_path))


def test_a_hooks_relative_index_is_the_one_that_is_read(repo: Repo) -> None:
    (repo.path / ".git/next-index").write_bytes((repo.path / ".git/index").read_bytes())
    env = {**os.environ, "GIT_INDEX_FILE": ".git/next-index"}
    repo.write("pkg/a.py", "for the hook\n")
    repo.git("add", "pkg/a.py", GIT_INDEX_FILE=".git/next-index")
    found = Repository.discover(repo.path, env)
    assert found.layout.index == repo.path / ".git/next-index"
    assert index_snapshot(found).read(A) == b"for the hook\n"


def test_a_relative_git_dir_works_from_elsewhere(repo: Repo, tmp_path: Path) -> None:
    found = Repository.discover(tmp_path, {**os.environ, "GIT_DIR": "repo/.git", "GIT_WORK_TREE": "repo"})
    assert found.top == repo.path
    assert worktree_snapshot(found).tree == repo.tree()


def test_revisions_that_name_nothing_are_refused(repo: Repo, open_repo: Open) -> None:
    found = open_repo(repo.path)
    for rev in ("nothing", "--all", "", "HEAD~9", "a\nb"):
        assert found.try_resolve(rev) is None
    repo.git("tag", "-a", "-m", "tag", "v1")
    assert found.resolve("v1") == repo.head()
