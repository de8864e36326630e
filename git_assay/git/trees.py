"""What does `ls-tree` list, as entries by path?"""

from __future__ import annotations

from git_assay.errors import AssayError
from git_assay.git.process import Git
from git_assay.git.snapshot import Entry
from git_assay.values.ids import ObjectId, TreePath
from git_assay.values.text import path_text

MODE_TREE = 0o040000


class Heads(dict[bytes, Entry]):
    """Entries by what stands before the path. Two trees of one repository share most of them, so they are made once."""

    def __missing__(self, head: bytes) -> Entry:
        mode, _, oid = head.split(b" ")
        self[head] = entry = Entry(int(mode, 8), ObjectId(oid.decode()))
        return entry


def read_tree(git: Git, tree: ObjectId, *, recursive: bool = True, known: Heads | None = None) -> dict[TreePath, Entry]:
    """Returns the entries by path, sorted by path bytes when recursive; git's order of one level otherwise.

    tree: id of a tree or commit.  known: entries of other trees, None for none.  Raises AssayError for a
    tree that lists one path twice (git itself never writes one).
    """
    options = ["-r"] if recursive else []
    listing = git.run(["ls-tree", "-z", "--full-tree", *options, tree])
    records = listing.split(b"\0")
    known = Heads() if known is None else known
    cut = (record.partition(b"\t") for record in records[:-1])
    entries = {TreePath(path): known[head] for head, _, path in cut}
    if len(entries) != len(records) - 1:
        raise AssayError(f"tree {tree} lists {path_text(_first_double(records))} twice", hint="git fsck")
    return entries


def _first_double(records: list[bytes]) -> TreePath:
    seen: set[bytes] = set()
    for record in records:
        path = record.partition(b"\t")[2]
        if path in seen:
            return TreePath(path)
        seen.add(path)
    return TreePath(b"")
