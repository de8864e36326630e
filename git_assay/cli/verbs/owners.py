"""git assay owners: who answers for this path, line or symbol?"""

from __future__ import annotations

import click

from git_assay.cli.output import print_json, print_text, print_z
from git_assay.cli.session import Session


@click.command()
@click.argument("places", metavar="PATH[:LINE]|PATH::SYMBOL...", nargs=-1, required=True)
@click.option("--rev", help="The tree to look at (default: the working directory; HEAD in a bare repository).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document (assay-owners/1).")
@click.option("-z", "as_z", is_flag=True, help="Print the owning module of each place, ended by a NUL; empty = nobody.")
@click.pass_obj
def command(session: Session, *, places: tuple[str, ...], rev: str | None, as_json: bool, as_z: bool) -> None:
    """Say which module owns each place, who its owners are, and which card says so.

    Of a directory, every module that owns something below it.

    \b
    Example:
      git assay owners shop/tax/__init__.py:6
      git assay owners shop/tax/__init__.py::tax_on
    """
    from git_assay.cli.naming import WORKTREE
    from git_assay.cli.owning import Owners
    from git_assay.report.owners import owners_document, owners_text

    bare = session.repository().layout.work_tree is None
    owners = Owners(session, rev or ("HEAD" if bare else WORKTREE))
    answers = [answer for place in places for answer in owners.answers(place)]
    if as_json:
        print_json(owners_document(answers))
    elif as_z:
        print_z((answer.module or "").encode() for answer in answers)
    else:
        print_text(owners_text(answers))
