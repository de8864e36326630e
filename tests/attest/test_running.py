"""Is nothing signed when the tree was not the commit's, and is finished work kept?"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from git_assay.attest.plan import Planned
from git_assay.attest.running import Place, run_planned
from git_assay.checks.run import CheckOutcome
from git_assay.checks.verdicts import Verdict
from git_assay.errors import AssayError
from git_assay.modules.card import Check
from git_assay.values.ids import ModuleId


def _planned(command: str, name: str = "unit") -> Planned:
    return Planned(ModuleId("invoice"), Check(name, "tests", command, timeout=60), None, ())


def _ignore(_planned: Planned, _outcome: CheckOutcome) -> None:
    return None


def _place(root: Path, **environ: str) -> Place:
    def differences() -> tuple[str, ...]:
        return tuple(f"stray {path.name}" for path in sorted(root.glob("stray*")))

    return Place(root, {**os.environ, **environ}, differences)


def test_nothing_runs_in_a_tree_that_is_not_the_commit(tmp_path: Path) -> None:
    (tmp_path / "stray").touch()
    with pytest.raises(AssayError, match="the working directory is not the commit\n  stray stray"):
        run_planned([_planned("touch ran")], _place(tmp_path), jobs=1, on_done=_ignore)
    assert not (tmp_path / "ran").exists()


def test_an_edit_during_the_run_is_caught(tmp_path: Path) -> None:
    with pytest.raises(AssayError, match="files changed while the checks ran"):
        run_planned([_planned("touch stray")], _place(tmp_path), jobs=1, on_done=_ignore)


def test_many_differences_are_counted(tmp_path: Path) -> None:
    for number in range(25):
        (tmp_path / f"stray{number}").touch()
    with pytest.raises(AssayError, match="and 5 more"):
        run_planned([_planned("true")], _place(tmp_path), jobs=1, on_done=_ignore)


def test_outcomes_come_in_order_of_the_plan(tmp_path: Path) -> None:
    planned = [_planned("exit 3"), _planned("true"), _planned("kill -9 $$")]
    result = run_planned(planned, _place(tmp_path), jobs=3, on_done=_ignore)
    assert [outcome and outcome.verdict for outcome in result.results] == [Verdict.FATAL, Verdict.PASS, Verdict.FATAL]


def test_an_interrupt_keeps_what_is_finished(tmp_path: Path) -> None:
    def interrupt(_planned: Planned, _outcome: CheckOutcome) -> None:
        raise KeyboardInterrupt

    planned = [_planned("true"), _planned("echo $$ > pid; sleep 600"), _planned("sleep 600")]
    result = run_planned(planned, _place(tmp_path), jobs=1, on_done=interrupt)
    assert result.interrupted
    assert [outcome is not None for outcome in result.results] == [True, False, False]


def test_the_code_under_test_sees_neither_agent_nor_key(tmp_path: Path) -> None:
    place = _place(tmp_path, SSH_AUTH_SOCK="/tmp/agent", GIT_DIR="/elsewhere", CI_TOKEN="t0ps3cret")
    result = run_planned([_planned("env")], place, jobs=1, on_done=_ignore)
    shown = result.results[0]
    assert shown is not None
    assert b"PATH=" in shown.tail
    assert not any(word in shown.tail for word in (b"SSH_AUTH_SOCK", b"GIT_DIR", b"t0ps3cret"))
