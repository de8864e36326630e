"""Does `git assay init` write what passes every check, excuse what exists, and leave alone what is there?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from git_assay.gate.load import load_exemptions, load_policy
from git_assay.git.process import Git
from git_assay.git.repository import Repository
from tests.cli.command import Answer, assay, environment
from tests.repos import Repo

FILES = {
    "pyproject.toml": "[tool.pytest.ini_options]\n",
    "shop/__init__.py": '"""Shop\'s front door, with "goods" in it.\n\nMore.\n"""\nfrom shop import tax\n',
    "shop/tax/__init__.py": "def tax_on(x):\n    return x\n",
    "tests/test_tax.py": "from shop.tax import tax_on\n",
    "README": "read\n",
}


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path / "shop").init()
    for path, text in FILES.items():
        repo.write(path, text)
    repo.commit("before")
    return repo


def init(repo: Repo, *args: str) -> Answer:
    return assay("init", "--yes", *args, cwd=repo.path)


def adopted(repo: Repo) -> Repo:
    answer = init(repo)
    assert answer.code == 0, answer.err
    repo.commit("adopt")
    return repo


def test_what_is_written_passes_check_and_loads_without_problems(repo: Repo) -> None:
    adopted(repo)
    answer = assay("check", "HEAD", cwd=repo.path)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == "no problem: 3 modules, 3 of 3 source files owned (100.0 %)\n"
    found = Repository.discover(repo.path, environment({}))
    snapshot = found.snapshot(found.tree_of("HEAD"))
    policy, problems = load_policy(snapshot)
    assert policy is not None
    assert problems == ()
    assert load_exemptions(snapshot)[1] == ()
    assert isinstance(found.git, Git)


def test_the_plan_is_shown_and_nothing_is_written(repo: Repo) -> None:
    answer = assay("init", "--dry-run", cwd=repo.path)
    assert answer.code == 0
    assert 'Shop\'s front door, with "goods" in it.' in answer.out
    assert "Hold what lies under tests/." in answer.out
    assert repo.git("status", "--porcelain") == ""
    assert not list((Path(environment({})["HOME"])).glob(".ssh/*"))
    plan = json.loads(assay("init", "--dry-run", "--json", cwd=repo.path).out)
    assert plan["format"] == "assay-init/1"
    assert [row["module"] for row in plan["cards"]] == ["root", "shop", "tests"]
    assert ".assay/policy.yml" in plan["files"]


def test_without_a_terminal_it_asks_for_yes_and_writes_nothing(repo: Repo) -> None:
    answer = assay("init", cwd=repo.path)
    assert answer.code == 129
    assert "hint: git assay init --yes" in answer.err
    assert repo.git("status", "--porcelain") == ""


def test_a_repository_that_adopted_is_refused(repo: Repo) -> None:
    adopted(repo)
    answer = init(repo)
    assert (answer.code, answer.out) == (129, "")
    assert "there is an .assay/ already" in answer.err
    assert repo.git("status", "--porcelain") == ""


def test_existing_files_and_cards_are_kept(repo: Repo) -> None:
    mine = "format: assay-card/1\nmodule: root\ngoal: Mine.\n"
    repo.write("shop/assay.yml", mine)
    repo.write(".gitattributes", "*.txt text\n")
    repo.write("shop/tax/__init__.py", "dirty = True\n")
    assert init(repo).code == 0
    assert (repo.path / "shop/assay.yml").read_text() == mine
    assert (repo.path / ".gitattributes").read_text() == "*.txt text\n"
    assert (repo.path / "shop/tax/__init__.py").read_text() == "dirty = True\n"
    assert "module: root-2\n" in (repo.path / "assay.yml").read_text()
    assert repo.git("diff", "--cached", "--name-only") == ""
    assert assay("check", cwd=repo.path).code == 0


def test_an_ignored_file_in_the_way_is_never_overwritten(repo: Repo) -> None:
    repo.write(".gitignore", "assay.yml\n")
    repo.commit("ignore")
    repo.write("shop/assay.yml", "my notes\n")
    answer = init(repo)
    assert answer.code == 128
    assert "shop/assay.yml" in answer.err
    assert (repo.path / "shop/assay.yml").read_text() == "my notes\n"
    assert not (repo.path / ".assay").exists(), "all or nothing"


def test_an_unborn_branch_can_adopt(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "new").init()
    repo.write("a.py", "x = 1\n")
    assert init(repo).code == 0
    assert assay("check", cwd=repo.path).code == 0


def test_a_bare_repository_cannot(repo: Repo, tmp_path: Path) -> None:
    repo.git("clone", "-q", "--bare", str(repo.path), str(tmp_path / "bare"))
    answer = assay("init", "--yes", cwd=tmp_path / "bare")
    assert (answer.code, answer.out) == (128, "")


def test_each_remote_brings_evidence_to_tracking_refs_and_never_to_notes(repo: Repo) -> None:
    repo.git("remote", "add", "origin", "https://example.com/x")
    repo.git("remote", "add", "fork", "https://example.com/y")
    assert init(repo).code == 0
    for remote in ("origin", "fork"):
        specs = repo.git("config", "--get-all", f"remote.{remote}.fetch").splitlines()
        assert f"+refs/notes/assay-evidence/*:refs/assay/remotes/{remote}/*" in specs
        assert f"+refs/heads/*:refs/remotes/{remote}/*" in specs
        assert not any(spec.partition(":")[2].startswith("refs/notes") for spec in specs)


def test_the_key_that_git_signs_with_is_used(repo: Repo, tmp_path: Path) -> None:
    assert assay("key", "new", "--file", str(tmp_path / "mine"), cwd=repo.path).code == 0
    repo.git("config", "--unset-all", "assay.signingKey")
    repo.git("config", "gpg.format", "ssh")
    repo.git("config", "user.signingKey", str(tmp_path / "mine"))
    assert init(repo).code == 0
    public = (tmp_path / "mine.pub").read_text().split()[1]
    signers = (repo.path / ".assay/allowed_signers").read_text()
    assert signers == f'test@example.com namespaces="git-assay" ssh-ed25519 {public}\n'
    assert not (Path(environment({})["HOME"]) / ".ssh").exists()


def test_without_a_key_one_is_made(repo: Repo) -> None:
    assert init(repo, "--principal", "me@example.com").code == 0
    file = Path(environment({})["HOME"]) / ".ssh" / "git-assay"
    assert file.stat().st_mode & 0o077 == 0
    assert repo.git("config", "assay.signingKey") == str(file)
    public = file.with_suffix(".pub").read_text().split()[1]
    assert public in (repo.path / ".assay/allowed_signers").read_text()
    assert (repo.path / ".assay/allowed_signers").read_text().startswith("me@example.com ")


def test_owners_come_from_codeowners_and_checks_from_the_tests(repo: Repo) -> None:
    repo.write(".github/CODEOWNERS", "* @acme/all\n/shop/ @acme/shop @bob # the shop\n")
    repo.write("shop/tests/test_shop.py", "def test(): ...\n")
    repo.commit("owners")
    assert init(repo, "--no-key").code == 0
    text = (repo.path / "shop/assay.yml").read_text()
    assert 'owners: ["@acme/shop", "@bob"]\n' in text
    assert "run: python -m pytest -q shop/tests\n" in text
    assert "labels: [tested]\n" in text
    assert 'owners: ["@acme/all"]\n' in (repo.path / "tests/assay.yml").read_text()
    assert assay("check", cwd=repo.path).code == 0
    assert (repo.path / ".assay/allowed_signers").read_text() == ""


def test_what_exists_is_excused_until_its_code_is_touched(repo: Repo) -> None:
    adopted(repo)
    repo.branch("change")
    repo.write("tests/test_tax.py", "# a word\nfrom shop.tax import tax_on\n")
    repo.commit("a comment")
    answer = assay("gate", "main..HEAD", cwd=repo.path)
    assert (answer.code, answer.err) == (0, ""), answer.out
    repo.write("shop/tax/__init__.py", "def tax_on(x):\n    return 2 * x\n")
    repo.commit("code")
    answer = assay("gate", "main..HEAD", "--json", cwd=repo.path)
    assert answer.code == 1, answer.err
    assert {row["subject"] for row in json.loads(answer.out)["items"] if row["outcome"] == "lacking"} == {"shop"}


def test_what_an_existing_gitattributes_lacks_is_said(repo: Repo) -> None:
    repo.write(".gitattributes", "assay.yml text eol=lf\n")
    answer = assay("init", "--dry-run", "--no-key", cwd=repo.path)
    assert "add to .gitattributes: .assay/** text eol=lf\n" in answer.out
    assert "add to .gitattributes: assay.yml" not in answer.out


def test_rules_are_advice_until_somebody_can_sign(repo: Repo) -> None:
    assert "key: none: nobody can sign" in init(repo, "--no-key").out
    unsigned = (repo.path / ".assay/policy.yml").read_text()
    assert unsigned.count('enforce: "no"') == 3
    assert assay("check", cwd=repo.path).code == 0
    repo.git("clean", "-qfd")
    assert init(repo).code == 0
    assert (repo.path / ".assay/policy.yml").read_text().count('enforce: "no"') == 1
    assert assay("check", cwd=repo.path).code == 0
