"""What may be imported before a verb is known?"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import assay, environment
from tests.cli.situations import adopted

# Everything that `git assay --version` and `-h` may import beyond what Python itself starts with.
ALLOWED = {"git_assay", "git_assay.cli", "git_assay.cli.main", "git_assay.cli.table", "git_assay.__main__"}


def imported(cwd: Path, *args: str) -> set[str]:
    """Returns what is loaded at the end of `git assay ARGS`, less what a bare Python has loaded."""
    run = f"sys.argv = ['git-assay', *{args!r}]; from git_assay.cli.main import run; run()"
    return loaded(cwd, run) - loaded(cwd, "pass")


def loaded(cwd: Path, script: str) -> set[str]:
    tell = "import atexit, sys; atexit.register(lambda: sys.stderr.write(chr(10).join(sys.modules)));"
    command = [sys.executable, "-c", tell + script]
    done = subprocess.run(command, cwd=cwd, env=environment({}), capture_output=True, text=True, check=False)
    return set(done.stderr.split("\n"))


@pytest.mark.parametrize("option", ["--version", "-h", "--help"])
def test_version_and_help_import_the_table_and_nothing_else(option: str, tmp_path: Path) -> None:
    extra = imported(tmp_path, option)
    assert extra <= ALLOWED
    assert "git_assay.cli.main" in extra


def test_a_verb_is_imported_alone(tmp_path: Path) -> None:
    extra = imported(tmp_path, "help", "help")
    assert {name for name in extra if name.startswith("git_assay.cli.verbs.")} == {"git_assay.cli.verbs.help"}
    assert not {"pygit2", "tree_sitter", "cryptography", "yaml"} & extra


def test_a_tree_that_is_known_needs_no_parser_no_yaml_and_no_process_pool(tmp_path: Path) -> None:
    repo = adopted(tmp_path / "repo")
    repo.write("shop/more.py", "import shop.money\n")
    repo.commit("more")
    new, known = (imported(repo.path, "radius", "HEAD~1..HEAD") for _ in range(2))
    costly = {"yaml", "tree_sitter", "importlib.metadata", "concurrent.futures", "cryptography", "tempfile"}
    assert {"yaml", "tree_sitter"} <= new
    assert costly & known == set()


def test_a_warm_radius_spawns_git_twelve_times_at_most(tmp_path: Path) -> None:
    repo = adopted(tmp_path / "repo")
    repo.write("shop/more.py", "import shop.money\n")
    repo.commit("more")
    trace = tmp_path / "trace"
    assay("radius", "HEAD~1..HEAD", cwd=repo.path)
    assert assay("radius", "HEAD~1..HEAD", cwd=repo.path, env={"GIT_TRACE2_EVENT": str(trace)}).code == 0
    assert trace.read_text().count('"event":"start"') <= 12
