"""git assay verify: which records count, and why do the others not?"""

from __future__ import annotations

import click

from git_assay.cli.output import print_json, print_text
from git_assay.cli.session import Session


@click.command()
@click.argument("record", metavar="[RECORD]", required=False)
@click.option("--all", "everything", is_flag=True, help="All records of all logs; the default.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document (assay-verify/1).")
@click.pass_context
def command(context: click.Context, *, record: str | None, everything: bool, as_json: bool) -> int:
    """Verify records under the keyring of the target branch; every refusal names its reason.

    With RECORD, as `git assay show`. Exits with 1 when a record is refused.

    \b
    Example:
      git assay verify
    """
    from git_assay.cli.records import evidence_here
    from git_assay.cli.verbs import show
    from git_assay.report.verify import render_verification, truly_refused, verification_document

    session = context.ensure_object(Session)
    if record is not None:
        if everything:
            raise click.UsageError("give a record or --all, not both")
        answer = context.invoke(show.command, record=record, as_json=as_json)
        return answer if isinstance(answer, int) else 0
    evidence = evidence_here(session)
    if as_json:
        print_json(verification_document(evidence))
    else:
        print_text(render_verification(evidence))
    return 1 if truly_refused(evidence) or evidence.gaps else 0
