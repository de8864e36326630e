"""git assay gate: may this change be merged?"""

from __future__ import annotations

import click

from git_assay.cli.output import print_json, print_text
from git_assay.cli.session import Session


@click.command()
@click.argument("written", metavar="[TARGET..HEAD]", required=False)
@click.option("--at", metavar="TIME", help="Judge at this moment, such as 2026-11-30T19:10:00Z.")
@click.option("--advise", is_flag=True, help="Report, and exit with 0 whatever the verdict.")
@click.option("--require-adopted", is_flag=True, help="Exit with 128 when the target has not adopted git assay.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document (assay-gate/1).")
@click.option(
    "--github", is_flag=True, help="Print workflow annotations, and append the summary to GITHUB_STEP_SUMMARY."
)
@click.pass_obj
def command(
    session: Session,
    *,
    written: str | None,
    at: str | None,
    advise: bool,
    require_adopted: bool,
    as_json: bool,
    github: bool,
) -> int:
    """Judge what merging a change would give, by the policy of the tip of the target branch.

    Exits with 0 when the gate is open, 1 when it is closed, 128 when it cannot be decided. Runs nothing from the
    repository.

    \b
    Example:
      git assay gate
      git assay gate origin/main..HEAD --json
    """
    from git_assay.cli.judging import judge_range, write_summary
    from git_assay.cli.tracking import note_unseen
    from git_assay.report import gate as report

    decision = judge_range(session, written, now=session.now(at), require_adopted=require_adopted)
    code = 0 if advise else decision.exit_code  # known before a word is said
    if as_json:
        print_json(report.gate_document(decision))
    elif github:
        print_text(report.gate_github(decision))
        write_summary(session, report.gate_summary(decision))
    else:
        print_text(report.gate_text(decision))
        if decision.exit_code:
            note_unseen(session, decision.tips)
    return code
