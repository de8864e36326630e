"""What does each kind of failure print, and with which exit code?"""

from __future__ import annotations

import errno
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import click
import pytest

from git_assay.cli import boundary, dispatch
from git_assay.cli.output import print_json
from git_assay.cli.session import Session
from git_assay.cli.table import VERBS
from git_assay.errors import AssayError
from tests.cli.command import assay, environment


def raising(error: BaseException) -> click.Command:
    @click.command()
    def command() -> None:
        raise error

    return command


@pytest.fixture
def verb(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    monkeypatch.chdir(tmp_path)
    return monkeypatch


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (AssayError("no such thing"), 128),
        (KeyboardInterrupt(), 130),
        (BrokenPipeError(), 141),
        (ZeroDivisionError(), 70),
        (click.UsageError("No such thing."), 129),
        (click.Abort(), 130),
        (click.exceptions.Exit(1), 1),
    ],
    ids=lambda value: type(value).__name__,
)
def test_exit_code_of_each_kind_of_end(
    error: BaseException, code: int, verb: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    verb.setattr(dispatch, "load", lambda _: raising(error))
    verb.setattr(boundary, "_reader_gone", lambda: 141)
    assert boundary.guarded(["anything"]) == code


def test_error_and_hint_go_to_stderr(verb: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    verb.setattr(dispatch, "load", lambda _: raising(AssayError("bad \x1b[31m name", hint="git assay check")))
    boundary.guarded(["anything"])
    seen = capfd.readouterr()
    assert seen.out == ""
    assert seen.err == "error: bad \\x1b[31m name\nhint: git assay check\n"


def test_a_defect_leaves_a_report_and_shows_no_traceback(
    verb: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    verb.setattr(dispatch, "load", lambda _: raising(ZeroDivisionError("here")))
    assert boundary.guarded(["anything"]) == 70
    seen = capfd.readouterr().err
    assert "Traceback" not in seen
    report = next(line.removeprefix("report: ") for line in seen.splitlines() if line.startswith("report: "))
    text = Path(report).read_text()
    Path(report).unlink()
    assert "ZeroDivisionError: here" in text
    assert "command: git assay anything" in text


@pytest.mark.parametrize("number", [errno.EACCES, errno.EPERM, errno.EROFS])
def test_a_file_that_may_not_be_touched_is_no_defect(
    number: int, verb: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    verb.setattr(dispatch, "load", lambda _: raising(OSError(number, "It may not be", "/a b/card")))
    assert boundary.guarded(["anything"]) == 128
    assert capfd.readouterr().err == "error: /a b/card: it may not be\nhint: ls -ld '/a b'\n"


def test_debug_shows_the_traceback(verb: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    verb.setattr(dispatch, "load", lambda _: raising(AssayError("no such thing")))
    assert boundary.guarded(["--debug", "anything"]) == 128
    assert "Traceback" in capfd.readouterr().err


def test_a_closed_pipe_is_141_and_silent(tmp_path: Path) -> None:
    # The writer waits until the reader is gone; else a short answer would still fit into the pipe.
    slow = (
        "import sys, time; time.sleep(0.5); from git_assay.cli import boundary;"
        "sys.exit(boundary.guarded(['help', 'help']))"
    )
    done = subprocess.run(
        ["bash", "-c", f'"{sys.executable}" -c "{slow}" 2>err | true; echo "${{PIPESTATUS[0]}}"'],
        cwd=tmp_path,
        env=environment({}),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "141\n"
    assert (tmp_path / "err").read_text() == ""


@pytest.mark.parametrize("option", ["-h", "--version"])
def test_a_closed_pipe_is_141_before_any_verb_is_known(tmp_path: Path, option: str) -> None:
    slow = f"import sys, time; time.sleep(0.5); sys.argv = ['', '{option}']; from git_assay.cli import main; main.run()"
    done = subprocess.run(
        ["bash", "-c", f'"{sys.executable}" -c "{slow}" 2>err | true; echo "${{PIPESTATUS[0]}}"'],
        cwd=tmp_path,
        env=environment({}),
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout, (tmp_path / "err").read_text()) == ("141\n", "")


@pytest.mark.parametrize("args", [("help", "help"), ("-h",), ("--version",)])
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_an_answer_that_cannot_be_written_is_128_and_no_defect(tmp_path: Path, args: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "git_assay", *args],
            cwd=tmp_path,
            env=environment({}),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr) == (128, "error: cannot write: no space left on device\nhint: df -h\n")


def test_unknown_verb_names_a_near_one(tmp_path: Path) -> None:
    answer = assay("statsu", cwd=tmp_path)
    assert (answer.code, answer.out) == (129, "")
    assert answer.err == "error: 'statsu' is not a git assay verb\nhint: git assay status\n"


@pytest.mark.parametrize("args", [["--nope"], ["help", "--nope"], ["-C", "nowhere", "help"], ["help", "nope"]])
def test_usage_errors_are_129_with_a_hint_or_reason(args: list[str], tmp_path: Path) -> None:
    answer = assay(*args, cwd=tmp_path)
    assert answer.code == 129
    assert answer.err.startswith("error: ")


def test_no_verb_shows_the_overview_as_a_usage_error(tmp_path: Path) -> None:
    answer = assay(cwd=tmp_path)
    assert answer.code == 129
    assert answer.out.startswith("usage: git assay")
    assert all(f"   {verb} " in answer.out for verb in VERBS)


def test_dash_c_changes_the_directory(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    session = boundary.start_session(boundary.read_globals(["-C", str(tmp_path / "a"), "-C", "b", "help"]))
    assert session.cwd == tmp_path / "a" / "b"


def test_at_is_a_moment_in_utc(tmp_path: Path) -> None:
    session = Session(cwd=tmp_path, env={}, clock=lambda: datetime(2026, 1, 2, tzinfo=UTC))
    assert session.now() == datetime(2026, 1, 2, tzinfo=UTC)
    assert session.now("2026-11-30T19:10:00Z") == datetime(2026, 11, 30, 19, 10, tzinfo=UTC)
    with pytest.raises(AssayError, match="not a UTC time"):
        session.now("yesterday")


def test_json_begins_with_its_format_and_is_ascii(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"format": "assay-x/1", "b": "é\x1b", "a": 1})
    assert capsys.readouterr().out == '{\n  "format": "assay-x/1",\n  "b": "\\u00e9\\u001b",\n  "a": 1\n}\n'
    with pytest.raises(ValueError, match="begins with its format"):
        print_json({"a": 1})
