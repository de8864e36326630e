"""git assay radius: what does a change reach, and which evidence goes stale?"""

from __future__ import annotations

import click

from git_assay.cli.output import print_json, print_text, print_z
from git_assay.cli.session import Session


@click.command()
@click.argument("written", metavar="[A..B | A...B]", required=False)
@click.option("--staged", is_flag=True, help="From HEAD to the index.")
@click.option("--worktree", is_flag=True, help="From HEAD to the working directory.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document (assay-radius/1).")
@click.option("-z", "as_z", is_flag=True, help="Print module ids, each ended by a NUL.")
@click.option("--checks", is_flag=True, help="With -z: print module, tab, check for every check to run.")
@click.option("--format", "form", type=click.Choice(["dot", "mermaid"]), help="Print a graph.")
@click.pass_obj
def command(
    session: Session,
    *,
    written: str | None,
    staged: bool,
    worktree: bool,
    as_json: bool,
    as_z: bool,
    checks: bool,
    form: str | None,
) -> None:
    """Show which modules a change touches, nearest first, through which imports, and what goes stale.

    Without a range: what the current branch changes since its target.

    \b
    Example:
      git assay radius main...HEAD
      git assay radius -z --checks HEAD~1..HEAD | xargs -0 -n1 echo
    """
    from git_assay.cli.context import analysis_at
    from git_assay.cli.judging import evidence_for, trusted_snapshot
    from git_assay.cli.ranges import compared
    from git_assay.report import radius as report
    from git_assay.status.effects import find_effects
    from git_assay.status.radius import find_radius
    from git_assay.status.standings import index_runs

    sides = compared(session, written, staged=staged, worktree=worktree)
    radius = find_radius(analysis_at(session, sides.base), analysis_at(session, sides.result))
    if form is not None:
        print_text(report.radius_dot(radius) if form == "dot" else report.radius_mermaid(radius))
        return
    evidence, _ = evidence_for(session, trusted_snapshot(session, radius.base.snapshot), now=session.now())
    effects = find_effects(radius, index_runs(evidence))
    if as_json:
        print_json(report.radius_document(radius, effects))
    elif as_z:
        print_z(report.radius_items(radius, effects, checks=checks))
    else:
        print_text(report.radius_text(radius, effects))
