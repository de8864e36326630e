"""git assay module: which modules are there, and how is one made?"""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from git_assay.cli.output import print_json, print_text
from git_assay.cli.session import Session
from git_assay.errors import AssayError, ErrorKind
from git_assay.values.text import clean

if TYPE_CHECKING:
    from git_assay.modules.model import Declarations


@click.group()
def command() -> None:
    """Make, list and show module cards.

    \b
    Example:
      git assay module new billing.invoice --goal "Turn an order into an invoice." --path src/billing
      git assay module list
    """


@command.command("new")
@click.argument("ident", metavar="ID")
@click.option("--goal", required=True, help="What the module is for, in one sentence.")
@click.option("--path", "where", default=".", help="Directory that the card stands in (default: the current one).")
@click.option("--owner", "owners", multiple=True, help="Who answers for it; may be repeated (default: you).")
@click.option("--parent", help="Id of the parent module.")
@click.option("--label", "labels", multiple=True, help="A free word that policy matches; may be repeated.")
@click.option("--owns", multiple=True, help="A pattern of what it owns; may be repeated (default: all beneath).")
@click.pass_obj
def new_command(
    session: Session,
    *,
    ident: str,
    goal: str,
    where: str,
    owners: tuple[str, ...],
    parent: str | None,
    labels: tuple[str, ...],
    owns: tuple[str, ...],
) -> None:
    """Allocate ID and write its card into assay.yml of a directory: a new file, or one more document in it.

    What stands in the file is kept byte for byte. Nothing is staged or committed.

    \b
    Example:
      git assay module new billing.invoice --goal "Turn an order into an invoice." --path src/billing
    """
    from git_assay.adopt.cards import ProposedCard, card_text, require_new_id
    from git_assay.documents.writer import appended
    from git_assay.modules.unknown import UnknownModule
    from git_assay.values.ids import ModuleId

    declarations = _working(session)
    module = require_new_id(ident, declarations)
    if parent is not None and (declarations is None or parent not in declarations.cards):
        raise UnknownModule(
            parent, declarations.cards if declarations is not None else (), where=" that could be the parent"
        )
    proposed = ProposedCard(
        module,
        goal,
        owners=owners or _self(session),
        parent=ModuleId(parent) if parent else None,
        labels=labels,
        owns=owns or None,
    )
    file = _card_file(session, where)
    existing = file.read_bytes() if file.exists() else None
    _replace(file, appended(existing, card_text(proposed)))
    shown = os.path.relpath(file, session.cwd)
    print_text(f"{'added to' if existing else 'wrote'} {shown}\nnext: git add {shown} && git assay check")


@command.command("list")
@click.option("--rev", help="The tree to look at (default: the working directory; HEAD in a bare repository).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document (assay-modules/1).")
@click.pass_obj
def list_command(session: Session, *, rev: str | None, as_json: bool) -> None:
    """List every module with its owners and its goal.

    \b
    Example:
      git assay module list
    """
    from git_assay.cli.context import snapshot_of
    from git_assay.cli.naming import named
    from git_assay.errors import DocumentProblems
    from git_assay.modules.load import load_declarations
    from git_assay.report.modules import list_document, list_text

    name = _name(session, rev)
    with named(session, name):
        declarations = load_declarations(snapshot_of(session, name))
        if declarations.problems:
            raise DocumentProblems(declarations.problems)
    cards = tuple(declarations.cards.values())
    if as_json:
        print_json(list_document(cards))
    else:
        print_text(list_text(cards))


@command.command("show")
@click.argument("ident", metavar="ID")
@click.option("--rev", help="The tree to look at (default: the working directory; HEAD in a bare repository).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document (assay-module/1).")
@click.pass_obj
def show_command(session: Session, *, ident: str, rev: str | None, as_json: bool) -> None:
    """Show the card of a module as it is written, and what it owns.

    \b
    Example:
      git assay module show billing.invoice
    """
    from git_assay.cli.context import analysis_at
    from git_assay.report.modules import show_document, show_text
    from git_assay.values.ids import ModuleId

    analysis = analysis_at(session, _name(session, rev))
    card = analysis.card(ModuleId(ident))
    if as_json:
        print_json(show_document(card, analysis.ownership))
    else:
        print_text(show_text(card, analysis.ownership))


def _name(session: Session, rev: str | None) -> str:
    from git_assay.cli.naming import WORKTREE

    return rev or ("HEAD" if session.repository().layout.work_tree is None else WORKTREE)


def _working(session: Session) -> Declarations | None:
    from git_assay.cli.context import snapshot_of
    from git_assay.cli.naming import WORKTREE
    from git_assay.modules.load import load_declarations
    from git_assay.modules.scope import is_adopted

    snapshot = snapshot_of(session, WORKTREE)
    return load_declarations(snapshot) if is_adopted(snapshot) else None


def _self(session: Session) -> tuple[str, ...]:
    from git_assay.git import config

    mail = config.get(session.repository(), "user.email")
    return (mail,) if mail else ()


def _card_file(session: Session, where: str) -> Path:
    top = session.repository().layout.work_tree
    folder = Path(os.path.normpath(session.cwd / where))
    if top is None or not folder.resolve().is_relative_to(top.resolve()):
        raise AssayError(f"{where} is not in the working directory of this repository", kind=ErrorKind.USAGE)
    if not folder.is_dir():
        hint = f"mkdir -p {shlex.quote(where)}"
        raise AssayError(f"there is no directory {clean(where)}", hint=hint, kind=ErrorKind.USAGE)
    return folder / "assay.yml"


def _replace(file: Path, data: bytes) -> None:
    """Writes beside and renames, so that a file is never half there."""
    beside = file.with_name(f".{file.name}.new")
    beside.write_bytes(data)
    beside.replace(file)
