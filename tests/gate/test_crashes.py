"""Whatever breaks while the gate decides, it is never open, and never merely closed by a crash.

Each function that takes part in a decision raises once, as it is entered, below the real boundary of the command line.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FrameType

import pytest

from git_assay.cli import boundary
from tests.gate.test_signed_evidence import PEOPLE, Signed

ARGS = ["gate", "main..change", "--at", "2026-11-30T12:00:00Z"]
ERRORS: tuple[Callable[[], BaseException], ...] = (
    lambda: RuntimeError("broken"),
    KeyboardInterrupt,
    MemoryError,
    lambda: RecursionError("too deep"),
    lambda: OSError(5, "input/output error"),
)
STAGES = ("gate/", "status/", "evidence/", "cli/judging")
# One whose failure is a miss of the cache, and nothing else.
HARMLESS = {"_path"}
# What every decision goes through, in order.
MAIN_STAGES = ("merged_snapshot", "load_policy", "read_evidence", "range_commits", "decide", "judge_rules", "gate_text")
Function = tuple[str, str, int]


class Gate:
    """The command on a repository in which it is open; `broken` makes one function raise when it is next entered."""

    def __init__(self, folder: Path) -> None:
        world = Signed(folder / "repo")
        world.approve()
        world.store(PEOPLE[2], world.passing())
        self.folder = world.repo.path

    def run(self) -> int:
        return boundary.guarded(["-C", str(self.folder), *ARGS])

    def broken(self, code: CodeType, error: BaseException) -> int:
        def enter(frame: FrameType, event: str, _: object) -> None:
            if event == "call" and frame.f_code is code:
                sys.setprofile(None)
                raise error

        return self._watched(enter)

    def functions(self) -> dict[Function, CodeType]:
        """Returns every function of the package that a decision enters."""
        seen: dict[Function, CodeType] = {}

        def enter(frame: FrameType, event: str, _: object) -> None:
            code = frame.f_code
            place, found, name = code.co_filename.rpartition("git_assay/")
            if event == "call" and found and place and not code.co_name.startswith("<"):
                seen.setdefault((name, code.co_name, code.co_firstlineno), code)

        assert self._watched(enter) == 0
        return dict(sorted(seen.items()))

    def _watched(self, watch: Callable[[FrameType, str, object], None]) -> int:
        before = sys.getprofile()
        sys.setprofile(watch)
        try:
            return self.run()
        finally:
            sys.setprofile(before)


@pytest.fixture(scope="module")
def gate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gate]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("stand"))
        made = Gate(tmp_path_factory.mktemp("gate"))
        assert made.run() == 0
        yield made


def _expected(error: BaseException) -> int:
    return 130 if isinstance(error, KeyboardInterrupt) else 70


def test_every_function_of_a_decision_may_break_and_the_gate_does_not_open(
    gate: Gate, capsys: pytest.CaptureFixture[str]
) -> None:
    functions = {name: code for name, code in gate.functions().items() if name[0].startswith(STAGES)}
    assert len(functions) > 80
    capsys.readouterr()
    wrong = []
    for number, (name, code) in enumerate(functions.items()):
        error = ERRORS[number % len(ERRORS)]()
        ended = gate.broken(code, error)
        said = capsys.readouterr()
        if name[1] in HARMLESS:
            continue
        if ended != _expected(error) or said.out or (ended == 70 and type(error).__name__ not in said.err):
            wrong.append((name, type(error).__name__, ended, said))
    assert wrong == []


@pytest.mark.parametrize("error", ERRORS, ids=lambda make: type(make()).__name__)
def test_every_stage_may_break_in_every_way(
    gate: Gate, error: Callable[[], BaseException], capsys: pytest.CaptureFixture[str]
) -> None:
    named: dict[str, CodeType] = {name: code for (_, name, _), code in gate.functions().items()}
    capsys.readouterr()
    for stage in MAIN_STAGES:
        assert gate.broken(named[stage], error()) == _expected(error()), stage
        said = capsys.readouterr()
        assert said.out == ""
        assert (type(error()).__name__ in said.err) is not isinstance(error(), KeyboardInterrupt), stage
    assert gate.run() == 0
