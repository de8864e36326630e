"""What would a tree be with some new files in it? Answered without writing anything."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping

from git_assay.git.snapshot import MODE_FILE, BlobReader, Entry, Snapshot
from git_assay.values.ids import ObjectId, TreePath


class OverlayReader:
    """Reads the new blobs from memory and all others from below."""

    def __init__(self, new: Mapping[ObjectId, bytes], below: BlobReader) -> None:
        self._new = new
        self._below = below

    def read_blobs(self, oids: Iterable[ObjectId]) -> Iterator[tuple[ObjectId, bytes]]:
        """Yields (oid, bytes) as `BlobReader` says."""
        wanted = list(dict.fromkeys(oids))
        old = dict(self._below.read_blobs([oid for oid in wanted if oid not in self._new]))
        for oid in wanted:
            yield oid, self._new[oid] if oid in self._new else old[oid]


def overlay(snapshot: Snapshot, files: Mapping[TreePath, bytes]) -> Snapshot:
    """Returns a snapshot with `files` added or replaced. Its tree id names no object of the repository."""
    new = {blob_id(data, like=snapshot.tree): data for data in files.values()}
    entries = dict(snapshot.entries)
    for path, data in files.items():
        entries[path] = Entry(MODE_FILE, blob_id(data, like=snapshot.tree))
    ordered = dict(sorted(entries.items()))
    name = hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()[: len(snapshot.tree)]
    return Snapshot(ObjectId(name), ordered, OverlayReader(new, snapshot.reader))


def blob_id(data: bytes, *, like: ObjectId) -> ObjectId:
    """Returns git's id of a blob, in the object format that `like` is written in."""
    algorithm = hashlib.sha1 if len(like) == 40 else hashlib.sha256
    return ObjectId(algorithm(b"blob %d\0" % len(data) + data).hexdigest())
