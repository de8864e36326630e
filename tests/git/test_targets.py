"""Is the target branch the one that the work is for, and is a push read rightly?"""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_assay.errors import AssayError
from git_assay.git import config
from git_assay.git.prepush import PushedRef, parse, pushed_commits
from git_assay.git.repository import UnbornBranch
from git_assay.git.targets import target_of
from git_assay.values.ids import ObjectId, RefName
from tests.git.conftest import Open
from tests.repos import Repo

X, Y, ZERO = "a" * 40, "b" * 40, "0" * 40


@pytest.fixture
def clone(repo: Repo, tmp_path: Path) -> Repo:
    repo.git("clone", "-q", str(repo.path), str(tmp_path / "clone"))
    return Repo(tmp_path / "clone")


def test_a_setting_wins(clone: Repo, open_repo: Open) -> None:
    clone.git("branch", "release")
    clone.git("config", "assay.target", "release")
    found = target_of(open_repo(clone.path))
    assert (found.ref, found.how, found.tip) == ("refs/heads/release", "assay.target", clone.head())
    clone.git("config", "assay.target", "nowhere")
    with pytest.raises(AssayError, match="nowhere"):
        target_of(open_repo(clone.path))


def test_settings_are_matched_with_the_value_that_counts(repo: Repo, open_repo: Open) -> None:
    for value in ("one", "two\nlines"):
        repo.git("config", "--add", "Branch.Feature/X.remote", value)
    repo.git("config", "assay.target", "main")
    pattern = r"^(assay\.target|branch\..*\.remote|init\.nothing)$"
    found = config.get_matching(open_repo(repo.path), pattern)
    assert found == {"branch.Feature/X.remote": "two\nlines", "assay.target": "main"}


def test_an_upstream_of_another_name_is_the_target(clone: Repo, open_repo: Open) -> None:
    clone.git("push", "-q", "origin", "main:next")
    clone.git("checkout", "-q", "-b", "feature", "--track", "origin/next")
    found = target_of(open_repo(clone.path))
    assert (found.ref, found.how) == ("refs/remotes/origin/next", "upstream of feature")


def test_a_branchs_own_copy_on_the_remote_is_not_the_target(clone: Repo, open_repo: Open) -> None:
    clone.git("checkout", "-q", "-b", "feature")
    clone.git("push", "-q", "-u", "origin", "feature")
    found = target_of(open_repo(clone.path))
    assert (found.ref, found.how) == ("refs/remotes/origin/main", "HEAD of origin")
    clone.checkout("main")
    assert target_of(open_repo(clone.path)).how == "upstream of main"


def test_without_a_remote_head_a_conventional_branch_is_the_target(clone: Repo, open_repo: Open) -> None:
    clone.git("remote", "set-head", "origin", "--delete")
    clone.git("checkout", "-q", "--detach")
    assert target_of(open_repo(clone.path)).how == "main of origin"
    clone.git("remote", "remove", "origin")
    assert target_of(open_repo(clone.path)).how == "local branch main"


def test_no_target_is_one_clear_error(tmp_path: Path, open_repo: Open) -> None:
    repo = Repo(tmp_path / "new").init("sha1", "-b", "odd")
    with pytest.raises(UnbornBranch, match="branch 'odd' has no commit yet"):
        target_of(open_repo(repo.path))
    repo.commit("one")
    with pytest.raises(AssayError, match="which branch this work is for, of odd") as caught:
        target_of(open_repo(repo.path))
    assert caught.value.hint == "git config assay.target odd"


def test_settings_are_read_as_git_reads_them(repo: Repo, open_repo: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = open_repo(repo.path)
    assert config.get(opened, "assay.none") is None
    assert config.get_bool(opened, "assay.none", default=True)
    config.add_local(opened, "assay.many", "one")
    config.add_local(opened, "assay.many", "two\nlines")
    config.add_local(opened, "assay.many", "one")
    assert config.get_all(opened, "assay.many") == ("one", "two\nlines")
    assert config.get_section(opened, "assay") == {"assay.many": ("one", "two\nlines")}
    config.set_local(opened, "assay.many", "on")
    assert config.get(opened, "assay.many") == "on"
    assert config.get_bool(opened, "assay.many")
    config.unset_local(opened, "assay.many")
    config.unset_local(opened, "assay.many")
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", "'assay.many'='from -c'")
    assert config.get(open_repo(repo.path), "assay.many") == "from -c"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            f"refs/heads/a {X} refs/heads/a {Y}",
            PushedRef("refs/heads/a", ObjectId(X), RefName("refs/heads/a"), ObjectId(Y)),
        ),
        (
            f"refs/heads/a {X} refs/heads/a {ZERO}",
            PushedRef("refs/heads/a", ObjectId(X), RefName("refs/heads/a"), None),
        ),
        (f"(delete) {ZERO} refs/heads/a {Y}", PushedRef("(delete)", None, RefName("refs/heads/a"), ObjectId(Y))),
        (
            f"(delete) {'0' * 64} refs/heads/a {'c' * 64}",
            PushedRef("(delete)", None, RefName("refs/heads/a"), ObjectId("c" * 64)),
        ),
        (
            f"HEAD^{{/a word}} {X} refs/heads/a {ZERO}",
            PushedRef("HEAD^{/a word}", ObjectId(X), RefName("refs/heads/a"), None),
        ),
    ],
)
def test_each_shape_of_line_is_read(line: str, expected: PushedRef) -> None:
    assert parse(f"{line}\n".encode()) == (expected,)


def test_empty_input_is_an_up_to_date_push() -> None:
    assert parse(b"") == ()


@pytest.mark.parametrize("line", [b"one two", b"a b c d", b"refs/heads/a " + b"g" * 40 + b" r " + b"0" * 40])
def test_another_line_is_refused(line: bytes) -> None:
    with pytest.raises(AssayError, match="pre-push"):
        parse(line)


@given(st.binary())
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with contextlib.suppress(AssayError):
        assert len(parse(data)) <= data.count(b"\n") + 1


def test_pushed_commits_are_judged_once_with_what_the_remote_has(clone: Repo, open_repo: Open) -> None:
    base = clone.head()
    tip = clone.commit("new")
    zero = "0" * len(tip)
    clone.git("tag", "-a", "-m", "t", "v1")
    clone.git("tag", "-a", "-m", "t", "of-tree", clone.tree())
    lines = [
        f"refs/heads/x {tip} refs/heads/x {zero}",
        f"refs/tags/v1 {clone.git('rev-parse', 'v1')} refs/tags/v1 {zero}",
        f"refs/tags/t {clone.git('rev-parse', 'of-tree')} refs/tags/t {zero}",
        f"refs/notes/assay {tip} refs/notes/assay {zero}",
        f"(delete) {zero} refs/heads/old {base}",
        f"HEAD {tip} refs/heads/main {'e' * len(tip)}",
    ]
    refs = parse("".join(f"{line}\n" for line in lines).encode())
    for remote in ("origin", "https://example.com/x.git"):
        (found,) = pushed_commits(open_repo(clone.path), refs, remote)
        assert found.commit == tip
        assert found.bases == (base,)
        assert found.refs == ("refs/heads/x", "refs/tags/v1", "refs/heads/main")
