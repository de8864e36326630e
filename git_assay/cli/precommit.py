"""What does the pre-commit hook refuse? Cards that do not load and source files without exactly one owner.

It judges the index: what the commit will hold, whatever else lies in the working directory.
**Source:** design 40-gate §5.
"""

from __future__ import annotations

import click

from git_assay.cli.context import analysis_of, snapshot_of
from git_assay.cli.naming import INDEX
from git_assay.cli.session import Session
from git_assay.errors import DocumentProblems
from git_assay.git.snapshot import Snapshot
from git_assay.values.text import clean, path_text

_SHOWN = 20  # problems; `git assay check` shows all


def pre_commit(session: Session) -> int:
    """Returns the exit code of the hook. A tree without `.assay/` has nothing to break."""
    snapshot = snapshot_of(session, INDEX)
    if not any(path.startswith(b".assay/") for path in snapshot.entries):
        return 0
    problems = staged_problems(session, snapshot)
    if not problems:
        return 0
    for problem in problems[:_SHOWN]:
        click.echo(f"git assay: {clean(problem)}", err=True)
    if len(problems) > _SHOWN:
        click.echo(f"git assay: and {len(problems) - _SHOWN} more", err=True)
    click.echo("hint: git assay check --staged", err=True)
    return 1


def staged_problems(session: Session, snapshot: Snapshot) -> tuple[str, ...]:
    """Returns every problem of cards and ownership of a snapshot, as text."""
    try:
        ownership = analysis_of(session, snapshot).ownership
    except DocumentProblems as error:
        return tuple(map(str, error.problems))
    unowned = (f"{path_text(path)}: no module owns this source file" for path in ownership.unowned)
    return (*map(str, ownership.problems), *unowned)
