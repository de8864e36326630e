"""What would the index, or the working directory, be as a tree?

Both are written as trees into a temporary object directory through a private copy of the index: the user's index,
objects and refs are never written, and a read-only repository is enough. The temporary objects live as long as the
snapshot's reader.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from git_assay.errors import AssayError
from git_assay.git.process import Git, GitFailed
from git_assay.git.reading import GitObjects
from git_assay.git.repository import Repository
from git_assay.git.scratch import Scratch, object_environment
from git_assay.git.snapshot import Snapshot
from git_assay.git.trees import read_tree
from git_assay.values.ids import ObjectId, TreePath
from git_assay.values.text import path_text

# A copied index must not be split (its shared half is the user's), nor trust a daemon or a cache about files.
PLAIN_INDEX = (
    *("-c", "core.splitIndex=false", "-c", "core.fsmonitor=false", "-c", "core.untrackedCache=false"),
    *("-c", "core.ignoreStat=false", "-c", "core.safecrlf=false"),
    # What is written is temporary: waiting for the disk at each object would be most of the time.
    *("-c", "core.fsync=none"),
)


class UnmergedPaths(AssayError):
    """The index holds a conflict, so it is no tree."""

    def __init__(self, paths: tuple[TreePath, ...]) -> None:
        listed = ", ".join(path_text(path) for path in paths[:5])
        more = f" and {len(paths) - 5} more" if len(paths) > 5 else ""
        super().__init__(f"the index has unmerged paths: {listed}{more}", hint="git status")
        self.paths = paths


def index_snapshot(repo: Repository) -> Snapshot:
    """Returns what a commit of the index would hold. Intent-to-add paths are not in it.

    In a hook this is the index that git hands over (GIT_INDEX_FILE). Raises UnmergedPaths for a conflict, AssayError in
    a bare repository, which has no index.
    """
    if not repo.layout.index.exists():
        repo.top  # noqa: B018 - raises in a bare repository; elsewhere nothing was ever added
    scratch = Scratch()
    git = private_index(repo, scratch)
    return _as_snapshot(git, _write_tree(git), scratch)


def worktree_snapshot(repo: Repository) -> Snapshot:
    """Returns what `git add -A` and a commit would hold: tracked and untracked files, ignored ones left out.

    Index flags hide nothing: assume-unchanged and skip-worktree files that are there are read. Files that a sparse
    checkout left out are as the index has them. Git's clean filters run. Raises UnmergedPaths for a conflict.
    """
    scratch = Scratch()
    git = private_index(repo, scratch).at(repo.top)
    _refuse_unmerged(git)
    _clear_flags(git, repo.top)
    git.run([*PLAIN_INDEX, "-c", "advice.addEmbeddedRepo=false", "add", "--all", "--sparse", "."])
    return _as_snapshot(git, _write_tree(git), scratch)


def refuse_unmerged(repo: Repository) -> None:
    """Raises UnmergedPaths when the index holds a conflict."""
    _refuse_unmerged(repo.git.at(repo.top))


def private_index(repo: Repository, scratch: Scratch) -> Git:
    """Returns git that works on a copy of the index, and writes objects only below `scratch`."""
    objects, index = scratch.path / "objects", scratch.path / "index"
    objects.mkdir()
    if repo.layout.index.exists():
        # With its time: git compares file times with the index's own to know which cached ones to distrust.
        shutil.copy2(repo.layout.index, index)
    places = {"GIT_INDEX_FILE": str(index), **object_environment(repo.git, repo.layout, objects)}
    return repo.git.with_env({**places, "GIT_DIR": str(repo.layout.git_dir), **_work_tree(repo)})


def _work_tree(repo: Repository) -> dict[str, str]:
    return {} if repo.layout.work_tree is None else {"GIT_WORK_TREE": str(repo.layout.work_tree)}


def _write_tree(git: Git) -> ObjectId:
    try:
        return ObjectId(git.run([*PLAIN_INDEX, "write-tree"]).decode().strip())
    except GitFailed:
        _refuse_unmerged(git)
        raise


def _refuse_unmerged(git: Git) -> None:
    listing = git.run([*PLAIN_INDEX, "ls-files", "--unmerged", "-z", "--full-name"])
    paths = dict.fromkeys(TreePath(record.partition(b"\t")[2]) for record in listing.split(b"\0")[:-1])
    if paths:
        raise UnmergedPaths(tuple(paths))


def _clear_flags(git: Git, top: Path) -> None:
    """Clears assume-unchanged everywhere, and skip-worktree where the file is there."""
    listing = git.run([*PLAIN_INDEX, "ls-files", "-v", "-z"])
    flagged = [(record[:1], record[2:]) for record in listing.split(b"\0") if record[:1] not in (b"H", b"")]
    assumed = [path for tag, path in flagged if tag.islower()]
    skipped = [path for tag, path in flagged if tag.upper() == b"S" and os.path.lexists(os.fsencode(top) + b"/" + path)]
    for option, paths in (("--no-assume-unchanged", assumed), ("--no-skip-worktree", skipped)):
        if paths:
            listed = b"".join(path + b"\0" for path in paths)
            git.run([*PLAIN_INDEX, "update-index", option, "-z", "--stdin"], input=listed)


def _as_snapshot(git: Git, tree: ObjectId, scratch: Scratch) -> Snapshot:
    return Snapshot(tree, read_tree(git, tree), GitObjects(git, scratch))
