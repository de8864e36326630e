"""Does the working directory hold exactly the files of a commit, and nothing else that a program could load?

1. A private index is made from the commit alone. It knows no file times and no flags, so assume-unchanged,
   skip-worktree, fsmonitor and the untracked cache of the user's index can hide nothing.
2. Git hashes every file through its own filters, and says which differ; submodules that moved or are dirty too.
3. A missing file that a sparse checkout left out is told apart.
4. Everything else that lies there is listed, ignored or not, also inside nested repositories and behind links to
   directories; what `loadable` accepts is a difference.

**Source:** design 30-evidence §5. Not checked: files outside the working directory.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from git_assay.git.diff import Change, parse_raw
from git_assay.git.process import Git
from git_assay.git.repository import Repository
from git_assay.git.scratch import Scratch
from git_assay.git.snapshots import PLAIN_INDEX, private_index
from git_assay.values.ids import ObjectId, TreePath


class DifferenceKind(Enum):
    """How a path differs from the commit."""

    MODIFIED = "modified"  # bytes, mode or type
    DELETED = "deleted"
    SUBMODULE = "submodule moved or dirty"
    NOT_CHECKED_OUT = "not checked out"
    UNTRACKED = "untracked"
    IGNORED = "ignored, but loadable"


@dataclass(frozen=True, slots=True)
class Difference:
    """One path that is not as the commit has it."""

    kind: DifferenceKind
    path: TreePath


def work_differences(
    repo: Repository, commit: ObjectId, *, loadable: Callable[[TreePath], bool]
) -> tuple[Difference, ...]:
    """Returns every difference of the working directory from `commit`, sorted by path; empty when they are equal.

    loadable: whether an untracked file of this path could be loaded by a program of the project. Reads every tracked
    file. Raises AssayError in a bare repository.
    """
    scratch = Scratch()
    top = repo.top
    git = private_index(repo, scratch).at(top)
    # 1. an index of the commit alone
    Path(git.env["GIT_INDEX_FILE"]).unlink(missing_ok=True)
    git.run([*PLAIN_INDEX, "read-tree", commit])
    # 2. and 3. tracked files
    found = list(_tracked(repo, git))
    # 4. everything else
    found.extend(_others(git, top, loadable))
    return tuple(sorted(found, key=lambda difference: (difference.path, difference.kind.value)))


def _tracked(repo: Repository, git: Git) -> Iterator[Difference]:
    git.run([*PLAIN_INDEX, "update-index", "-q", "--refresh"], ok=(0, 1))
    listing = git.run([*PLAIN_INDEX, "diff-files", "--raw", "-z", "--no-abbrev", "--no-renames", _SUBMODULES])
    changes = list(parse_raw(listing))
    left_out = _left_out(repo) if any(change.new is None for change in changes) else frozenset()
    for change in changes:
        path = change.old_path or change.new_path
        if path is not None:
            yield Difference(_kind(change, path in left_out), path)


_SUBMODULES = "--ignore-submodules=none"


def _kind(change: Change, left_out: bool) -> DifferenceKind:
    old, new = change.old, change.new
    if new is None:
        return DifferenceKind.NOT_CHECKED_OUT if left_out else DifferenceKind.DELETED
    if old is not None and old.is_submodule:
        return DifferenceKind.SUBMODULE
    return DifferenceKind.MODIFIED


def _left_out(repo: Repository) -> frozenset[TreePath]:
    """Returns the paths that the user's index marks as not checked out (skip-worktree)."""
    listing = repo.git.at(repo.top).run(["ls-files", "-t", "-z", "--full-name"])
    return frozenset(TreePath(record[2:]) for record in listing.split(b"\0") if record.startswith(b"S "))


def _others(git: Git, top: Path, loadable: Callable[[TreePath], bool]) -> Iterator[Difference]:
    found = [(listed, path) for listed in _listed(git) for path in _below(top, listed) if loadable(path)]
    ignored = frozenset(_listed(git, "--ignored", "--exclude-standard")) if found else frozenset()
    for listed, path in found:
        yield Difference(DifferenceKind.IGNORED if listed in ignored else DifferenceKind.UNTRACKED, path)


def _listed(git: Git, *options: str) -> list[bytes]:
    """Returns what lies there and is not tracked; ignored files too, unless the options say otherwise."""
    return git.run([*PLAIN_INDEX, "ls-files", "--others", *options, "-z"]).split(b"\0")[:-1]


def _below(top: Path, listed: bytes) -> Iterator[TreePath]:
    """Yields the path itself, or the files below it for a nested repository or a link to a directory."""
    place = os.path.join(os.fsencode(top), listed)
    if not os.path.isdir(place):
        yield TreePath(listed)
        return
    prefix = listed.rstrip(b"/")
    for folder, names, files in os.walk(place):
        names[:] = [name for name in names if name != b".git"]
        relative = os.path.relpath(folder, place)
        below = prefix if relative == b"." else prefix + b"/" + relative.replace(os.fsencode(os.sep), b"/")
        for name in files:
            yield TreePath(below + b"/" + name)
