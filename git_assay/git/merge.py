"""What would merging the target and a head give, whatever anybody's settings say?

`git merge-tree --write-tree` runs in a scratch bare repository that borrows the objects of the real one: there are no
attributes (a merge driver named by a checked-out `.gitattributes` would run), no user, system or repository
configuration, and the rename settings are pinned. Nothing is written to the real repository.

1. No common ancestor: nothing to merge, said as such.
2. One is an ancestor of the other: the result is the descendant's tree.
3. Otherwise git merges, with a recursive base for criss-cross histories.

**Source:** design 40-gate §4.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass

from git_assay.git.diff import diff_trees
from git_assay.git.process import Git
from git_assay.git.reading import GitObjects, promisor_remotes
from git_assay.git.repository import Repository
from git_assay.git.scratch import Scratch, alternates
from git_assay.git.snapshot import Snapshot
from git_assay.git.trees import read_tree
from git_assay.values.ids import ObjectId, TreePath

# Git's defaults of 2.39, written down so that neither a version nor a setting changes a result.
_PINNED = {
    "merge.renames": "true",
    "merge.renameLimit": "7000",
    "merge.directoryRenames": "conflict",
    "merge.renormalize": "false",
    "diff.renames": "true",
    "diff.renameLimit": "7000",
    "diff.algorithm": "histogram",
    "core.fsync": "none",  # the objects are temporary
}


@dataclass(frozen=True, slots=True)
class Conflicts:
    """The merge has no clean result. paths: sorted; empty when `unrelated`: the two share no history."""

    paths: tuple[TreePath, ...]
    unrelated: bool = False


def merge_bases(repo: Repository, a: ObjectId, b: ObjectId) -> tuple[ObjectId, ...]:
    """Returns all best common ancestors; several for a criss-cross history, none for unrelated ones."""
    return tuple(ObjectId(line) for line in repo.git.run(["merge-base", "--all", a, b], ok=(0, 1)).decode().split())


def merge_result(repo: Repository, target_commit: ObjectId, head_commit: ObjectId) -> Snapshot | Conflicts:
    """Returns the tree that merging `head_commit` into `target_commit` gives, or why there is none.

    Raises AssayError when git cannot tell, for example because a shallow clone lacks the history between the two.
    """
    bases = merge_bases(repo, target_commit, head_commit)
    # 1. no common ancestor
    if not bases:
        return Conflicts((), unrelated=True)
    # 2. an ancestor of the other
    if target_commit in bases:
        return repo.snapshot_of(head_commit)
    if head_commit in bases:
        return repo.snapshot_of(target_commit)
    # 3. a merge
    _fetch_what_differs(repo, bases, target_commit, head_commit)
    scratch = Scratch()
    git = _scratch_repository(repo, scratch)
    return _merged(git, scratch, target_commit, head_commit)


def _merged(git: Git, scratch: Scratch, target: ObjectId, head: ObjectId) -> Snapshot | Conflicts:
    settings = [word for key, value in _PINNED.items() for word in ("-c", f"{key}={value}")]
    command = [*settings, "merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", target, head]
    done = git.call(command, ok=(0, 1))
    tree, *paths = done.out.split(b"\0")
    if done.code == 1:
        return Conflicts(tuple(sorted({TreePath(path) for path in paths if path})))
    oid = ObjectId(tree.decode().strip())
    return Snapshot(oid, read_tree(git, oid), GitObjects(git, scratch))


def _scratch_repository(repo: Repository, scratch: Scratch) -> Git:
    place = scratch.path / "merge.git"
    apart = repo.git.elsewhere(scratch.path).with_env(
        {
            # HOME too: git looks for attributes and configuration below it.
            "HOME": str(scratch.path),
            "XDG_CONFIG_HOME": str(scratch.path / "none"),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_ATTR_NOSYSTEM": "1",
        },
        without=("GIT_DEFAULT_HASH", "GIT_DEFAULT_REF_FORMAT", "GIT_TEMPLATE_DIR"),
    )
    apart.run(["init", "-q", "--bare", "--template=", f"--object-format={repo.layout.object_format}", place])
    if repo.layout.shallow:
        shutil.copyfile(repo.layout.common_dir / "shallow", place / "shallow")
    borrowed = {"GIT_DIR": str(place), "GIT_ALTERNATE_OBJECT_DIRECTORIES": alternates(repo.git, repo.layout)}
    return apart.at(place).with_env(borrowed)


def _fetch_what_differs(repo: Repository, bases: tuple[ObjectId, ...], target: ObjectId, head: ObjectId) -> None:
    """Fetches, in one batch, what a partial clone lacks for this merge: the scratch repository has no remote."""
    if not promisor_remotes(repo.git):
        return
    needed: dict[ObjectId, None] = {}
    for base in bases:
        for side in (target, head):
            for change in diff_trees(repo, base, side, renames=False):
                for entry in (change.old, change.new):
                    if entry is not None and not entry.is_submodule:
                        needed[entry.oid] = None
    repo.objects.ensure(needed)
