"""How are record lines written so that none is ever lost?

 1. Read the log's tip and its notes tree.
 2. Join the new lines to it; write blobs, one tree with one spelling a note, one commit.
 3. Move the ref by compare-and-swap; whoever was slower begins again, after a random pause, until the deadline.
 4. Read the lines back from the ref: before that they do not count as written.

Signed lines are never signed again on a retry: the next record joins the fork. `git notes` is never used, since it
loses concurrent writes. A process that is killed leaves the old state or the new one. **Source:** design 30-evidence
§2.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from git_assay.errors import AssayError
from git_assay.evidence.envelope import parse_envelope
from git_assay.evidence.heads import heads
from git_assay.evidence.log import lines_of, log_ref, read_lines, read_log_tree
from git_assay.evidence.notes_tree import NotesTree, tree_entries
from git_assay.git.objects import write_blobs, write_commit, write_tree
from git_assay.git.refs import RefMoved, RefUpdate, read_ref, update_refs
from git_assay.git.repository import Repository
from git_assay.git.snapshot import MODE_FILE, Entry
from git_assay.values.ids import LogId, ObjectId, RecordId, TreePath

NOTE_LIMIT = 256 * 1024  # bytes of one note, design 30-evidence §2: appending copies it each time
_PAUSE_S = 0.01
_LONGEST_PAUSE_S = 0.5


@dataclass(frozen=True, slots=True)
class NewLine:
    """place: the object that the note annotates; None = the record stands alone."""

    line: bytes
    place: ObjectId | None

    @property
    def id(self) -> RecordId:
        return parse_envelope(self.line).id


def log_heads(repo: Repository, log: LogId) -> tuple[RecordId, ...]:
    """Returns what the next record of this log names as its predecessors. Cost: one read of the log."""
    return heads(read_lines(repo, read_log_tree(repo, read_ref(repo, log_ref(log)))), log=log)


def write_records(
    repo: Repository, log: LogId, lines: Sequence[NewLine], *, subject: str, deadline_s: float = 30.0
) -> tuple[RecordId, ...]:
    """Writes lines in one notes commit and returns their ids once they were read back.

    subject: of the commit and the reflog.  deadline_s: seconds until it gives up against faster writers.
    Raises AssayError when nothing could be written; a signed line is then lost to this clone and nothing else changed.
    """
    if not lines:
        return ()
    ref = log_ref(log)
    deadline = time.monotonic() + deadline_s
    pause = _PAUSE_S
    while True:
        old = read_ref(repo, ref)
        tree = _joined(repo, read_log_tree(repo, old), lines)
        commit = write_commit(repo, tree, () if old is None else (old,), subject + "\n")
        try:
            update_refs(repo, (RefUpdate(ref, commit, old),), reason=subject)
            break
        except RefMoved as error:
            if time.monotonic() >= deadline:
                said = f"{ref} was moved by others for {deadline_s:g} seconds, nothing was written; try again"
                raise AssayError(said, hint=f"git log -5 {ref}") from error
        time.sleep(pause * random.random())
        pause = min(2 * pause, _LONGEST_PAUSE_S)
    _read_back(repo, log, lines)
    return tuple(new.id for new in lines)


def _joined(repo: Repository, tree: NotesTree, lines: Sequence[NewLine]) -> ObjectId:
    """Writes the tree of a log with the new lines in it. Returns its id."""
    texts = _changed_notes(repo, tree, lines)
    alone: dict[TreePath, bytes] = {}
    for new in lines:
        if new.place is not None and new.line in texts[new.place]:
            continue
        if new.place is not None and _size(texts[new.place]) + len(new.line) < NOTE_LIMIT:
            texts[new.place].append(new.line)
        else:
            alone[TreePath(f"records/{new.id[:2]}/{new.id}".encode())] = new.line
    texts = {place: note for place, note in texts.items() if note}
    blobs = write_blobs(
        repo, [b"\n".join((*note, b"")) for note in texts.values()] + [v + b"\n" for v in alone.values()]
    )
    notes = {place: found[0] for place, found in tree.notes.items()} | dict(zip(texts, blobs, strict=False))
    entries = {path: Entry(MODE_FILE, oid) for path, oid in zip(alone, blobs[len(texts) :], strict=True)}
    return write_tree(repo, tree_entries(notes, {**tree.alone, **entries}, tree.other))


def _changed_notes(repo: Repository, tree: NotesTree, lines: Sequence[NewLine]) -> dict[ObjectId, list[bytes]]:
    """Returns the lines of each note that is written anew: where new lines go, or with several spellings."""
    places = {new.place for new in lines if new.place is not None}
    places |= {place for place, blobs in tree.notes.items() if len(blobs) > 1}
    wanted = {place: tree.notes.get(place, ()) for place in sorted(places)}
    texts: Mapping[ObjectId, bytes] = dict(repo.read_blobs(blob for blobs in wanted.values() for blob in blobs))
    return {
        place: list(dict.fromkeys(line for blob in blobs for line in lines_of(texts[blob])))
        for place, blobs in wanted.items()
    }


def _size(lines: Sequence[bytes]) -> int:
    return sum(len(line) + 1 for line in lines)


def _read_back(repo: Repository, log: LogId, lines: Sequence[NewLine]) -> None:
    tree = read_log_tree(repo, read_ref(repo, log_ref(log)))
    places = {new.place for new in lines}
    paths = {f"records/{new.id[:2]}/{new.id}".encode() for new in lines}
    blobs = [blob for place in places if place is not None for blob in tree.notes.get(place, ())]
    blobs += [entry.oid for path, entry in tree.alone.items() if path in paths]
    found = {line for _, note in repo.read_blobs(blobs) for line in lines_of(note)}
    missing = [new.id for new in lines if new.line not in found]
    if missing:
        raise AssayError(f"record {missing[0]} is not in {log_ref(log)} after it was written", hint="git assay verify")
