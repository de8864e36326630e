"""git assay withdraw: which of my records do I take back?"""

from __future__ import annotations

import click

from git_assay.cli.output import print_json, print_text
from git_assay.cli.session import Session


@click.command()
@click.argument("records", metavar="RECORD...", nargs=-1, required=True)
@click.option("-m", "reason", metavar="WHY", help="Why; without it the editor opens.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document (assay-withdraw/1).")
@click.pass_obj
def command(session: Session, *, records: tuple[str, ...], reason: str | None, as_json: bool) -> int:
    """Take back records that you signed; for good.

    They stay where they are and no longer count. RECORD is an id or its first digits.

    \b
    Example:
      git assay withdraw 3f9a1c20 -m "looked at the wrong branch"
    """
    from git_assay.attest.withdraw import own_records, withdrawal_draft
    from git_assay.cli.desk import open_desk, write
    from git_assay.cli.editor import edit
    from git_assay.report.records import short

    desk = open_desk(session, session.repository().head_commit())
    taken = own_records(desk.evidence, records, desk.author.principal)
    words = reason or edit(session, shown="Why you take back:\n" + "\n".join(record.id for record in taken))
    draft = withdrawal_draft(taken, reason=words, occasion=desk.occasion)
    written = write(desk, [draft])[0]
    if as_json:
        taken_ids = [record.id for record in taken]
        print_json({"format": "assay-withdraw/1", "withdrawn": taken_ids, "records": list(written)})
    else:
        print_text("\n".join(f"withdrawn  {short(record.id)}" for record in taken))
    return 0
