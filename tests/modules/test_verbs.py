"""What do people and machines read from `git assay check`, `owners` and `module`? `ASSAY_GOLDEN=write` rewrites it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.command import Answer, assay
from tests.modules.trees import CONFIG, card
from tests.repos import Repo

GOLDEN = Path(__file__).parent / "golden"
POLICY = """\
format: assay-policy/1
version: 1
roles:
  maintainers: {class: human, principals: [test@example.com]}
rules:
  - {name: all is reviewed, match: all, when: changed, require: [{kind: review, by: maintainers}]}
policy_changes: {by: maintainers}
"""
CODE = "LIMIT = 3\n\n\ndef tax_on(x):\n    return x\n\n\ndef round_up(x):\n    return x\n"
SOUND = {
    ".assay/config.yml": CONFIG,
    ".assay/policy.yml": POLICY,
    ".assay/allowed_signers": "",
    "shop/assay.yml": card("shop", "owners: ['@acme/shop']", "labels: [critical]", "assets: [page.html]"),
    "shop/__init__.py": "from shop import tax\n",
    "shop/page.html": "",
    "shop/tax/assay.yml": "# The tax.\n" + card("tax", "owners: [bob@example.com]", "parent: shop", "depends: []"),
    "shop/tax/__init__.py": CODE,
    "shop/money/assay.yml": card("money", "owns: ['/shop/tax/__init__.py::round_up']", "owners: [carol@example.com]"),
    "README": "",
}
SOUND["shop/tax/assay.yml"] += "lends: [{pattern: '__init__.py::round_up', to: money}]\n"
PROBLEMS = {
    "shop/tax/__init__.py": CODE + "\n\nimport shop\n",
    "shop/assay.yml": card("shop", "interface: [{name: sell}]", "assets: [gone.html]"),
    "loose.py": "",
}


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path / "shop").init()
    for path, text in SOUND.items():
        repo.write(path, text)
    repo.commit("sound")
    return repo


def spoiled(repo: Repo) -> Repo:
    for path, text in PROBLEMS.items():
        repo.write(path, text)
    return repo


def reviewed(name: str, answer: Answer) -> None:
    """Compares with what a person has read."""
    file = GOLDEN / name
    if os.environ.get("ASSAY_GOLDEN") == "write":
        file.parent.mkdir(exist_ok=True)
        file.write_text(answer.out)
    assert answer.err == ""
    assert answer.out == file.read_text()


def test_a_sound_tree_has_no_problem(repo: Repo) -> None:
    answer = assay("check", cwd=repo.path)
    assert answer.code == 0
    reviewed("check-sound.txt", answer)


def test_every_problem_is_printed_with_its_place(repo: Repo) -> None:
    spoiled(repo)
    answer = assay("check", cwd=repo.path)
    assert answer.code == 1
    reviewed("check-problems.txt", answer)
    answer = assay("check", "--json", cwd=repo.path)
    assert answer.code == 1
    reviewed("check-problems.json", answer)
    assert assay("check", "HEAD", cwd=repo.path).code == 0, "a revision is not the working directory"


def test_the_index_is_checked_and_not_the_working_directory(repo: Repo) -> None:
    spoiled(repo)
    assert assay("check", "--staged", cwd=repo.path).code == 0
    repo.git("add", "-A")
    for path in PROBLEMS:
        repo.write(path, SOUND.get(path, ""))
    repo.remove("loose.py")
    assert assay("check", cwd=repo.path).code == 0
    answer = assay("check", "--staged", cwd=repo.path)
    assert answer.code == 1
    assert answer.out == (GOLDEN / "check-problems.txt").read_text()


def test_ids_are_compared_with_a_base(repo: Repo) -> None:
    repo.write("shop/money/assay.yml", card("coins", "owns: ['/shop/tax/__init__.py::round_up']"))
    repo.write("shop/tax/assay.yml", SOUND["shop/tax/assay.yml"].replace("to: money", "to: coins"))
    assert assay("check", cwd=repo.path).code == 0
    answer = assay("check", "--base", "HEAD", cwd=repo.path)
    assert answer.code == 1
    assert "module money vanished without an entry in .assay/retired.yml" in answer.out


def test_what_cannot_be_checked_is_said(repo: Repo, tmp_path: Path) -> None:
    assert assay("check", "HEAD", "--staged", cwd=repo.path).code == 129
    assert assay("check", "no-such-revision", cwd=repo.path).code == 128
    bare = tmp_path / "bare"
    repo.git("clone", "-q", "--bare", str(repo.path), str(bare))
    assert assay("check", cwd=bare).out == (GOLDEN / "check-sound.txt").read_text()
    repo.git("rm", "-rq", ".assay")
    answer = assay("check", cwd=repo.path)
    assert (answer.code, answer.out) == (128, "")
    assert "hint: git assay init" in answer.err


PLACES = (
    "shop/__init__.py",
    "shop/tax/__init__.py:2",
    "shop/tax/__init__.py:5",
    "shop/tax/__init__.py:9",
    "shop/tax/__init__.py::tax_on",
    "shop/tax/__init__.py::round_up",
    "shop/page.html",
    "shop/tax/assay.yml",
    ".assay/config.yml",
    "README",
)


def test_owners_of_paths_lines_and_symbols(repo: Repo) -> None:
    answer = assay("owners", *PLACES, cwd=repo.path)
    assert answer.code == 0
    reviewed("owners.txt", answer)
    reviewed("owners.json", assay("owners", "--json", *PLACES, cwd=repo.path))


def test_owners_for_scripts_and_from_a_subdirectory(repo: Repo) -> None:
    answer = assay(
        "owners",
        "-z",
        "__init__.py::round_up",
        "../__init__.py",
        "/".join([".."] * 2 + ["README"]),
        cwd=repo.path / "shop" / "tax",
    )
    assert (answer.code, answer.out) == (0, "money\0shop\0\0")


def test_owners_of_a_directory_are_all_who_own_something_in_it(repo: Repo) -> None:
    def owners(asked: str) -> list[tuple[str | None, str]]:
        answers = json.loads(assay("owners", "--json", asked, cwd=repo.path).out)["answers"]
        return [(one["module"], one["reason"]) for one in answers]

    assert owners("shop/tax") == owners("shop/tax/") == owners(str(repo.path / "shop" / "tax"))
    assert [module for module, _ in owners("shop/tax")] == ["tax"]
    assert {"tax"} < {module for module, _ in owners(".")}
    assert owners(str(repo.path / "shop/tax/__init__.py")) == owners("shop/tax/__init__.py")


def test_owners_of_what_is_not_there_is_refused(repo: Repo) -> None:
    for place in ("gone.py", "gone.py:3", "gone.py::f", "shop/__init__.py::gone"):
        answer = assay("owners", place, cwd=repo.path)
        assert (answer.code, answer.out) == (129, "")
        assert "gone" in answer.err


def test_modules_are_listed_and_shown(repo: Repo) -> None:
    reviewed("module-list.txt", assay("module", "list", cwd=repo.path))
    reviewed("module-list.json", assay("module", "list", "--json", cwd=repo.path))
    reviewed("module-show.txt", assay("module", "show", "tax", cwd=repo.path))
    shown = json.loads(assay("module", "show", "tax", "--json", "--rev", "HEAD", cwd=repo.path).out)
    assert shown["format"] == "assay-module/1"
    assert shown["owns"] == ["shop/tax/__init__.py::"]
    assert shown["place"] == "shop/tax/assay.yml:2"
    answer = assay("module", "show", "gone", cwd=repo.path)
    assert (answer.code, answer.out) == (129, "")
    assert "hint: git assay module list" in answer.err


def test_a_new_module_is_one_more_document_and_what_is_there_is_kept(repo: Repo) -> None:
    goal = 'Say "no": #1 of all goals.'
    answer = assay(
        "module",
        "new",
        "tax.eu",
        "--goal",
        goal,
        "--parent",
        "tax",
        "--owns",
        "eu.py",
        "--path",
        "shop/tax",
        cwd=repo.path,
    )
    assert (answer.code, answer.err) == (0, "")
    assert answer.out == "added to shop/tax/assay.yml\nnext: git add shop/tax/assay.yml && git assay check\n"
    text = (repo.path / "shop/tax/assay.yml").read_text()
    assert text.startswith(SOUND["shop/tax/assay.yml"] + "---\nformat: assay-card/1\nmodule: tax.eu\n")
    assert "owners: [test@example.com]\n" in text.replace('"', "")
    repo.write("shop/tax/eu.py", "")
    assert assay("check", cwd=repo.path).code == 0
    listed = json.loads(assay("module", "list", "--json", cwd=repo.path).out)["modules"]
    assert next(row for row in listed if row["module"] == "tax.eu")["goal"] == goal
    assert repo.git("diff", "--cached", "--name-only") == ""


def test_a_new_module_in_a_new_file(repo: Repo) -> None:
    (repo.path / "lib").mkdir()
    answer = assay(
        "module",
        "new",
        "lib",
        "--goal",
        "Hold what is shared.",
        "--owner",
        "@acme/lib",
        "--label",
        "critical",
        cwd=repo.path / "lib",
    )
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.startswith("wrote assay.yml\n")
    assert (repo.path / "lib/assay.yml").read_text() == (
        'format: assay-card/1\nmodule: lib\ngoal: Hold what is shared.\nowners: ["@acme/lib"]\nlabels: [critical]\n'
    )


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("tax",), "module tax exists"),
        (("Tax",), "is not a module id"),
        (("old",), "id old is retired"),
        (("new", "--parent", "gone"), "no module 'gone' that could be the parent"),
        (("new", "--path", "gone"), "there is no directory gone"),
        (("new", "--path", ".."), "is not in the working directory"),
    ],
)
def test_a_module_that_may_not_be_made_is_refused(repo: Repo, args: tuple[str, ...], words: str) -> None:
    repo.write(".assay/retired.yml", "format: assay-retired/1\nretired: [{id: old, date: 2026-01-01, reason: x}]\n")
    repo.commit("retired")
    answer = assay("module", "new", *args, "--goal", "Do it.", cwd=repo.path)
    assert (answer.code, answer.out) == (129, "")
    assert words in answer.err
    assert repo.git("status", "--porcelain") == ""
