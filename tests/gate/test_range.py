"""Who provably made a commit, and which commits make up a change? On really signed commits."""

from __future__ import annotations

import json
import os
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest

from git_assay.gate.range import change_side, is_complete, range_commits
from git_assay.git.repository import Repository
from git_assay.signing.allowed_signers import parse_allowed_signers
from git_assay.values.ids import ObjectId
from tests.cli.command import assay
from tests.evidences import NOW
from tests.gate.worlds import FILES, POLICY, World
from tests.repos import Repo

PERSON = "alice@example.com"


class SignedChange:
    """A repository with one commit on `change` that git itself signed with an SSH key."""

    def __init__(self, path: Path) -> None:
        self.key = path / "key"
        subprocess.run(
            ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", self.key], check=True, capture_output=True
        )
        self.public = self.key.with_suffix(".pub").read_text().strip()
        self.repo = Repo(path / "repo").init()
        self.base = self.repo.commit("base")
        self.repo.branch("change")
        self.repo.write("a.txt", "a\n")
        self.repo.git("add", "-A")
        signing = ("-c", "gpg.format=ssh", "-c", f"user.signingKey={self.key}.pub")
        self.repo.git(*signing, "commit", "-q", "-S", "-m", "signed")

    def open(self) -> Repository:
        return Repository.discover(self.repo.path, dict(os.environ))

    def signer(self, line: str, head: str = "change") -> str | None:
        """Returns who signed the head, under a keyring of one line; KEY stands for the key."""
        signers = parse_allowed_signers(line.replace("KEY", self.public).encode() + b"\n")
        assert not signers.problems
        repository = self.open()
        commits = range_commits(repository, self.base, repository.resolve(head), signers, now=NOW)
        return commits[-1].signer

    def raw(self, text: bytes) -> ObjectId:
        """Writes a commit object with exactly these bytes."""
        made = self.repo.git_bytes(("hash-object", "-t", "commit", "-w", "--stdin"), stdin=text)
        return ObjectId(made.decode().strip())


@pytest.fixture
def signed(tmp_path: Path) -> SignedChange:
    return SignedChange(tmp_path)


@pytest.mark.parametrize(
    "line",
    [
        f"{PERSON} KEY",
        f'{PERSON} valid-after="20261101Z",valid-before="20261201Z" KEY',
        f"{PERSON},zoe@example.com KEY",
        f'{PERSON} namespaces="git-assay" KEY',
    ],
)
def test_a_listed_key_proves_who_signed_a_commit(signed: SignedChange, line: str) -> None:
    assert signed.signer(line) == PERSON


OTHER = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ5wMAOZXmqTc5XzBbJPn3ZVHzN0Lq8vQpQ0dV9vVw0B"


@pytest.mark.parametrize(
    "line",
    [
        f"{PERSON} {OTHER}",
        f'{PERSON} valid-before="20261101Z" KEY',
        f'{PERSON} valid-after="20261201Z" KEY',
        f"{PERSON} cert-authority KEY",
        "*@example.com KEY",
        f"!{PERSON},*@example.com KEY",
        "alice?@example.com KEY",
    ],
    ids=["another key", "expired", "not yet valid", "an authority", "a pattern", "a negated name", "a question mark"],
)
def test_a_key_that_is_not_listed_for_one_plain_name_today_proves_nothing(signed: SignedChange, line: str) -> None:
    assert signed.signer(line) is None


def test_a_signature_that_was_taken_from_another_commit_proves_nothing(signed: SignedChange) -> None:
    raw = signed.repo.git_bytes(("cat-file", "commit", "change"))
    assert signed.signer(f"{PERSON} KEY", signed.raw(raw)) == PERSON
    assert signed.signer(f"{PERSON} KEY", signed.raw(raw + b"and more\n")) is None
    other = signed.repo.tree(signed.base).encode()
    assert signed.signer(f"{PERSON} KEY", signed.raw(b"tree " + other + raw[raw.index(b"\n") :])) is None


def test_a_signature_made_for_something_else_proves_nothing(signed: SignedChange) -> None:
    raw = signed.repo.git_bytes(("cat-file", "commit", "change"))
    begin, end = raw.index(b"gpgsig "), raw.index(b"-----END SSH SIGNATURE-----\n") + 28
    plain = raw[:begin] + raw[end:]
    for namespace, proved in (("git", PERSON), ("file", None), ("git-assay", None)):
        command = ["ssh-keygen", "-q", "-Y", "sign", "-n", namespace, "-f", str(signed.key)]
        made = subprocess.run(command, input=plain, check=True, capture_output=True).stdout
        header = b"gpgsig " + made.rstrip(b"\n").replace(b"\n", b"\n ") + b"\n"
        assert signed.signer(f"{PERSON} KEY", signed.raw(raw[:begin] + header + raw[end:])) == proved


@pytest.mark.parametrize("junk", [b"gpgsig nothing\n", b"gpgsig -----BEGIN PGP SIGNATURE-----\n", b"gpgsig \n \xff\n"])
def test_a_signature_that_cannot_be_read_proves_nothing(signed: SignedChange, junk: bytes) -> None:
    raw = signed.repo.git_bytes(("cat-file", "commit", "change"))
    begin, end = raw.index(b"gpgsig "), raw.index(b"-----END SSH SIGNATURE-----\n") + 28
    assert signed.signer(f"{PERSON} KEY", signed.raw(raw[:begin] + junk + raw[end:])) is None


def test_a_commit_that_nobody_signed_has_no_signer(signed: SignedChange) -> None:
    signed.repo.commit("unsigned")
    assert signed.signer(f"{PERSON} KEY") is None


def _diverged(tmp_path: Path) -> World:
    world = World(tmp_path / "repo")
    world.edit("src/billing/invoice.py", "return total()", "return total() + 1")
    world.repo.commit("change", GIT_AUTHOR_EMAIL="alice@example.com")
    world.repo.checkout("main")
    world.edit("src/order/cart.py", "return 1", "return 2")
    world.repo.commit("target")
    return world


def _side(world: World, head: str) -> str:
    repository = world.open()
    return change_side(repository, repository.resolve("main"), repository.resolve(head))


def test_a_hosts_merge_commit_is_nobodys_work(tmp_path: Path) -> None:
    world = _diverged(tmp_path)
    world.repo.branch("host")
    world.repo.merge("change", GIT_COMMITTER_EMAIL="host@elsewhere.example")
    assert _side(world, "host") == world.repo.head("change")


def test_a_merge_commit_that_adds_something_is_its_makers_work(tmp_path: Path) -> None:
    world = _diverged(tmp_path)
    world.repo.branch("evil")
    world.repo.merge("change")
    world.edit("src/order/cart.py", "return 2", "return 3")
    world.repo.git("add", "-A")
    world.repo.git("commit", "-q", "--amend", "--no-edit", GIT_COMMITTER_EMAIL="eve@elsewhere.example")
    assert _side(world, "evil") == world.repo.head("evil")


def test_a_merge_of_the_target_into_the_change_is_the_changes_work(tmp_path: Path) -> None:
    world = _diverged(tmp_path)
    world.repo.checkout("change")
    world.repo.merge("main")
    assert _side(world, "change") == world.repo.head("change")
    # Its first parent is not the target: whoever made it chose that.
    repository = world.open()
    before = world.repo.git("rev-parse", "main~1")
    world.repo.git("checkout", "-q", "-b", "host", "main~1")
    world.repo.merge("change~1")
    assert change_side(repository, repository.resolve("main"), repository.resolve("host")) == world.repo.head("host")
    assert change_side(repository, ObjectId(before), repository.resolve("host")) == world.repo.head("change~1")


def test_an_octopus_is_the_work_of_whoever_tied_it(tmp_path: Path) -> None:
    world = _diverged(tmp_path)
    world.repo.git("checkout", "-q", "-b", "other", "main")
    world.repo.write("docs/a.md", "a\n")
    world.repo.commit("docs")
    world.repo.git("checkout", "-q", "-b", "octopus", "main")
    world.repo.git("merge", "-q", "--no-ff", "-m", "octopus", "change", "other")
    assert len(world.repo.git("rev-list", "--parents", "-1", "HEAD").split()) == 4
    assert _side(world, "octopus") == world.repo.head("octopus")


def test_the_history_of_a_change_is_not_complete_in_a_shallow_clone(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo").init()
    for message in ("one", "two", "three"):
        repo.commit(message)
    repo.branch("change")
    repo.commit("change")
    for path, prefix, complete in ((repo.path, "", True), (tmp_path / "shallow", "origin/", False)):
        if not complete:
            repo.git("clone", "-q", "--depth=2", "--no-single-branch", f"file://{repo.path}", str(path))
        repository = Repository.discover(path, dict(os.environ))
        target, head = (repository.resolve(prefix + name) for name in ("main", "change"))
        assert is_complete(repository, target, head) is complete


def test_a_span_of_time_bounds_a_key_on_both_ends(signed: SignedChange) -> None:
    after, before = (f"{NOW + timedelta(seconds=step):%Y%m%d%H%M%SZ}" for step in (0, 1))
    assert signed.signer(f'{PERSON} valid-after="{after}",valid-before="{before}" KEY') == PERSON


AGENTS_RULE = """\
  - name: agents are looked at
    match: all
    when: changed
    if: {author: agents}
    require: [{kind: review, by: maintainers, count: 3}]
policy_changes"""


@pytest.mark.parametrize(
    ("revoked", "trusted"),
    [("", True), ("KEY", False), ("KEY retired 20261201Z", False), ("not a key", False)],
    ids=["standing", "revoked", "retired", "unreadable"],
)
def test_the_gate_believes_a_persons_signature_until_the_key_is_revoked(
    tmp_path: Path, revoked: str, trusted: bool
) -> None:
    signed = SignedChange(tmp_path)
    files = {
        ".assay/policy.yml": POLICY.replace("policy_changes", AGENTS_RULE, 1),
        ".assay/allowed_signers": f"alice@example.com {signed.public}\n",
        ".assay/revoked_keys": revoked.replace("KEY", signed.public) + "\n",
    }
    world = World(tmp_path / "world", {**FILES, **files})
    world.edit("src/order/cart.py", "return 1", "return 2")
    signing = ("-c", "gpg.format=ssh", "-c", f"user.signingKey={signed.key}.pub")
    email = {"GIT_AUTHOR_EMAIL": PERSON, "GIT_COMMITTER_EMAIL": PERSON}
    world.repo.git(*signing, "commit", "-q", "-a", "-S", "-m", "signed", **email)
    answer = assay("gate", "main..change", "--json", cwd=world.repo.path)
    assert answer.code == 1
    rules = {item["rule"] for item in json.loads(answer.out)["items"]}
    assert "everything" in rules
    assert ("agents are looked at" not in rules) is trusted
