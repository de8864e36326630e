"""git assay check: is everything that is declared sound?"""

from __future__ import annotations

import click

from git_assay.cli.output import print_json, print_text
from git_assay.cli.session import Session


@click.command()
@click.argument("rev", required=False)
@click.option("--staged", "--cached", "staged", is_flag=True, help="Check the index.")
@click.option("--base", metavar="REV", help="Refuse ids that vanished, came back or changed their meaning since REV.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document (assay-check/1).")
@click.pass_obj
def command(session: Session, *, rev: str | None, staged: bool, base: str | None, as_json: bool) -> int:
    """Check cards, config, ownership, imports against `depends`, contracts, policy and exemptions.

    Without REV the working directory is checked as it would be committed; in a bare repository, HEAD. Every problem of
    every document is printed with its place; the exit code is 1 when there is one.

    \b
    Example:
      git assay check
      git assay check --base main
    """
    from git_assay.cli.checking import check_tree
    from git_assay.cli.naming import INDEX, WORKTREE
    from git_assay.report.check import check_document, check_text

    if staged and rev is not None:
        raise click.UsageError("give REV or --staged, not both")
    bare = session.repository().layout.work_tree is None
    name = INDEX if staged else rev or ("HEAD" if bare else WORKTREE)
    found = check_tree(session, name, base=base)
    counts = {"modules": found.modules, "sources": found.sources, "unowned": found.unowned}
    if as_json:
        print_json(check_document(found.problems, **counts))
    else:
        print_text(check_text(found.problems, **counts))
    return 1 if found.problems else 0
