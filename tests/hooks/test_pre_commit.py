"""Does the pre-commit hook judge exactly what the commit will hold?"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import assay
from tests.repos import Repo

CONFIG = f"format: assay-config/1\nrepository: {'0' * 32}\nextractor: 1\n"
CARD = "format: assay-card/1\nmodule: {name}\ngoal: Does {name}.\nowners: [a@example.com]\n"


@pytest.fixture
def repo(tmp_path: Path, assay_on_path: Path) -> Repo:
    made = Repo(tmp_path / "repo").init()
    made.write(".assay/config.yml", CONFIG)
    made.write("one/assay.yml", CARD.format(name="one"))
    made.write("one/a.py", "x = 1\n")
    made.commit()
    assert assay("hooks", "install", cwd=made.path).code == 0
    return made


def test_a_sound_index_can_be_committed(repo: Repo) -> None:
    repo.write("one/b.py", "y = 2\n")
    repo.commit()
    assert repo.git("status", "--porcelain") == ""


def test_a_source_file_without_an_owner_cannot_be_committed(repo: Repo) -> None:
    head = repo.head()
    repo.write("two/b.py", "y = 2\n")
    with pytest.raises(AssertionError, match=r"two/b\.py: no module owns this source file"):
        repo.commit()
    assert repo.head() == head


def test_a_broken_card_cannot_be_committed(repo: Repo) -> None:
    repo.write("one/assay.yml", CARD.format(name="one") + "gaol: typo\n")
    with pytest.raises(AssertionError, match=r"one/assay\.yml:5:1"):
        repo.commit()


def test_what_is_not_staged_does_not_matter(repo: Repo) -> None:
    repo.write("one/b.py", "y = 2\n")
    repo.git("add", "one/b.py")
    repo.write("one/assay.yml", "not a card")
    repo.write("two/c.py", "z = 3\n")
    repo.git("commit", "-q", "-m", "only b")
    assert repo.git("show", "--name-only", "--format=") == "one/b.py"


def test_what_is_staged_matters_though_the_working_directory_is_sound(repo: Repo) -> None:
    repo.write("one/assay.yml", "not a card")
    repo.git("add", "-A")
    repo.write("one/assay.yml", CARD.format(name="one"))
    with pytest.raises(AssertionError, match="git commit"):
        repo.git("commit", "-q", "-m", "broken")


def test_commit_all_and_commit_of_a_path_are_judged_on_their_own_index(repo: Repo) -> None:
    repo.write("one/a.py", "x = 2\n")
    repo.git("commit", "-q", "-a", "-m", "all")
    repo.write("two/c.py", "z = 3\n")
    repo.git("add", "-A")
    repo.write("one/a.py", "x = 3\n")
    repo.git("commit", "-q", "-m", "path", "--", "one/a.py")
    assert repo.git("diff", "--cached", "--name-only") == "two/c.py"


def test_a_commit_in_a_linked_worktree_is_judged_on_its_own_index(repo: Repo, tmp_path: Path) -> None:
    repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))
    linked = Repo(tmp_path / "linked")
    repo.write("two/c.py", "z = 3\n")
    repo.git("add", "-A")
    linked.write("one/a.py", "x = 2\n")
    linked.commit()
    linked.write("three/d.py", "z = 3\n")
    with pytest.raises(AssertionError, match=r"three/d\.py"):
        linked.commit()


def test_the_user_index_is_left_as_it_was(repo: Repo) -> None:
    repo.write("two/c.py", "z = 3\n")
    repo.git("add", "-A")
    before = (repo.path / ".git" / "index").read_bytes()
    assert assay("hook", "pre-commit", cwd=repo.path).code == 1
    assert (repo.path / ".git" / "index").read_bytes() == before


def test_a_repository_without_assay_passes(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "plain").init()
    repo.write("a.py", "x = 1\n")
    repo.git("add", "-A")
    answer = assay("hook", "pre-commit", cwd=repo.path)
    assert (answer.code, answer.out, answer.err) == (0, "", "")
