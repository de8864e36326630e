"""git assay hooks: are git's hooks set up, and by what?"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from git_assay.cli.output import print_json
from git_assay.cli.session import Session

if TYPE_CHECKING:
    from git_assay.adopt.hooks import HookState

_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON document (assay-hooks/1).")


@click.group()
def command() -> None:
    """Install, remove and inspect the hooks pre-commit and pre-push.

    With git 2.54 or newer they are config hooks; otherwise blocks between marker comments in the hook files. Hooks that
    are there already stay and run too. Hooks never sign.

    \b
    Example:
      git assay hooks install
    """


@command.command("install")
@_JSON
@click.pass_obj
def install_command(session: Session, as_json: bool) -> int:
    """Make pre-commit and pre-push call git assay; exits with 1 when one could not be installed.

    \b
    Example:
      git assay hooks install && git config assay.prePush enforce
    """
    from git_assay.adopt.hooks import git_version, install

    repository = session.repository()
    return _answer(install(repository, version=git_version(repository)), as_json, lambda state: state.fires)


@command.command("remove")
@_JSON
@click.pass_obj
def remove_command(session: Session, as_json: bool) -> int:
    """Take away what `hooks install` wrote, and nothing else.

    \b
    Example:
      git assay hooks remove
    """
    from git_assay.adopt.hooks import How, remove

    return _answer(remove(session.repository()), as_json, lambda state: state.how is How.NONE)


@command.command("status")
@_JSON
@click.pass_obj
def status_command(session: Session, as_json: bool) -> int:
    """Say for each hook what calls git assay; exits with 1 when one does not fire.

    \b
    Example:
      git assay hooks status --json
    """
    from git_assay.adopt.hooks import git_version, status

    repository = session.repository()
    return _answer(status(repository, version=git_version(repository)), as_json, lambda state: state.fires)


def _answer(states: tuple[HookState, ...], as_json: bool, is_right: Callable[[HookState], bool]) -> int:
    if as_json:
        print_json({"format": "assay-hooks/1", "hooks": [_document(state) for state in states]})
    else:
        for state in states:
            _show(state)
    return 0 if all(map(is_right, states)) else 1


def _document(state: HookState) -> dict[str, object]:
    return {
        "event": state.event,
        "by": state.how.value,
        "place": state.place,
        "fires": state.fires,
        "advice": list(state.advice),
    }


def _show(state: HookState) -> None:
    from git_assay.values.text import clean

    standing = f"{state.how.value}: {clean(state.place)}" if state.how.value != "none" else "not installed"
    click.echo(f"{state.event:<12} {standing}{'' if state.fires or state.how.value == 'none' else ' (does not fire)'}")
    for line in state.advice:
        click.echo(f"            {clean(line)}")
