"""git assay hook: what does a git hook have to do?"""

from __future__ import annotations

import sys

import click

from git_assay.cli.session import Session


@click.group()
def command() -> None:
    """Do the work of a git hook; git calls this, through what `git assay hooks install` wrote.

    \b
    Example:
      exec git assay hook pre-commit "$@"
    """


@command.command("pre-commit")
@click.argument("ignored", nargs=-1)
@click.pass_obj
def pre_commit_command(session: Session, ignored: tuple[str, ...]) -> int:
    """Check cards and ownership of the index, that is, of what the commit will hold.

    A repository without .assay/ passes. Exits with 1 when something is wrong.

    \b
    Example:
      git assay hook pre-commit
    """
    from git_assay.cli.precommit import pre_commit

    return pre_commit(session)


@command.command("pre-push")
@click.argument("remote", required=False)
@click.argument("url", required=False)
@click.pass_obj
def pre_push_command(session: Session, remote: str | None, url: str | None) -> int:
    """Gate what is pushed, then send evidence along. Reads git's lines about refs on stdin.

    assay.prePush says whether the gate is only shown (advise), stops the push (enforce), or is left out (off).

    \b
    Example:
      echo "refs/heads/x $(git rev-parse x) refs/heads/x $(git rev-parse main)" | git assay hook pre-push origin
    """
    from git_assay.cli.prepush import pre_push, read_push

    # Some hook managers leave the terminal as stdin: nothing will come from it.
    given = b"" if sys.stdin.isatty() else sys.stdin.buffer.read()
    return pre_push(session, read_push(session, given, remote=remote))


@command.command("post-merge")
@click.argument("ignored", nargs=-1)
@click.pass_obj
def post_merge_command(session: Session, ignored: tuple[str, ...]) -> None:
    """Make the view for `git log --notes=assay` anew after a merge or a pull.

    \b
    Example:
      git assay hook post-merge 0
    """
    from git_assay.cli.viewing import refresh_here

    refresh_here(session)


@command.command("post-rewrite")
@click.argument("ignored", nargs=-1)
@click.pass_obj
def post_rewrite_command(session: Session, ignored: tuple[str, ...]) -> None:
    """Make the view for `git log --notes=assay` anew after an amend or a rebase.

    \b
    Example:
      git assay hook post-rewrite rebase
    """
    from git_assay.cli.viewing import refresh_here

    refresh_here(session)
