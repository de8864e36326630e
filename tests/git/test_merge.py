"""Is the merge result git's own, and nobody's settings'?"""

from __future__ import annotations

from pathlib import Path

import pytest

from git_assay.git.merge import Conflicts, merge_bases, merge_result
from git_assay.git.snapshot import Snapshot
from git_assay.values.ids import ObjectId, TreePath
from tests.git.conftest import Open
from tests.repos import Repo

A = TreePath(b"pkg/a.py")


def _two_sides(repo: Repo, ours: str, theirs: str) -> tuple[ObjectId, ObjectId]:
    repo.branch("feature")
    repo.write("pkg/a.py", theirs)
    feature = repo.commit("feature")
    repo.checkout("main")
    repo.write("pkg/a.py", ours)
    repo.write("other.py", "other\n")
    return repo.commit("main"), feature


def test_the_result_is_the_tree_of_gits_merge_and_stays_out_of_the_repository(repo: Repo, open_repo: Open) -> None:
    lines = "".join(f"{number}\n" for number in range(20))
    repo.write("pkg/a.py", lines)
    repo.commit()
    main, feature = _two_sides(repo, "top\n" + lines, lines + "end\n")
    before = sorted(str(path) for path in (repo.path / ".git").rglob("*"))
    result = merge_result(open_repo(repo.path), main, feature)
    assert isinstance(result, Snapshot)
    assert result.read(A).decode() == "top\n" + lines + "end\n"
    assert sorted(str(path) for path in (repo.path / ".git").rglob("*")) == before
    repo.merge("feature")
    assert result.tree == repo.tree()


def test_a_conflict_names_its_paths(repo: Repo, open_repo: Open) -> None:
    main, feature = _two_sides(repo, "ours\n", "theirs\n")
    assert merge_result(open_repo(repo.path), main, feature) == Conflicts((A,))


def test_unrelated_histories_have_no_result(repo: Repo, open_repo: Open) -> None:
    main = repo.head()
    repo.git("checkout", "-q", "--orphan", "alone")
    alone = repo.commit("alone")
    assert merge_result(open_repo(repo.path), main, alone) == Conflicts((), unrelated=True)


def test_an_ancestor_gives_the_descendants_tree_on_either_side(repo: Repo, open_repo: Open) -> None:
    old = repo.head()
    repo.write("pkg/a.py", "two\n")
    new = repo.commit()
    opened = open_repo(repo.path)
    for pair in ((old, new), (new, old), (new, new)):
        result = merge_result(opened, *pair)
        assert isinstance(result, Snapshot)
        assert result.tree == repo.tree()


def test_a_merge_driver_neither_runs_nor_decides(repo: Repo, open_repo: Open, hermetic: Path, tmp_path: Path) -> None:
    witness = tmp_path / "ran"
    for scope in ("--local", "--global"):
        repo.git("config", scope, "merge.evil.driver", f"touch {witness}")
        repo.git("config", scope, "merge.renames", "false")
    (hermetic / ".config/git").mkdir(parents=True)
    (hermetic / ".config/git/attributes").write_text("* merge=evil\n")
    repo.write(".gitattributes", "* merge=evil\n")
    (repo.path / ".git/info").mkdir(exist_ok=True)
    (repo.path / ".git/info/attributes").write_text("* merge=evil\n")
    repo.commit()
    main, feature = _two_sides(repo, "ours\n", "theirs\n")
    assert merge_result(open_repo(repo.path), main, feature) == Conflicts((A,))
    assert not witness.exists()


def test_settings_of_renames_change_no_result(repo: Repo, open_repo: Open) -> None:
    lines = "".join(f"{number}\n" for number in range(20))
    repo.write("pkg/a.py", lines)
    repo.commit()
    repo.branch("feature")
    repo.git("mv", "pkg/a.py", "pkg/b.py")
    feature = repo.commit()
    repo.checkout("main")
    repo.write("pkg/a.py", lines + "more\n")
    main = repo.commit()
    repo.git("config", "merge.renames", "false")
    result = merge_result(open_repo(repo.path), main, feature)
    assert isinstance(result, Snapshot)
    assert result.read(TreePath(b"pkg/b.py")).decode() == lines + "more\n"
    assert A not in result.entries


def test_a_criss_cross_history_is_merged_with_a_recursive_base(repo: Repo, open_repo: Open) -> None:
    repo.branch("b")
    repo.write("b.txt", "b\n")
    b1 = repo.commit()
    repo.checkout("main")
    repo.write("a.txt", "a\n")
    a1 = repo.commit()
    a2 = repo.merge(b1)
    repo.checkout("b")
    b2 = repo.merge(a1)
    repo.write("b2.txt", "b\n")
    b3 = repo.commit()
    repo.checkout("main")
    repo.write("a2.txt", "a\n")
    a3 = repo.commit()
    opened = open_repo(repo.path)
    assert len(merge_bases(opened, a2, b2)) == 2
    result = merge_result(opened, a3, b3)
    assert isinstance(result, Snapshot)
    assert {b"a2.txt", b"b2.txt"} <= set(result.entries)


def test_a_merge_works_in_a_bare_clone_and_under_a_hooks_environment(
    repo: Repo, open_repo: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main, feature = _two_sides(repo, "one\n", "two\n")
    repo.git("clone", "-q", "--bare", str(repo.path), str(tmp_path / "bare.git"))
    bare = merge_result(open_repo(tmp_path / "bare.git"), main, feature)
    assert isinstance(bare, Snapshot)
    monkeypatch.setenv("GIT_DIR", str(repo.path / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(repo.path / ".git/index"))
    hooked = merge_result(open_repo(repo.path), main, feature)
    assert isinstance(hooked, Snapshot)
    assert hooked.tree == bare.tree
    assert hooked.read(A) == b"two\n"
