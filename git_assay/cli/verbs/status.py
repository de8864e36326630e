"""git assay status: what is fresh, stale and lacking, and why?"""

from __future__ import annotations

import click

from git_assay.cli.output import print_json, print_text, print_z
from git_assay.cli.session import Session


@click.command()
@click.argument("modules", metavar="[MODULE...]", nargs=-1)
@click.option("--rev", default="HEAD", show_default=True, help="The tree to look at.")
@click.option("--staged", is_flag=True, help="Look at the index.")
@click.option("--worktree", is_flag=True, help="Look at the working directory.")
@click.option("--at", metavar="TIME", help="Judge at this moment, such as 2026-11-30T19:10:00Z.")
@click.option("--porcelain", is_flag=True, help="Print stable lines for scripts.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document (assay-status/1).")
@click.option("-z", "as_z", is_flag=True, help="As --porcelain, each line ended by a NUL.")
@click.pass_obj
def command(
    session: Session,
    *,
    modules: tuple[str, ...],
    rev: str,
    staged: bool,
    worktree: bool,
    at: str | None,
    porcelain: bool,
    as_json: bool,
    as_z: bool,
) -> None:
    """Show for every module who owns it, how its evidence stands, why it is stale, and what to run next.

    \b
    Example:
      git assay status
      git assay status invoice --json
    """
    from git_assay.cli.judging import survey_at
    from git_assay.cli.tracking import note_unseen
    from git_assay.report import status as report

    name = ":index" if staged else ":worktree" if worktree else rev
    survey = survey_at(session, name, modules, now=session.now(at))
    if as_json:
        print_json(report.status_document(survey))
    elif as_z:
        print_z(line.encode() for line in report.status_porcelain(survey))
    elif porcelain:
        for line in report.status_porcelain(survey):
            print_text(line)
    else:
        print_text(report.status_text(survey))
        note_unseen(session, survey.tips)
