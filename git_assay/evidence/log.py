"""Which lines does one evidence log hold, and which of its records are its heads?

A log is one ref, `refs/notes/assay-evidence/<log>`, with a notes tree. Lines are given as they are: nothing here
verifies. **Source:** design 30-evidence §2.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import msgspec

from git_assay.errors import AssayError
from git_assay.evidence.envelope import MalformedEnvelopeError, parse_envelope
from git_assay.evidence.notes_tree import EMPTY, NotesTree, read_notes_tree
from git_assay.git.objects import list_tree
from git_assay.git.refs import read_refs
from git_assay.git.repository import Repository
from git_assay.values.ids import LogId, ObjectId, RecordId, RefName

LOCAL_PREFIX = "refs/notes/assay-evidence"
REMOTE_PREFIX = "refs/assay/remotes"

_LOG = re.compile(r"[0-9a-f]{16}(-[A-Za-z0-9][A-Za-z0-9_-]{0,31})?")


class _Common(msgspec.Struct, frozen=True):
    prev: tuple[str, ...] = ()


class _Predicate(msgspec.Struct, frozen=True):
    assay: _Common


class _Chained(msgspec.Struct, frozen=True):
    """The one field of a payload that makes the chain."""

    predicate: _Predicate


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
    """Returns every copy of every log in this clone, local ones first."""
    found = []
    for prefix, local in ((LOCAL_PREFIX, True), (REMOTE_PREFIX, False)):
        for ref, tip in read_refs(repo, prefix).items():
            found.append(LogRef(ref, LogId(ref.rpartition("/")[2]), tip, local))
    return tuple(found)


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


def heads(lines: Iterable[bytes]) -> tuple[RecordId, ...]:
    """Returns the ids that no other line names as its predecessor, sorted. Lines that are no records are left out."""
    found: set[RecordId] = set()
    named: set[str] = set()
    for line in lines:
        try:
            envelope = parse_envelope(line)
            chained = msgspec.json.decode(envelope.payload, type=_Chained)
        except (MalformedEnvelopeError, msgspec.DecodeError, UnicodeDecodeError):
            continue
        found.add(envelope.id)
        named.update(chained.predicate.assay.prev)
    return tuple(sorted(found - named))
