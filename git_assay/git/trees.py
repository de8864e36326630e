"""What does `ls-tree` list, as entries by path?"""

from __future__ import annotations

from git_assay.errors import AssayError
from git_assay.git.process import Git
from git_assay.git.snapshot import Entry
from git_assay.values.ids import ObjectId, TreePath
from git_assay.values.text import path_text

MODE_TREE = 0o040000


def read_tree(git: Git, tree: ObjectId, *, recursive: bool = True) -> dict[TreePath, Entry]:
    """Returns the entries by path, sorted by path bytes when recursive; git's order of one level otherwise.

    tree: id of a tree or commit. Raises AssayError for a tree that lists one path twice (git itself never writes one).
    """
    options = ["-r"] if recursive else []
    listing = git.run(["ls-tree", "-z", "--full-tree", *options, tree])
    modes: dict[bytes, int] = {}
    entries: dict[TreePath, Entry] = {}
    records = listing.split(b"\0")
    for record in records[:-1]:
        head, _, path = record.partition(b"\t")
        mode = modes.get(head[:6])
        if mode is None:
            mode = modes[head[:6]] = int(head[:6], 8)
        entries[TreePath(path)] = Entry(mode, ObjectId(head[head.rindex(b" ") + 1 :].decode()))
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
