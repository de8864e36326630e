"""git assay cone: what does a module reach, through which imports, and which digests follow?"""

from __future__ import annotations

import click

from git_assay.cli.output import print_json, print_text, print_z
from git_assay.cli.session import Session
from git_assay.values.digests import Reach
from git_assay.values.ids import ModuleId

_REACHES = {reach.value.lower(): reach for reach in Reach}


@click.command()
@click.argument("module")
@click.argument("rev", default="HEAD", required=False)
@click.option("--reach", type=click.Choice(list(_REACHES)), default="run", help="Imports to follow (default: run).")
@click.option("--hash", "hashes", is_flag=True, help="Print every digest of the module instead.")
@click.option("--diff", "sides", nargs=2, metavar="A B", help="Print what entered, left and changed from A to B.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document (assay-cone/1, with --hash or --diff its own)."
)
@click.option("-z", "as_items", is_flag=True, help="Print the paths of the members, each ended by NUL.")
@click.pass_obj
def command(
    session: Session,
    *,
    module: str,
    rev: str,
    reach: str,
    hashes: bool,
    sides: tuple[str, str] | None,
    as_json: bool,
    as_items: bool,
) -> None:
    """Show what MODULE reaches in REV, with the shortest chain of imports that brings each file in.

    What the cone cannot know is said in numbers and places: imports that are unresolved, files that are open (they
    import by a computed name), and open files that the configuration accepts.

    \b
    Example:
      git assay cone billing
      git assay cone billing --diff main HEAD
    """
    chosen, name = _REACHES[reach], ModuleId(module)
    if sides is not None:
        if hashes or as_items:
            raise click.UsageError("--diff goes with --reach and --json only")
        _show_diff(session, name, chosen, sides, as_json=as_json)
    elif hashes:
        _show_hashes(session, name, rev, as_json=as_json)
    else:
        _show_members(session, name, chosen, rev, form="json" if as_json else "z" if as_items else "text")


def _show_members(session: Session, module: ModuleId, reach: Reach, rev: str, *, form: str) -> None:
    from git_assay.cli.context import analysis_at
    from git_assay.report.cone import ConeReport, cone_document, cone_items, cone_text

    report = ConeReport(analysis_at(session, rev), module, reach)
    if form == "json":
        print_json(cone_document(report))
    elif form == "z":
        print_z(cone_items(report))
    else:
        print_text(cone_text(report))


def _show_hashes(session: Session, module: ModuleId, rev: str, *, as_json: bool) -> None:
    from git_assay.cli.context import analysis_at
    from git_assay.report.cone import hash_document, hash_rows, hash_text

    analysis = analysis_at(session, rev)
    if as_json:
        print_json(hash_document(analysis, module))
    else:
        print_text(hash_text(hash_rows(analysis, module)))


def _show_diff(session: Session, module: ModuleId, reach: Reach, sides: tuple[str, str], *, as_json: bool) -> None:
    from git_assay.cli.context import analysis_at
    from git_assay.cones.diff import diff_cones
    from git_assay.report.cone import diff_document, diff_text

    base, result = (analysis_at(session, side) for side in sides)
    diff = diff_cones(base, result, module, reach)
    if as_json:
        print_json(diff_document(diff))
    else:
        print_text(diff_text(diff))
