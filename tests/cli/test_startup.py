"""What may be imported before a verb is known?"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import environment

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
