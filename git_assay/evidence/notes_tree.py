"""How does a notes tree name what it annotates, and which fan-out does git give it?

Readers take any fan-out, and several spellings of one object id in one tree; writers leave one spelling, git's own.
Records that stand alone are at `records/<2>/<id>`. **Source:** git's notes.c (determine_fanout); design 30-evidence §2.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from git_assay.git.snapshot import MODE_FILE, Entry
from git_assay.values.ids import ObjectId, TreePath

_HEX = re.compile(rb"[0-9a-fA-F]{40}(?:[0-9a-fA-F]{24})?")  # git reads both cases
_ALONE = re.compile(rb"records/[0-9a-f]{2}/[0-9a-f]{64}")
_DIGITS = "0123456789abcdef"


@dataclass(frozen=True, slots=True, eq=False)
class NotesTree:
    """notes: annotated object -> note blobs, more than one where it is spelled in several ways.

    alone: paths of records that stand alone.  other: whatever else lies in the tree, kept as it is.
    """

    notes: Mapping[ObjectId, tuple[ObjectId, ...]]
    alone: Mapping[TreePath, Entry]
    other: Mapping[TreePath, Entry]

    def blobs(self) -> Iterator[tuple[ObjectId, ObjectId | None]]:
        """Yields (blob, annotated object or None) for every blob that holds records."""
        for place, blobs in self.notes.items():
            for blob in blobs:
                yield blob, place
        for entry in self.alone.values():
            yield entry.oid, None


EMPTY = NotesTree({}, {}, {})


def read_notes_tree(entries: Mapping[TreePath, Entry]) -> NotesTree:
    """Returns what the entries of a whole notes tree stand for."""
    notes: dict[ObjectId, list[ObjectId]] = {}
    alone: dict[TreePath, Entry] = {}
    other: dict[TreePath, Entry] = {}
    for path, entry in entries.items():
        joined = path.replace(b"/", b"")
        if not entry.is_file:
            other[path] = entry
        elif _HEX.fullmatch(joined):
            notes.setdefault(ObjectId(joined.decode().lower()), []).append(entry.oid)
        elif _ALONE.fullmatch(path):
            alone[path] = entry
        else:
            other[path] = entry
    return NotesTree({place: tuple(dict.fromkeys(blobs)) for place, blobs in notes.items()}, alone, other)


def tree_entries(
    notes: Mapping[ObjectId, ObjectId], alone: Mapping[TreePath, Entry], other: Mapping[TreePath, Entry]
) -> dict[TreePath, Entry]:
    """Returns the entries of the whole tree, each note at its one place."""
    entries = {**other, **alone}
    for path, place in _fanned(sorted(notes), 0, ""):
        entries[TreePath(path.encode())] = Entry(MODE_FILE, notes[place])
    return entries


def _fanned(places: Sequence[ObjectId], depth: int, folder: str) -> Iterator[tuple[str, ObjectId]]:
    """A level becomes folders of two digits when each next digit leads to two notes or more, as git has it."""
    counts = dict.fromkeys(_DIGITS, 0)
    for place in places:
        counts[place[depth]] += 1
    if min(counts.values()) < 2:
        for place in places:
            yield folder + place[depth:], place
        return
    groups: dict[str, list[ObjectId]] = {}
    for place in places:
        groups.setdefault(place[depth : depth + 2], []).append(place)
    for name, group in groups.items():
        yield from _fanned(group, depth + 2, f"{folder}{name}/")
