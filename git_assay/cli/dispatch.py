"""How is a verb run? Found in the table, imported, invoked without click's own error handling.

click's `main` answers a closed pipe with exit code 1, which would read as a closed gate; so the context is made and
invoked here and `boundary` decides what an exception means.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence

import click

from git_assay import __version__
from git_assay.cli.session import Session
from git_assay.cli.table import VERBS
from git_assay.errors import AssayError, ErrorKind


def run_verb(args: Sequence[str], session: Session) -> int:
    """Runs `VERB ARGS...` and returns its exit code.

    A verb returns None or 0 for success and an exit code otherwise. Raises whatever the verb raises.
    """
    if args[0] == "--version":
        click.echo(f"git assay {__version__}")
        return 0
    command = load(args[0])
    try:
        with make_context(command, args[0], args[1:], session) as context:
            result = command.invoke(context)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    return result if isinstance(result, int) else 0


def load(verb: str) -> click.Command:
    """Returns the click command of a verb. Raises AssayError (usage) for an unknown verb, naming near ones."""
    row = VERBS.get(verb)
    if row is None:
        raise AssayError(f"'{verb}' is not a git assay verb", hint=_nearest(verb), kind=ErrorKind.USAGE)
    command = importlib.import_module(row.module).command
    if not isinstance(command, click.Command):
        raise TypeError(f"{row.module}.command is not a click.Command")
    return command


def make_context(command: click.Command, verb: str, args: Sequence[str], session: Session) -> click.Context:
    """Returns a parsed click context. Raises click.UsageError for wrong arguments."""
    return command.make_context(
        f"git assay {verb}",
        list(args),
        obj=session,
        help_option_names=["-h", "--help"],
        max_content_width=100,
        color=session.colour(),
    )


def _nearest(verb: str) -> str:
    import difflib

    near = difflib.get_close_matches(verb, VERBS, n=1)
    return f"git assay {near[0]}" if near else "git assay -h"
