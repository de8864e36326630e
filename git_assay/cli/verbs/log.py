"""git assay log: what was witnessed?"""

from __future__ import annotations

import click

from git_assay.cli.output import print_json, print_text
from git_assay.cli.session import Session


@click.command()
@click.argument("module", metavar="[MODULE]", required=False)
@click.option("-n", "limit", type=click.IntRange(1), metavar="N", help="At most N records.")
@click.option("--refresh", is_flag=True, help="First make the view for git log --notes=assay anew.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document (assay-log/1).")
@click.pass_obj
def command(session: Session, *, module: str | None, limit: int | None, refresh: bool, as_json: bool) -> None:
    """List verified records, newest first; what was replaced by its author stands in parentheses.

    \b
    Example:
      git assay log invoice -n 10
    """
    if refresh:
        from git_assay.cli.context import analysis_at
        from git_assay.cli.viewing import refresh_view

        refresh_view(session, analysis_at(session, "HEAD"))
    from git_assay.cli.records import evidence_here, require_declared
    from git_assay.report.log import log_document, log_entries, render_log
    from git_assay.values.ids import ModuleId

    evidence = evidence_here(session)
    entries = log_entries(evidence, None if module is None else ModuleId(module), limit)
    if module is not None and not entries:
        require_declared(session, module)
    if as_json:
        print_json(log_document(entries, evidence.refused))
    else:
        print_text(render_log(entries, evidence.refused))
