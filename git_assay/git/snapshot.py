"""What is in one tree? A commit's tree, the index and the working directory all become a `Snapshot`.

A snapshot is immutable: a tree id, the flat list of entries and a way to read their bytes. It says nothing about
commits, and nothing in it comes from the file system's idea of time, mode or case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from git_assay.errors import AssayError
from git_assay.values.ids import ObjectId, TreePath
from git_assay.values.text import path_text

MODE_FILE = 0o100644
MODE_EXECUTABLE = 0o100755
MODE_LINK = 0o120000
MODE_SUBMODULE = 0o160000


class Entry(NamedTuple):
    """One path of a tree. mode: git's mode bits. oid: of the blob, or of the commit for a submodule.

    A named tuple and no data class: a tree has thousands, made each time it is listed.
    """

    mode: int
    oid: ObjectId

    @property
    def is_file(self) -> bool:
        return self.mode in (MODE_FILE, MODE_EXECUTABLE) or (self.mode & 0o170000) == 0o100000

    @property
    def is_link(self) -> bool:
        return self.mode == MODE_LINK

    @property
    def is_submodule(self) -> bool:
        return self.mode == MODE_SUBMODULE


class BlobReader(Protocol):
    """Reads blobs by id. Two implementations: git's `cat-file --batch`, and a dict in tests."""

    def read_blobs(self, oids: Iterable[ObjectId]) -> Iterator[tuple[ObjectId, bytes]]:
        """Yields (oid, bytes) for each asked id once, in the order asked. Raises AssayError for a missing object."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """tree: id of the root tree.  entries: every file, link and submodule by path, sorted by path bytes."""

    tree: ObjectId
    entries: Mapping[TreePath, Entry]
    reader: BlobReader

    def read(self, path: TreePath) -> bytes:
        """Returns the bytes of the blob at `path`. Raises AssayError when the path is not a blob here."""
        entry = self.entries.get(path)
        if entry is None or entry.is_submodule:
            raise AssayError(f"no file {path_text(path)} in tree {self.tree[:12]}")
        for _, data in self.reader.read_blobs((entry.oid,)):
            return data
        raise AssayError(f"cannot read {path_text(path)} ({entry.oid})")

    def read_many(self, paths: Iterable[TreePath]) -> Mapping[TreePath, bytes]:
        """Returns the bytes of each path in one batch; submodules and missing paths raise as `read` does."""
        wanted = list(paths)
        for path in wanted:
            entry = self.entries.get(path)
            if entry is None or entry.is_submodule:
                raise AssayError(f"no file {path_text(path)} in tree {self.tree[:12]}")
        by_oid = dict(self.reader.read_blobs(dict.fromkeys(self.entries[path].oid for path in wanted)))
        return {path: by_oid[self.entries[path].oid] for path in wanted}
