"""What did the selected checks say, and was the tree that of the commit all along?

1 compare the working directory with the commit; 2 run the checks side by side; 3 compare again, with the same commit,
also after an interrupt. A difference before is an error and nothing runs; a difference after means that nobody knows
what ran: no outcome is signed. **Source:** design 30-evidence §5.
"""

from __future__ import annotations

import tempfile
import threading
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from git_assay.attest.plan import Planned
from git_assay.checks.environment import child_environment
from git_assay.checks.pool import PoolResult, run_pool
from git_assay.checks.run import CheckOutcome, run_check
from git_assay.errors import AssayError
from git_assay.git.cleanliness import DifferenceKind

_LISTED = 20  # differences that an error lists; the rest is counted
# `git stash` changes nothing about either; to stash what is ignored would take a virtual environment away, too.
_REMEDIES = {
    DifferenceKind.NOT_CHECKED_OUT: "git sparse-checkout disable",
    DifferenceKind.IGNORED: "git clean -ndX",
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where checks run. root: top of the working directory.  environ: the caller's, of which children see a part.

    differences: lines, each a path and how it differs from the commit; () when the tree is that of the commit.
    """

    root: Path
    environ: Mapping[str, str]
    differences: Callable[[], Sequence[str]]


def run_planned(
    planned: Sequence[Planned], place: Place, *, jobs: int, on_done: Callable[[Planned, CheckOutcome], None]
) -> PoolResult[CheckOutcome]:
    """Returns the outcome of each planned check, None where an interrupt came first.

    Raises AssayError when the working directory is not the commit's, before or after.
    """
    differences = place.differences()
    _refuse(differences, "the working directory is not the commit", _remedy(differences))  # 1
    with tempfile.TemporaryDirectory(prefix="git-assay-") as scratch:
        bytecode = Path(scratch)

        def work(task: Planned, stop: threading.Event) -> CheckOutcome | None:
            env = child_environment(place.environ, root=place.root, run=uuid.uuid4().hex, bytecode=bytecode)
            outcome = run_check(task.check, place.root, env, stop=stop)
            return None if outcome.ended.stopped else outcome

        result = run_pool(planned, work, jobs=jobs, on_done=on_done)  # 2
    _refuse(place.differences(), "files changed while the checks ran; nothing is signed", "git status")  # 3
    return result


def _remedy(differences: Sequence[str]) -> str:
    """Returns the command that helps with the most stubborn kind of difference."""
    for kind, command in _REMEDIES.items():
        if any(line.startswith(kind.value) for line in differences):
            return command
    return "git stash -u"


def _refuse(differences: Sequence[str], message: str, hint: str) -> None:
    if not differences:
        return
    listed = [f"  {line}" for line in differences[:_LISTED]]
    if len(differences) > _LISTED:
        listed.append(f"  and {len(differences) - _LISTED} more")
    raise AssayError("\n".join([message, *listed]), hint=hint)
