"""Are the index and the working directory read whole, and nothing of the user's written?"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from git_assay.git.cleanliness import DifferenceKind, work_differences
from git_assay.git.repository import Repository
from git_assay.git.snapshots import UnmergedPaths, index_snapshot, worktree_snapshot
from git_assay.values.ids import TreePath
from tests.git.conftest import Open
from tests.repos import Repo

A = TreePath(b"pkg/a.py")


def _python(path: TreePath) -> bool:
    return path.endswith((b".py", b".so"))


def _found(repo: Repo, opened: Repository) -> dict[bytes, DifferenceKind]:
    return {d.path: d.kind for d in work_differences(opened, repo.head(), loadable=_python)}


def _state(path: Path) -> dict[str, bytes]:
    return {str(p): p.read_bytes() for p in sorted((path / ".git").rglob("*")) if p.is_file()}


def test_nothing_of_the_users_is_written(repo: Repo, open_repo: Open) -> None:
    repo.write("pkg/a.py", "edited\n")
    repo.write("new.py", "new\n")
    repo.git("add", "pkg/a.py")
    repo.write("pkg/a.py", "edited again\n")
    opened = open_repo(repo.path)
    before = _state(repo.path)
    index, work = index_snapshot(opened), worktree_snapshot(opened)
    _found(repo, opened)
    assert _state(repo.path) == before
    assert index.read(A) == b"edited\n"
    assert work.read(A) == b"edited again\n"
    assert TreePath(b"new.py") in work.entries
    assert TreePath(b"new.py") not in index.entries


def test_the_temporary_objects_go_with_the_snapshot(
    repo: Repo, open_repo: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    repo.write("pkg/a.py", "edited\n")
    snapshot = worktree_snapshot(open_repo(repo.path))
    assert snapshot.read(A) == b"edited\n"
    assert list(place.iterdir())
    del snapshot
    assert not list(place.iterdir())


def test_intent_to_add_is_not_in_the_index_but_in_the_working_directory(repo: Repo, open_repo: Open) -> None:
    repo.write("later.py", "later\n")
    repo.git("add", "-N", "later.py")
    opened = open_repo(repo.path)
    assert index_snapshot(opened).tree == repo.tree()
    assert TreePath(b"later.py") in worktree_snapshot(opened).entries


def test_a_conflict_in_the_index_is_one_clear_error(repo: Repo, open_repo: Open) -> None:
    repo.branch("other")
    repo.write("pkg/a.py", "other\n")
    repo.commit()
    repo.checkout("main")
    repo.write("pkg/a.py", "main\n")
    repo.commit()
    with pytest.raises(AssertionError):
        repo.merge("other")
    for make in (index_snapshot, worktree_snapshot):
        with pytest.raises(UnmergedPaths, match=r"pkg/a\.py"):
            make(open_repo(repo.path))


def test_a_split_index_is_read(repo: Repo, open_repo: Open) -> None:
    repo.git("update-index", "--split-index")
    repo.write("top.txt", "staged\n")
    repo.git("add", "-A")
    before = _state(repo.path)
    assert index_snapshot(open_repo(repo.path)).read(TreePath(b"top.txt")) == b"staged\n"
    assert _state(repo.path) == before


def test_a_racy_edit_is_seen(repo: Repo, open_repo: Open) -> None:
    index = repo.path / ".git/index"
    target = repo.path / "pkg/a.py"
    stat = index.stat()
    os.utime(target, ns=(stat.st_mtime_ns, stat.st_mtime_ns))
    repo.git("update-index", "-q", "--refresh")
    os.utime(index, ns=(target.stat().st_mtime_ns, target.stat().st_mtime_ns))
    target.write_bytes(b"two\n")
    os.utime(target, ns=(stat.st_mtime_ns, stat.st_mtime_ns))
    assert worktree_snapshot(open_repo(repo.path)).read(A) == b"two\n"


@pytest.mark.parametrize("flag", ["--assume-unchanged", "--skip-worktree"])
def test_an_index_flag_hides_no_edit(repo: Repo, open_repo: Open, flag: str) -> None:
    repo.git("update-index", flag, "pkg/a.py")
    repo.write("pkg/a.py", "hidden\n")
    assert repo.git("status", "--porcelain") == ""
    assert _found(repo, open_repo(repo.path)) == {A: DifferenceKind.MODIFIED}
    assert worktree_snapshot(open_repo(repo.path)).read(A) == b"hidden\n"


def test_a_clean_working_directory_has_no_difference(repo: Repo, open_repo: Open) -> None:
    os.utime(repo.path / "pkg/a.py", (1, 1))
    repo.write("notes.txt", "not loadable")
    assert _found(repo, open_repo(repo.path / "pkg")) == {}


def test_line_ends_that_git_converts_are_no_difference(repo: Repo, open_repo: Open) -> None:
    repo.write(".gitattributes", "*.py text eol=crlf\n")
    repo.commit()
    repo.write("pkg/a.py", "one\r\n")
    assert _found(repo, open_repo(repo.path)) == {}


def test_every_kind_of_difference_is_named(repo: Repo, open_repo: Open) -> None:
    repo.write("gone.py", "")
    repo.write("mode.py", "")
    repo.write("link.py", "")
    repo.write(".gitignore", "*.so\nbuild/\n")
    repo.commit()
    repo.remove("gone.py")
    (repo.path / "mode.py").chmod(0o755)
    repo.remove("link.py")
    (repo.path / "link.py").symlink_to("mode.py")
    repo.write("stray.py", "")
    repo.write("fast.so", "")
    repo.write("build/lib/x.py", "")
    assert _found(repo, open_repo(repo.path)) == {
        b"gone.py": DifferenceKind.DELETED,
        b"mode.py": DifferenceKind.MODIFIED,
        b"link.py": DifferenceKind.MODIFIED,
        b"stray.py": DifferenceKind.UNTRACKED,
        b"fast.so": DifferenceKind.IGNORED,
        b"build/lib/x.py": DifferenceKind.IGNORED,
    }


def test_a_nested_repository_and_a_linked_directory_hide_nothing(repo: Repo, open_repo: Open, tmp_path: Path) -> None:
    Repo(repo.path / "nested").init().write("inside.py", "")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/there.py").write_bytes(b"")
    (repo.path / "linked").symlink_to(tmp_path / "outside")
    assert _found(repo, open_repo(repo.path)) == {
        b"nested/inside.py": DifferenceKind.UNTRACKED,
        b"linked/there.py": DifferenceKind.UNTRACKED,
    }


def test_what_a_sparse_checkout_left_out_is_a_kind_of_its_own(repo: Repo, open_repo: Open) -> None:
    repo.write("docs/x.txt", "docs\n")
    repo.commit()
    repo.git("sparse-checkout", "set", "--cone", "docs")
    assert _found(repo, open_repo(repo.path)) == {A: DifferenceKind.NOT_CHECKED_OUT}


@pytest.mark.parametrize("moved", [True, False])
def test_a_submodule_that_moved_or_is_dirty_is_a_difference(
    repo: Repo, open_repo: Open, tmp_path: Path, moved: bool
) -> None:
    outer = Repo(tmp_path / "outer").init(repo.git("rev-parse", "--show-object-format"))
    outer.git("submodule", "--quiet", "add", str(repo.path), "sub")
    outer.commit()
    assert _found(outer, open_repo(outer.path)) == {}
    Repo(outer.path / "sub").write("pkg/a.py", "changed\n")
    if moved:
        Repo(outer.path / "sub").commit()
    outer.git("config", "diff.ignoreSubmodules", "all")
    assert _found(outer, open_repo(outer.path)) == {b"sub": DifferenceKind.SUBMODULE}
