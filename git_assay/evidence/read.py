"""What evidence does this clone have, under one keyring, now?

Every copy of every log is read, ours and those fetched from remotes; only notes that the index does not know are
verified. **Source:** design 30-evidence §2, §4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from git_assay.errors import AssayError
from git_assay.evidence.index import NoteKey, VerdictIndex
from git_assay.evidence.keyring import Keyring
from git_assay.evidence.log import LogRef, lines_of, log_refs, read_log_tree
from git_assay.evidence.model import Evidence, Refusal
from git_assay.evidence.settle import Judged, settle
from git_assay.evidence.verify import Verdict, judge_line
from git_assay.git.repository import Repository
from git_assay.values.ids import LogId, ObjectId


def read_evidence(repo: Repository, keyring: Keyring, *, now: datetime, index: Path | None = None) -> Evidence:
    """Returns the verified evidence at `now` (UTC). index: file of the verdict cache, None = do without.

    A ref that cannot be read as a log is one refused record, never an error: whoever may push could write one.
    """
    refs = log_refs(repo)
    places: list[tuple[NoteKey, ObjectId | None]] = []
    broken: list[Judged] = []
    for ref in refs:
        found = _notes_of(repo, ref)
        if isinstance(found, Judged):
            broken.append(found)
        else:
            places += found
    verdicts = _verdicts(repo, keyring, tuple(dict.fromkeys(key for key, _ in places)), index=index)
    judged = [Judged(verdict, key[1], place) for key, place in places for verdict in verdicts[key]]
    return settle([*judged, *broken], now=now, tips=_tips(refs))


def _notes_of(repo: Repository, ref: LogRef) -> list[tuple[NoteKey, ObjectId | None]] | Judged:
    try:
        return [((blob, ref.log), place) for blob, place in read_log_tree(repo, ref.tip).blobs()]
    except AssayError as error:
        return Judged(Verdict(None, Refusal.DEFECT, f"{ref.ref} cannot be read: {error.message}"), ref.log, None)


def _tips(refs: Sequence[LogRef]) -> dict[LogId, ObjectId]:
    """The local copy names the log's tip; one that exists only as fetched names its own."""
    return {ref.log: ref.tip for ref in reversed(refs)}


def _verdicts(
    repo: Repository, keyring: Keyring, keys: Sequence[NoteKey], *, index: Path | None
) -> Mapping[NoteKey, Sequence[Verdict]]:
    store = None if index is None else VerdictIndex(index, keyring.digest)
    known: dict[NoteKey, tuple[Verdict, ...]] = {} if store is None else store.known()
    new = [key for key in keys if key not in known]
    notes = dict(repo.read_blobs(dict.fromkeys(blob for blob, _ in new)))
    fresh = {
        (blob, log): tuple(judge_line(line, log=log, keyring=keyring) for line in lines_of(notes[blob]))
        for blob, log in new
    }
    # A defect is ours and not the line's: the next run looks again.
    sound = {key: found for key, found in fresh.items() if all(one.reason is not Refusal.DEFECT for one in found)}
    if store is not None and sound:
        store.add(sound, keep=keys)
    return {**known, **fresh}
