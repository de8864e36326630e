"""Where are the evidence logs, and which lines does one hold?

A log is one ref, `refs/notes/assay-evidence/<log>`, with a notes tree. Lines are given as they are: nothing here
verifies. **Source:** design 30-evidence §2.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from git_assay.errors import AssayError
from git_assay.evidence.notes_tree import EMPTY, NotesTree, read_notes_tree
from git_assay.git.objects import list_tree
from git_assay.git.refs import read_refs
from git_assay.git.repository import Repository
from git_assay.values.ids import LogId, ObjectId, RefName

LOCAL_PREFIX = "refs/notes/assay-evidence"
REMOTE_PREFIX = "refs/assay/remotes"

_LOG = re.compile(r"[0-9a-f]{16}(-[A-Za-z0-9][A-Za-z0-9_-]{0,31})?")


@dataclass(frozen=True, slots=True)
class LogRef:
    """One ref that holds a copy of a log: ours, or what was fetched from a remote."""

    ref: RefName
    log: LogId
    tip: ObjectId
    local: bool


def log_ref(log: LogId) -> RefName:
    """Returns the local ref of a log. Raises AssayError for a name that is no log's."""
    if not _LOG.fullmatch(log):
        raise AssayError(f"not the name of an evidence log: {log!r}")
    return RefName(f"{LOCAL_PREFIX}/{log}")


def log_refs(repo: Repository) -> tuple[LogRef, ...]:
    """Returns every copy of every log in this clone, local ones first.

    A ref whose last part cannot be the name of a log is none: no record could be valid there, since a record names its
    log by the key that signed it.
    """
    found = [
        LogRef(ref, LogId(name), tip, ref.startswith(f"{LOCAL_PREFIX}/"))
        for ref, tip in read_refs(repo, LOCAL_PREFIX, REMOTE_PREFIX).items()
        if _LOG.fullmatch(name := ref.rpartition("/")[2])
    ]
    return tuple(sorted(found, key=lambda each: (not each.local, each.ref)))


def read_log_tree(repo: Repository, tip: ObjectId | None) -> NotesTree:
    """Returns the notes tree of a log's commit; an empty one for None."""
    return EMPTY if tip is None else read_notes_tree(list_tree(repo, tip))


def lines_of(note: bytes) -> Iterator[bytes]:
    """Yields the lines of a note; empty ones do not count (git notes append leaves them)."""
    return (line for line in note.split(b"\n") if line.strip())


def read_lines(repo: Repository, tree: NotesTree) -> Iterator[bytes]:
    """Yields every line of a log, a line that stands twice twice."""
    for _, note in repo.read_blobs(dict.fromkeys(blob for blob, _ in tree.blobs())):
        yield from lines_of(note)
