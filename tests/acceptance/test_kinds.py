"""Does the main job work, with the same answers, in every ordinary kind of repository?

One repository with evidence of a branch is made per object format; each kind is made from it.
"""

from __future__ import annotations

import io
import os
import subprocess
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from git_assay.cli import dispatch
from git_assay.cli.session import Session
from git_assay.errors import AssayError
from tests.repos import Repo

_CARD = """\
format: assay-card/1
module: {0}
goal: Be {0}.
owners: [alice@example.com]
checks: [{{name: unit, kind: tests, run: 'true', inputs: []}}]
"""
_POLICY = """\
format: assay-policy/1
version: 1
roles:
  people: {class: human, principals: [alice@example.com]}
rules:
  - name: what a change reaches is tested
    match: all
    when: affected
    require: [{kind: tests, by: people}]
  - name: what changes is reviewed
    match: all
    when: changed
    require: [{kind: review, by: people}]
policy_changes: {by: people, count: 1}
"""
_EVIDENCE = "+refs/notes/assay-evidence/*:refs/notes/assay-evidence/*"


_ASKED = (
    ("cone", "app", "topic", "--hash"),
    ("status", "--rev", "topic", "--porcelain"),
    ("radius", "main..topic"),
)
OPEN = "open: 4 requirements hold, 3 modules affected"


@dataclass(frozen=True)
class Answer:
    """What a command left behind: its output, or its error and hint."""

    code: int
    out: str
    hint: str | None = None


@dataclass(frozen=True)
class Source:
    """repo: main has adopted; topic, checked out, changes one file and has all the evidence it needs.

    answers: what it says itself to everything in `_ASKED`.
    """

    repo: Repo
    key: Path
    answers: list[Answer]

    def assay(self, *args: str, cwd: Path) -> Answer:
        """Runs `git assay ARGS` in this process."""
        key = {
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "assay.signingKey",
            "GIT_CONFIG_VALUE_0": str(self.key),
        }
        session = Session(cwd=cwd, env={**os.environ, **key}, clock=lambda: datetime(2026, 1, 2, 4, tzinfo=UTC))
        with redirect_stdout(io.TextIOWrapper(io.BytesIO(), encoding="utf-8")) as out:
            try:
                code = dispatch.run_verb(args, session)
            except AssayError as error:
                return Answer(128, str(error), error.hint)
            out.flush()
            return Answer(code, out.buffer.getvalue().decode())


@pytest.fixture(scope="module", params=["sha1", "sha256"])
def source(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Source:
    folder = tmp_path_factory.mktemp(request.param)
    made = Source(Repo(folder / "source").init(request.param), folder / "key", [])
    repo = made.repo
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(made.key)], check=True)
    signer = f'alice@example.com namespaces="git-assay" {made.key.with_suffix(".pub").read_text().strip()}\n'
    repo.write(".assay/config.yml", f"format: assay-config/1\nrepository: {'0123456789abcdef' * 2}\nextractor: 1\n")
    repo.write(".assay/policy.yml", _POLICY)
    repo.write(".assay/allowed_signers", signer)
    repo.write(".assay/revoked_keys")
    for name, text in {"app": "import mid\n", "mid": "import low\n", "low": "one = 1\n", "other": ""}.items():
        repo.write(f"{name}/assay.yml", _CARD.format(name))
        repo.write(f"{name}/__init__.py", text)
    repo.commit("adopt")
    repo.branch("topic")
    repo.write("low/__init__.py", "one = 2\n")
    repo.commit("change")
    for name, value in {"uploadpack.allowFilter": "true", "uploadpack.allowAnySHA1InWant": "true"}.items():
        repo.git("config", name, value)
    assert made.assay("attest", "--all", cwd=repo.path).code == 0
    assert made.assay("review", "main..topic", "--approve", "--yes", "-m", "fine", cwd=repo.path).code == 0
    made.answers.extend(made.assay(*question, cwd=repo.path) for question in _ASKED)
    return made


def _normal(source: Repo, place: Path) -> Path:
    return _fetched(source, place)


def _bare(source: Repo, place: Path) -> Path:
    source.git("clone", "-q", "--mirror", str(source.path), str(place))
    return place


def _worktree(source: Repo, place: Path) -> Path:
    around = _fetched(source, place / "around")
    Repo(around).git("worktree", "add", "-q", "--detach", str(place / "linked"), "topic")
    return place / "linked"


def _submodule(source: Repo, place: Path) -> Path:
    outer = Repo(place).init(source.git("rev-parse", "--show-object-format"))
    outer.git("submodule", "--quiet", "add", "-b", "topic", str(source.path), "sub")
    outer.commit()
    inner = Repo(place / "sub")
    inner.git("fetch", "-q", "origin", _EVIDENCE, "main:main")
    return inner.path


def _shallow(source: Repo, place: Path) -> Path:
    return _fetched(source, place, "--depth=1", "--no-single-branch")


def _alternates(source: Repo, place: Path) -> Path:
    return _fetched(source, place, "--shared")


def _partial(source: Repo, place: Path) -> Path:
    return _fetched(source, place, "--filter=blob:none")


def _sparse(source: Repo, place: Path) -> Path:
    found = _fetched(source, place)
    Repo(found).git("sparse-checkout", "set", "--cone", "low")
    assert not (found / "app").exists()
    return found


def _fetched(source: Repo, place: Path, *options: str) -> Path:
    source.git("clone", "-q", *options, "-b", "topic", f"file://{source.path}", str(place))
    Repo(place).git("fetch", "-q", "origin", _EVIDENCE)
    Repo(place).git("branch", "-q", "main", "origin/main")
    return place


Make = Callable[[Repo, Path], Path]
WITH_FILES: list[Make] = [_normal, _worktree, _submodule, _shallow, _alternates, _partial]


def _name(make: Make) -> str:
    return make.__name__.strip("_")


@pytest.mark.parametrize("make", [*WITH_FILES, _bare, _sparse], ids=_name)
def test_every_question_has_the_same_answer(source: Source, tmp_path: Path, make: Make) -> None:
    place = make(source.repo, tmp_path / "made")
    assert [source.assay(*question, cwd=place) for question in _ASKED] == source.answers
    if make is not _shallow:
        judged = source.assay("gate", "main..topic", cwd=place)
        assert (judged.code, judged.out.splitlines()[0]) == (0, OPEN)


def test_a_shallow_clone_that_ends_above_the_merge_base_cannot_decide(source: Source, tmp_path: Path) -> None:
    place = _shallow(source.repo, tmp_path / "made")
    refused = source.assay("gate", "main..topic", cwd=place)
    said = "this clone is shallow and holds no history that the change and its target share"
    assert refused == Answer(128, said, "git fetch --unshallow")
    Repo(place).git("fetch", "-q", "--unshallow")
    assert source.assay("gate", "main..topic", cwd=place).out.startswith(OPEN)


@pytest.mark.parametrize("make", WITH_FILES, ids=_name)
def test_checks_run_and_what_is_signed_is_found_again(source: Source, tmp_path: Path, make: Make) -> None:
    place = make(source.repo, tmp_path / "made")
    ran = source.assay("attest", "other", "--force", cwd=place)
    assert (ran.code, ran.out.splitlines()[0].split()[:4]) == (0, ["pass", "tests", "other", "unit:"])
    assert _verified(source, place) == "6 verified, 0 refused, 0 withdrawn"


def test_nothing_runs_where_files_are_left_out_and_nothing_is_signed(source: Source, tmp_path: Path) -> None:
    place = _sparse(source.repo, tmp_path / "made")
    refused = source.assay("attest", "other", "--force", cwd=place)
    assert (refused.code, refused.hint) == (128, "git sparse-checkout disable")
    assert "not checked out: app/__init__.py" in refused.out
    assert _verified(source, place) == "5 verified, 0 refused, 0 withdrawn"
    Repo(place).git("sparse-checkout", "disable")
    assert source.assay("attest", "other", "--force", cwd=place).code == 0


def test_a_review_is_signed_without_a_working_directory_and_no_check_runs(source: Source, tmp_path: Path) -> None:
    place = _bare(source.repo, tmp_path / "made")
    assert source.assay("review", "main..topic", "--approve", "--yes", "-m", "again", cwd=place).code == 0
    refused = source.assay("attest", "other", "--force", cwd=place)
    assert refused.code == 128
    assert "working directory" in refused.out
    assert _verified(source, place) == "6 verified, 0 refused, 0 withdrawn"


def test_a_replaced_object_changes_no_answer(source: Source, tmp_path: Path) -> None:
    place = Repo(_normal(source.repo, tmp_path / "made"))
    place.git(
        "replace", place.git("rev-parse", "topic:low/__init__.py"), place.git("rev-parse", "main:low/__init__.py")
    )
    place.git("replace", "topic", "main")
    assert place.git("show", "topic:low/__init__.py") == "one = 1"
    assert [source.assay(*question, cwd=place.path) for question in _ASKED] == source.answers
    assert source.assay("gate", "main..topic", cwd=place.path).out.startswith(OPEN)


def _verified(source: Source, place: Path) -> str:
    answer = source.assay("verify", cwd=place)
    assert answer.code == 0
    return answer.out.splitlines()[0]
