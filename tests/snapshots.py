"""A tree in memory: a `Snapshot` without a repository, with the ids that git would give.

Most laws need thousands of trees and no history; this makes one in microseconds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping

from git_assay.git.snapshot import MODE_FILE, Entry, Snapshot
from git_assay.values.ids import ObjectId, TreePath


class MemoryReader:
    """Reads blobs from a dict, as `BlobReader` asks. reads: how often each blob was read."""

    def __init__(self, blobs: Mapping[ObjectId, bytes]) -> None:
        self.blobs = dict(blobs)
        self.reads: dict[ObjectId, int] = {}

    def read_blobs(self, oids: Iterable[ObjectId]) -> Iterator[tuple[ObjectId, bytes]]:
        for oid in oids:
            self.reads[oid] = self.reads.get(oid, 0) + 1
            yield oid, self.blobs[oid]


def memory_snapshot(files: Mapping[str, str | bytes], *, modes: Mapping[str, int] | None = None) -> Snapshot:
    """Returns the snapshot of these files. modes: for what is not an ordinary file; a submodule's text is its oid."""
    blobs: dict[ObjectId, bytes] = {}
    entries: dict[TreePath, Entry] = {}
    for name in sorted(files, key=lambda name: name.encode("utf-8", "surrogateescape")):
        content = files[name]
        data = content.encode() if isinstance(content, str) else content
        entry = Entry((modes or {}).get(name, MODE_FILE), blob_id(data))
        if entry.is_submodule:
            entry = Entry(entry.mode, ObjectId(data.decode().strip()))
        else:
            blobs[entry.oid] = data
        entries[TreePath(name.encode("utf-8", "surrogateescape"))] = entry
    return Snapshot(tree_id(entries), entries, MemoryReader(blobs))


def blob_id(data: bytes) -> ObjectId:
    """Returns the SHA-1 id that git gives to a blob."""
    return ObjectId(hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest())


def tree_id(entries: Mapping[TreePath, Entry]) -> ObjectId:
    """Returns the SHA-1 id that git gives to the tree with these entries."""
    beneath: dict[bytes, dict[TreePath, Entry]] = {}
    lines: list[tuple[bytes, bytes]] = []
    for path, entry in entries.items():
        name, slash, rest = path.partition(b"/")
        if slash:
            beneath.setdefault(name, {})[TreePath(rest)] = entry
        else:
            lines.append((name, b"%o %b\0" % (entry.mode, name) + bytes.fromhex(entry.oid)))
    for name, inner in beneath.items():
        lines.append((name + b"/", b"40000 %b\0" % name + bytes.fromhex(tree_id(inner))))
    body = b"".join(line for _, line in sorted(lines))
    return ObjectId(hashlib.sha1(b"tree %d\0" % len(body) + body).hexdigest())
