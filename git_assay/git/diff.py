"""Which paths differ between two trees?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from git_assay.git.repository import Repository
from git_assay.git.snapshot import Entry
from git_assay.values.ids import ObjectId, TreePath

# Git's defaults, pinned so that diff.renames and diff.renameLimit cannot change an answer.
_RENAMES = ("--find-renames=50%", "-l1000")


@dataclass(frozen=True, slots=True)
class Change:
    """One changed path. old_path, old: None when added.  new_path, new: None when deleted.  They differ for renames."""

    old_path: TreePath | None
    new_path: TreePath | None
    old: Entry | None
    new: Entry | None


def diff_trees(repo: Repository, old_tree: str, new_tree: str, *, renames: bool = True) -> tuple[Change, ...]:
    """Returns the changes from one tree (or commit) to another, in git's order.

    renames: pair deleted with added files that are at least half alike; else both sides stand alone.
    """
    options = _RENAMES if renames else ("--no-renames",)
    listing = repo.git.run(
        ["diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--ignore-submodules=none", *options, old_tree, new_tree]
    )
    return tuple(parse_raw(listing))


def parse_raw(listing: bytes) -> Iterator[Change]:
    """Yields the changes of git's raw format with -z. **Source:** git-diff-tree(1), "Raw output format"."""
    fields = iter(listing.split(b"\0")[:-1])
    for head in fields:
        old_mode, new_mode, old_oid, new_oid, status = head.removeprefix(b":").split(b" ")
        first = TreePath(next(fields))
        second = TreePath(next(fields)) if status[:1] in b"RC" else first
        old, new = _entry(old_mode, old_oid), _entry(new_mode, new_oid)
        yield Change(first if old else None, second if new else None, old, new)


def _entry(mode: bytes, oid: bytes) -> Entry | None:
    number = int(mode, 8)
    return Entry(number, ObjectId(oid.decode())) if number else None
