"""Which two things does the user want compared?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from git_assay.cli.naming import INDEX, WORKTREE
from git_assay.cli.session import Session
from git_assay.errors import AssayError, ErrorKind

if TYPE_CHECKING:
    from git_assay.values.ids import ObjectId


@dataclass(frozen=True, slots=True)
class Compared:
    """Names for `context.snapshot_of`."""

    base: str
    result: str


def compared(session: Session, written: str | None, *, staged: bool = False, worktree: bool = False) -> Compared:
    """Returns what a range or `--staged` / `--worktree` means; without any, what the current branch changes.

    `A..B` compares the two trees; `A...B` and a missing range start at the merge base. Raises AssayError (usage) for a
    contradiction, and when there is no commit to compare with.
    """
    if sum((written is not None, staged, worktree)) > 1:
        raise AssayError("give a range, --staged or --worktree, not several", kind=ErrorKind.USAGE)
    if staged or worktree:
        return Compared(_head(session), INDEX if staged else WORKTREE)
    if written is None:
        from git_assay.git.targets import target_of

        head = _head(session)
        return _since_base(session, target_of(session.repository()).tip, head)
    if "..." in written:
        left, _, right = written.partition("...")
        return _since_base(session, _commit(session, left), _commit(session, right))
    left, dots, right = written.partition("..")
    return Compared(_commit(session, left), _commit(session, right) if dots else _head(session))


def target_and_head(session: Session, written: str | None) -> tuple[ObjectId, ObjectId]:
    """Returns the tip of the target and of the change; both dotted forms mean the same, since no merge base judges."""
    if written is None:
        from git_assay.git.targets import target_of

        head = _head(session)
        return target_of(session.repository()).tip, head
    left, dots, right = written.partition("..")
    right = right.removeprefix(".")
    return _commit(session, left), _commit(session, right) if dots else _head(session)


def _commit(session: Session, name: str) -> ObjectId:
    return session.repository().resolve(name) if name else _head(session)


def _head(session: Session) -> ObjectId:
    return session.repository().head_commit()


def _since_base(session: Session, target: ObjectId, head: ObjectId) -> Compared:
    from git_assay.git.merge import merge_bases

    bases = merge_bases(session.repository(), target, head)
    if not bases:
        between = f"git assay radius {target[:12]}..{head[:12]}"
        if session.repository().layout.shallow:
            said = "this clone is shallow and holds no history that the two sides share"
            raise AssayError(said, hint="git fetch --unshallow")
        raise AssayError("the two sides share no history", hint=between)
    return Compared(bases[0], head)
