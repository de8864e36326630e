"""What becomes of an error? The one place where exceptions turn into words and exit codes.

    AssayError         error: and hint: on stderr, the error's own code
    a file may not be touched   the same, 128
    usage              the same, 129
    Ctrl-C             130
    reader went away   141 (never 1: that would read as a closed gate)
    the disk is full   128, as git ends when it cannot write its answer
    anything else      our defect: a report file is written, 70

**Source:** design 40-gate §4, 90-cli "Errors".
"""

from __future__ import annotations

import errno
import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from git_assay.cli import dispatch
from git_assay.cli.session import Session
from git_assay.errors import AssayError, ErrorKind
from git_assay.values.text import clean

INTERRUPTED = 130
BROKEN_PIPE = 141
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_FORBIDDEN = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


@dataclass(frozen=True, slots=True)
class Globals:
    """Options before the verb. directory: -C.  debug: show tracebacks.  rest: the verb and its arguments."""

    directory: Path | None
    debug: bool
    rest: tuple[str, ...]


def guarded(args: Sequence[str]) -> int:
    """Runs one command line and returns its exit code; nothing but SystemExit from below passes through."""
    debug = False
    session: Session | None = None
    try:
        options = read_globals(args)
        debug = options.debug
        session = start_session(options)
        code = dispatch.run_verb(options.rest, session)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        return _reader_gone()
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except (AssayError, click.ClickException) as error:
        return _tell(error, debug=debug)
    except OSError as error:
        if error.errno in _FULL:
            return _disk_full(error)
        refused = _not_permitted(error)
        return _defect(args, session, debug=debug) if refused is None else _tell(refused, debug=debug)
    except Exception:  # noqa: BLE001 - the boundary: a defect becomes a report and exit code 70
        return _defect(args, session, debug=debug)


def read_globals(args: Sequence[str]) -> Globals:
    """Returns the options before the verb. Raises AssayError (usage) for an unknown one."""
    rest = list(args)
    directory: Path | None = None
    debug = False
    while rest and rest[0].startswith("-"):
        option = rest.pop(0)
        if option == "-C" and rest:
            directory = (directory or Path()) / rest.pop(0)
        elif option == "--debug":
            debug = True
        elif option in ("-h", "--help", "--version"):
            return Globals(directory, debug, ("help",) if option != "--version" else ("--version",))
        else:
            raise AssayError(f"unknown option {option}", hint="git assay -h", kind=ErrorKind.USAGE)
    return Globals(directory, debug, tuple(rest or ("help",)))


def start_session(options: Globals) -> Session:
    """Returns the session of this process. Raises AssayError (usage) when -C names no directory."""
    if options.directory is not None:
        try:
            os.chdir(options.directory)
        except OSError as error:
            shown = clean(str(options.directory))
            raise AssayError(f"cannot change to {shown}: {error.strerror}", kind=ErrorKind.USAGE) from error
    _never_fail_to_print()
    place = () if options.directory is None else ("-C", str(options.directory))
    return Session(cwd=Path.cwd(), env=dict(os.environ), words=(*place, *options.rest))


def _never_fail_to_print() -> None:
    # A name that the terminal's encoding cannot show must not turn an answer into a traceback.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _tell(error: AssayError | click.ClickException, *, debug: bool) -> int:
    if isinstance(error, AssayError):
        message, hint, code = error.message, error.hint, error.kind.value
    else:
        context = error.ctx if isinstance(error, click.UsageError) else None
        message = error.format_message()
        message, code = message[:1].lower() + message[1:].rstrip("."), ErrorKind.USAGE.value
        hint = f"{context.command_path} -h" if context is not None else "git assay -h"
    if debug:
        import traceback

        traceback.print_exception(error)
    return _say(code, f"error: {message}", f"hint: {hint}" if hint else None)


def _not_permitted(error: OSError) -> AssayError | None:
    """Returns the error in the user's words when this user may not touch a file, None when it is our own defect."""
    if error.errno not in _FORBIDDEN or not isinstance(error.filename, str | bytes):
        return None
    place = os.fsdecode(error.filename)
    hint = f"ls -ld {shlex.quote(os.path.dirname(place) or '.')}"
    return AssayError(f"{clean(place)}: {str(error.strerror).lower()}", hint=hint)


def _say(code: int, *lines: str | None) -> int:
    try:
        for line in lines:
            if line is not None:
                click.echo(clean(line, keep_newlines=True), err=True)
    except BrokenPipeError:
        return _reader_gone()
    return code


def _reader_gone() -> int:
    _drop_the_answer()
    return BROKEN_PIPE


def _disk_full(error: OSError) -> int:
    _drop_the_answer()
    return _say(ErrorKind.CANNOT_DECIDE.value, f"error: cannot write: {str(error.strerror).lower()}", "hint: df -h")


def _drop_the_answer() -> None:
    # Python flushes stdout once more at exit and would fail again: point it at nothing.
    # https://docs.python.org/3/library/signal.html#note-on-sigpipe
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _defect(args: Sequence[str], session: Session | None, *, debug: bool) -> int:
    import traceback

    from git_assay.cli.defects import write_report

    trace = traceback.format_exc()
    report = write_report(trace, args, directory=session.report_directory() if session is not None else None)
    if debug:
        click.echo(trace, err=True)
    last = trace.rstrip().rsplit("\n", 1)[-1]
    return _say(
        ErrorKind.DEFECT.value,
        f"error: a defect of git assay: {last}",
        f"report: {report}" if report is not None else "report: could not be written",
        None if debug else "hint: git assay --debug " + " ".join(args),
    )
