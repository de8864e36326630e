"""What does the gate say in the pre-push hook, and which pushes does it stop? An adopted repository, real pushes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import assay
from tests.repos import Repo

POLICY = """\
format: assay-policy/1
version: 1
roles:
  team: {class: human, principals: [alice@example.com]}
rules:
  - name: changes are reviewed
    match: all
    when: changed
    require:
      - {kind: review, by: team, not: authors}
policy_changes: {by: team, not: authors}
"""


@pytest.fixture
def repo(tmp_path: Path, assay_on_path: Path) -> Repo:
    """Returns a clone of an adopted repository, with hooks and a branch that changes a module without a review."""
    origin = Repo(tmp_path / "origin").init()
    origin.write(".assay/config.yml", f"format: assay-config/1\nrepository: {'0' * 32}\nextractor: 1\n")
    origin.write(".assay/policy.yml", POLICY)
    origin.write(".assay/allowed_signers", "")
    origin.write(".assay/revoked_keys", "")
    origin.write("one/assay.yml", "format: assay-card/1\nmodule: one\ngoal: One.\nowners: [alice@example.com]\n")
    origin.write("one/a.py", "x = 1\n")
    origin.commit()
    origin.git("config", "receive.denyCurrentBranch", "ignore")
    origin.git("clone", "-q", ".", str(tmp_path / "clone"))
    clone = Repo(tmp_path / "clone")
    assert assay("hooks", "install", cwd=clone.path).code == 0
    clone.branch("change")
    clone.write("one/a.py", "x = 2\n")
    clone.commit("change")
    return clone


def remote_refs(repo: Repo) -> list[str]:
    return repo.git("ls-remote", "--refs", "origin").splitlines()


def pushed(repo: Repo, *refs: str) -> bool:
    before = remote_refs(repo)
    repo.git("push", "-q", "origin", *refs)
    return remote_refs(repo) != before


def test_as_advice_the_verdict_is_shown_and_the_push_goes(repo: Repo) -> None:
    before = len(remote_refs(repo))
    line = f"refs/heads/change {repo.head()} refs/heads/change {'0' * 40}\n"
    answer = assay("hook", "pre-push", "origin", "url", cwd=repo.path, given=line)
    assert answer.code == 0
    assert "git assay: change: closed: " in answer.err
    assert pushed(repo, "change")
    assert len(remote_refs(repo)) == before + 1


def test_enforced_a_closed_gate_stops_the_push(repo: Repo) -> None:
    repo.git("config", "assay.prePush", "enforce")
    with pytest.raises(AssertionError, match="the push is stopped"):
        pushed(repo, "change")
    assert not any(line.endswith("refs/heads/change") for line in remote_refs(repo))


def test_enforced_one_closed_ref_of_several_stops_the_push(repo: Repo) -> None:
    repo.git("config", "assay.prePush", "enforce")
    with pytest.raises(AssertionError, match="change: closed"):
        pushed(repo, "main:refs/heads/harmless", "change")


@pytest.mark.parametrize("written", ["HEAD:refs/heads/x", "change:main", "change~0:refs/heads/x"])
def test_enforced_the_way_a_push_is_written_does_not_matter(written: str, repo: Repo) -> None:
    repo.git("config", "assay.prePush", "enforce")
    with pytest.raises(AssertionError, match="the push is stopped"):
        pushed(repo, written)


def test_enforced_a_detached_head_and_an_annotated_tag_are_judged(repo: Repo) -> None:
    repo.git("config", "assay.prePush", "enforce")
    repo.git("tag", "-a", "-m", "v1", "v1")
    repo.checkout("HEAD~0")
    with pytest.raises(AssertionError, match="the push is stopped"):
        pushed(repo, "HEAD:refs/heads/x")
    with pytest.raises(AssertionError, match="the push is stopped"):
        pushed(repo, "v1")


def test_enforced_a_push_that_brings_the_target_nothing_goes(repo: Repo) -> None:
    repo.git("config", "assay.prePush", "enforce")
    assert pushed(repo, "main:refs/heads/copy")


def test_enforced_a_deletion_goes(repo: Repo) -> None:
    repo.git("push", "-q", "--no-verify", "origin", "change")
    repo.git("config", "assay.prePush", "enforce")
    assert pushed(repo, ":change")


def test_enforced_what_cannot_be_decided_stops_the_push(repo: Repo, tmp_path: Path) -> None:
    repo.git("config", "assay.prePush", "enforce")
    repo.git("config", "assay.target", "origin/nowhere")
    with pytest.raises(AssertionError, match="cannot decide"):
        pushed(repo, "change")


def test_off_judges_nothing(repo: Repo) -> None:
    repo.git("config", "assay.prePush", "off")
    line = f"refs/heads/change {repo.head()} refs/heads/change {'0' * 40}\n"
    answer = assay("hook", "pre-push", "origin", "url", cwd=repo.path, given=line)
    assert (answer.code, answer.err) == (0, "")


def test_no_verify_skips_the_hook_as_always(repo: Repo) -> None:
    repo.git("config", "assay.prePush", "enforce")
    repo.git("push", "-q", "--no-verify", "origin", "change")
    assert any(line.endswith("refs/heads/change") for line in remote_refs(repo))
