"""Are the hook files and the manifest for the pre-commit framework what they say?"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import yaml

from git_assay.adopt.hooks import EVENTS
from git_assay.cli import dispatch
from tests.repos import Repo

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("event", EVENTS)
def test_a_hook_file_is_short_and_hands_over_arguments_and_input(event: str, recorder: Path, tmp_path: Path) -> None:
    file = ROOT / "hooks" / event
    assert len(file.read_text(encoding="utf-8").splitlines()) <= 20
    subprocess.run([file, "origin", "a b"], input=b"given\n", cwd=tmp_path, check=True)
    given = "given\n" if event == "pre-push" else ""
    assert recorder.read_text() == f"hook {event} origin a b\n{given}"


def test_a_hook_file_fires_when_it_is_copied(recorder: Path, tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo").init()
    target = repo.path / ".git" / "hooks" / "pre-commit"
    target.write_bytes((ROOT / "hooks" / "pre-commit").read_bytes())
    target.chmod(0o755)
    repo.commit()
    assert recorder.read_text() == "hook pre-commit\n"


def test_the_manifest_names_verbs_that_exist() -> None:
    manifest = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert [hook["entry"] for hook in manifest] == [f"git-assay hook {event}" for event in EVENTS]
    for hook in manifest:
        program, verb, event = hook["entry"].split()
        assert program == "git-assay"
        assert event in dispatch.load(verb).commands  # type: ignore[attr-defined]
        assert hook["stages"] == [event]
        assert hook["always_run"] is True
        assert hook["pass_filenames"] is False
