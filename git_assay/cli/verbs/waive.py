"""git assay waive: who accepts that evidence is missing, why, and until when?"""

from __future__ import annotations

import click

from git_assay.cli.output import print_json, print_text
from git_assay.cli.session import Session


@click.command()
@click.argument("modules", metavar="MODULE...", nargs=-1, required=True)
@click.option("--requirement", metavar="KIND", required=True, help="The kind of evidence, for example tests.")
@click.option("--until", metavar="DAY", required=True, help="Last day, or a span: 2026-12-31, 48h, 14d.")
@click.option("-m", "reason", metavar="WHY", help="Why; without it the editor opens.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document (assay-waive/1).")
@click.pass_obj
def command(
    session: Session, *, modules: tuple[str, ...], requirement: str, until: str, reason: str | None, as_json: bool
) -> int:
    """Sign that evidence of one kind may be missing, for what the modules are now, until a day.

    Counts only where the policy's requirement is waivable, and no longer than it allows.

    \b
    Example:
      git assay waive invoice --requirement tests --until 48h -m "hotfix, the runner is down"
    """
    from git_assay.attest.plan import known_modules
    from git_assay.attest.withdraw import WaiverRequest, parse_until, waiver_draft
    from git_assay.cli.desk import open_desk, write
    from git_assay.cli.editor import edit
    from git_assay.report.attest import withdraw_line
    from git_assay.values.text import clean

    desk = open_desk(session, session.repository().head_commit())
    chosen = known_modules(desk.analysis, modules)
    day = parse_until(until, session.now())
    words = reason or edit(session, shown=f"Why {requirement} may be missing for: {' '.join(chosen)}")
    request = WaiverRequest(requirement, words, day)
    draft = waiver_draft(desk.analysis, chosen, request, occasion=desk.occasion)
    written = write(desk, [draft])
    if as_json:
        print_json({"format": "assay-waive/1", "modules": list(chosen), "until": str(day), "records": list(written[0])})
    else:
        print_text(f"waived  {clean(requirement)}  {' '.join(chosen)}  until {day}\n{withdraw_line(written)}")
    return 0
