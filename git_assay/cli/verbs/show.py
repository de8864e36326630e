"""git assay show: what does this record say, and does it count?"""

from __future__ import annotations

import click

from git_assay.cli.output import print_json, print_text
from git_assay.cli.session import Session


@click.command()
@click.argument("record", metavar="RECORD")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document (assay-show/1).")
@click.pass_obj
def command(session: Session, *, record: str, as_json: bool) -> int:
    """Show one record: the statement, who signed it, and the result of its verification.

    RECORD is an id or its first digits. Exits with 1 when the record does not count.

    \b
    Example:
      git assay show 3f9a1c20
    """
    from git_assay.attest.withdraw import find_record
    from git_assay.cli.records import evidence_here, find_refused
    from git_assay.report import show
    from git_assay.status.superseding import superseded_ids

    evidence = evidence_here(session)
    refused = find_refused(evidence, record)
    if refused is not None:
        if as_json:
            print_json(show.refused_document(refused))
        else:
            print_text(show.render_refused(refused))
        return 1
    found = find_record(evidence, record)
    standing = "superseded" if found.id in superseded_ids(evidence) else "valid"
    if as_json:
        print_json(show.show_document(found, standing))
    else:
        print_text(show.render_record(found, standing))
    return 0
