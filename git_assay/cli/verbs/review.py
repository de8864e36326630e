"""git assay review: what did I see of this change, and what do I think of it?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from git_assay.cli.output import print_json, print_text
from git_assay.cli.session import Session
from git_assay.errors import AssayError, ErrorKind

if TYPE_CHECKING:
    from git_assay.attest.review import ReviewVerdict
    from git_assay.cones.analysis import Analysis
    from git_assay.evidence.records import Seen
    from git_assay.values.ids import ObjectId


@click.command()
@click.argument("written", metavar="[RANGE]", required=False)
@click.option("--module", "modules", metavar="ID", multiple=True, help="Only the changes of this module; repeatable.")
@click.option("--approve", "verdict", flag_value="approve", help="This may be merged.")
@click.option("--reject", "verdict", flag_value="reject", help="This may not; it stands until you review again.")
@click.option("--comment", "verdict", flag_value="comment", help="Looked at, without a judgement.")
@click.option("-m", "words", metavar="TEXT", help="What you have to say; without it the editor opens.")
@click.option("--yes", is_flag=True, help="Do not ask. The record says when no terminal was there.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document (assay-review/1).")
@click.pass_obj
def command(
    session: Session,
    *,
    written: str | None,
    modules: tuple[str, ...],
    verdict: ReviewVerdict | None,
    words: str | None,
    yes: bool,
    as_json: bool,
) -> int:
    """Sign a review of what a change does to each module.

    Without RANGE: what merging the current branch into its target would change. What is signed is every changed piece
    with its content before and after, so the review holds wherever the same content goes.

    \b
    Example:
      git assay review main..HEAD --approve -m "rounding is right below zero"
    """
    from git_assay.attest.review import ReviewRequest, replaced_rejects, review_draft
    from git_assay.attest.seen import seen_pairs
    from git_assay.cli.desk import interactive, open_desk, write
    from git_assay.report.review import render_review, review_document

    if verdict is None:
        raise click.UsageError("say --approve, --reject or --comment")
    base, head, commit = _sides(session, written)
    desk = open_desk(session, commit)
    seen = seen_pairs(base, head, modules)
    attended = interactive()
    if not attended and not yes:
        said = "a review is made by somebody who looks: no terminal is here"
        raise AssayError(said, hint=session.again("--yes", *(() if words else ("-m", "I looked at it"))))
    request = ReviewRequest(verdict, words or _ask_words(session, seen, attended=attended), unattended=not attended)
    gone = replaced_rejects(seen, desk.evidence, desk.author)
    draft = review_draft((base, head), seen, request, occasion=desk.occasion, supersedes=gone)
    if not yes:
        _confirm(seen, verdict)
    records = write(desk, [draft])[0]
    if as_json:
        print_json(review_document(verdict, seen, records))
    else:
        print_text(render_review(verdict, seen, records))
    return 0


def _sides(session: Session, written: str | None) -> tuple[Analysis, Analysis, ObjectId]:
    """Returns base, head, and the commit that the note goes to.

    Without a range base is the tip of the target and head what merging would give: that is what the gate compares.
    Where merging conflicts, it is the change since the merge base.
    """
    from git_assay.cli.context import analysis_at, analysis_of
    from git_assay.cli.naming import named
    from git_assay.cli.ranges import compared
    from git_assay.git.merge import Conflicts, merge_result
    from git_assay.git.targets import target_of

    repository = session.repository()
    ends = compared(session, written)
    commit = repository.resolve(ends.result)
    if written is None:
        tip = target_of(repository).tip
        merged = merge_result(repository, tip, commit)
        if not isinstance(merged, Conflicts):
            with named(session, commit):  # what the merge has wrong and the target not, the change brought
                return analysis_at(session, tip), analysis_of(session, merged), commit
    return analysis_at(session, ends.base), analysis_at(session, ends.result), commit


def _ask_words(session: Session, seen: Sequence[Seen], *, attended: bool) -> str:
    from git_assay.cli.editor import edit
    from git_assay.report.review import render_seen

    if not attended:
        raise AssayError("a review needs words", hint=session.again("-m", "I looked at it"), kind=ErrorKind.USAGE)
    return edit(session, shown="What you say about:\n" + render_seen(seen))


def _confirm(seen: Sequence[Seen], verdict: str) -> None:
    from git_assay.report.review import render_seen

    click.echo(render_seen(seen), err=True)
    click.confirm(f"sign: {verdict}?", abort=True, err=True)
