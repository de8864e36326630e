"""git assay help: what can I do, and how?"""

from __future__ import annotations

import click

from git_assay.cli import dispatch
from git_assay.cli.main import overview
from git_assay.cli.session import Session
from git_assay.cli.table import VERBS


@click.command()
@click.argument("words", metavar="[VERB [SUBCOMMAND]]", nargs=-1)
@click.pass_obj
def command(session: Session, words: tuple[str, ...]) -> None:
    """Show the list of verbs, or the help of one.

    \b
    Example:
      git assay help gate
    """
    if not words:
        click.echo(overview(VERBS))
        return
    dispatch.run_verb((*words, "--help"), session)
