"""Do refs move only when nobody was faster, and all or none?"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from git_assay.git import refs
from git_assay.git.objects import write_commit
from git_assay.git.process import GitFailed
from git_assay.git.refs import RefLocked, RefMoved, RefUpdate, read_ref, read_refs, update_refs
from git_assay.values.ids import ObjectId, RefName
from tests.git.conftest import Open
from tests.repos import Repo

LOG = RefName("refs/notes/log")


def test_a_ref_is_made_moved_and_deleted_with_its_reason(repo: Repo, open_repo: Open) -> None:
    opened, first = open_repo(repo.path), repo.head()
    second = repo.commit()
    update_refs(opened, [RefUpdate(LOG, first, None)], reason="begin")
    update_refs(opened, [RefUpdate(LOG, second, first)], reason="a reason\nin one line")
    assert read_refs(opened, "refs/notes/") == {LOG: second}
    assert "a reason\\x0ain one line" in (repo.path / ".git/logs/refs/notes/log").read_text()
    update_refs(opened, [RefUpdate(LOG, None, second)], reason="end")
    assert read_ref(opened, LOG) is None


def test_refs_are_read_below_each_prefix_and_nowhere_else(repo: Repo, open_repo: Open) -> None:
    names = ["refs/a/one", "refs/b/two", "refs/bc/three"]
    for name in names:
        repo.git("update-ref", name, repo.head())
    opened = open_repo(repo.path)
    assert list(read_refs(opened, "refs/b", "refs/a")) == names[:2]
    assert set(read_refs(opened)) == {*names, "refs/heads/main"}


@pytest.mark.parametrize("expected_there", [True, False])
def test_a_ref_that_moved_is_told_with_both_values(repo: Repo, open_repo: Open, expected_there: bool) -> None:
    opened, first = open_repo(repo.path), repo.head()
    second = repo.commit()
    if expected_there:
        repo.git("update-ref", LOG, second)
    old = first if expected_there else second
    with pytest.raises(RefMoved) as caught:
        update_refs(opened, [RefUpdate(LOG, first, old)], reason="late")
    assert caught.value.expected == old
    assert caught.value.found == (second if expected_there else None)


def test_all_refs_move_or_none(repo: Repo, open_repo: Open) -> None:
    opened, head = open_repo(repo.path), repo.head()
    other = RefName("refs/notes/other")
    repo.git("update-ref", other, head)
    with pytest.raises(RefMoved):
        update_refs(opened, [RefUpdate(LOG, head, None), RefUpdate(other, head, None)], reason="both")
    assert read_ref(opened, LOG) is None


def test_a_stale_lock_is_named(repo: Repo, open_repo: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refs, "_LOCK_DEADLINE_S", 0.0)
    (repo.path / ".git/refs/notes").mkdir()
    lock = repo.path / ".git/refs/notes/log.lock"
    lock.touch()
    with pytest.raises(RefLocked) as caught:
        update_refs(open_repo(repo.path), [RefUpdate(LOG, repo.head(), None)], reason="x")
    assert caught.value.path == lock
    assert lock.exists()


def test_a_bad_name_or_object_is_gits_own_error(repo: Repo, open_repo: Open) -> None:
    opened = open_repo(repo.path)
    absent = ObjectId("1" * len(repo.head()))
    for update in (RefUpdate(RefName("refs/notes/a..b"), repo.head(), None), RefUpdate(LOG, absent, None)):
        with pytest.raises(GitFailed):
            update_refs(opened, [update], reason="x")


def test_no_hook_of_the_user_runs(repo: Repo, open_repo: Open) -> None:
    hook = repo.path / ".git/hooks/reference-transaction"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    update_refs(open_repo(repo.path), [RefUpdate(LOG, repo.head(), None)], reason="x")
    assert read_ref(open_repo(repo.path), LOG) == repo.head()


def test_writers_at_once_lose_nothing(repo: Repo, open_repo: Open) -> None:
    opened, tree = open_repo(repo.path), repo.tree()

    def append(number: int) -> None:
        while True:
            old = read_ref(opened, LOG)
            new = write_commit(opened, tree, [old] if old else [], f"entry {number}")
            try:
                update_refs(opened, [RefUpdate(LOG, new, old)], reason="append")
            except RefMoved:
                continue
            return

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(append, range(12)))
    assert sorted(repo.git("log", "--format=%s", LOG).split("\n")) == sorted(f"entry {n}" for n in range(12))
