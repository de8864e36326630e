"""git assay attest: which checks pass on this commit? Runs them and signs what happened."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from git_assay.cli.output import print_json, print_text
from git_assay.cli.session import Session

if TYPE_CHECKING:
    from git_assay.attest.attest import Attested
    from git_assay.attest.plan import Planned, Selection
    from git_assay.checks.run import CheckOutcome
    from git_assay.cli.desk import Desk

INTERRUPTED = 130


@click.command()
@click.argument("modules", metavar="[MODULE]...", nargs=-1)
@click.option("--affected", metavar="RANGE", help="The modules that a change touches, for example main..HEAD.")
@click.option("--all", "everything", is_flag=True, help="All modules.")
@click.option("--check", metavar="NAME", help="Only checks of this name.")
@click.option("--dry-run", is_flag=True, help="Say what would run, run and sign nothing.")
@click.option("--force", is_flag=True, help="Also run what is fresh.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Checks at once.  [default: number of processors]")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document (assay-attest/1).")
@click.pass_obj
def command(session: Session, /, *, modules: tuple[str, ...], as_json: bool, **options: object) -> int:
    """Run the checks of modules and sign what happened, pass or fail.

    Executes the `run` lines of cards. Refused unless the working directory is exactly the commit, before and after.
    Checks that are fresh are skipped. Exits with 1 when a check failed.

    \b
    Example:
      git assay attest --affected main..HEAD
    """
    from git_assay.attest.attest import Progress, attest, differences_from, head_commit, try_key
    from git_assay.attest.plan import make_plan
    from git_assay.attest.running import Place
    from git_assay.cli.desk import open_desk, require_room, write
    from git_assay.report.attest import attest_document, render_done, render_plan

    repository = session.repository()
    desk = open_desk(session, head_commit(repository))
    planned = make_plan(desk.analysis, desk.evidence, desk.author, _selection(session, desk, modules, options))
    if options["dry_run"]:
        if as_json:
            print_json(attest_document((), planned, (), interrupted=False))
        else:
            print_text(render_plan(planned))
        return 0
    try_key(desk.signer)
    require_room(session)
    place = Place(repository.top, session.env, differences_from(repository, desk.commit, desk.analysis))
    jobs = options["jobs"] if isinstance(options["jobs"], int) else os.cpu_count() or 1
    progress = Progress(jobs, _Teller(planned))
    done = attest(desk.analysis, planned, place, occasion=desk.occasion, progress=progress)
    records = write(desk, [one.draft for one in done.finished])
    if as_json:
        print_json(attest_document(done.finished, planned, records, interrupted=done.interrupted))
    else:
        print_text(render_done(done.finished, planned, records))
    return _exit_code(done)


def _selection(session: Session, desk: Desk, modules: tuple[str, ...], options: dict[str, object]) -> Selection:
    from git_assay.attest.plan import Selection, affected_modules, known_modules
    from git_assay.cli.context import analysis_at
    from git_assay.cli.ranges import compared

    affected, check = options["affected"], options["check"]
    if bool(modules) + bool(options["everything"]) + (affected is not None) != 1:
        raise click.UsageError("name modules, or give --affected RANGE, or --all")
    if isinstance(affected, str):
        chosen = affected_modules(analysis_at(session, compared(session, affected).base), desk.analysis)
    else:
        chosen = known_modules(desk.analysis, modules) if modules else desk.analysis.modules
    return Selection(chosen, check if isinstance(check, str) else None, force=bool(options["force"]))


class _Teller:
    """Tells each finished check on stderr, when that is a terminal, and the end of a failed one's output always."""

    def __init__(self, planned: tuple[Planned, ...]) -> None:
        self.total = sum(1 for one in planned if one.fresh is None)
        self.done = 0

    def __call__(self, planned: Planned, outcome: CheckOutcome) -> None:
        from git_assay.report.attest import said, tail_text, word_of
        from git_assay.values.text import clean

        self.done += 1
        word = word_of(outcome)
        if sys.stderr.isatty() or word == "fail":
            name = f"{planned.module} {clean(planned.check.name)}"
            click.echo(f"[{self.done}/{self.total}] {word} {name}: {said(outcome)}", err=True)
        if outcome.note is not None:
            click.echo(f"    {clean(outcome.note)}", err=True)
        if word == "fail" and outcome.tail:
            click.echo(tail_text(outcome), err=True)


def _exit_code(done: Attested) -> int:
    from git_assay.checks.verdicts import Verdict

    if done.interrupted:
        return INTERRUPTED
    return 0 if all(one.outcome.verdict is Verdict.PASS for one in done.finished) else 1
