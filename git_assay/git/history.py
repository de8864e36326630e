"""Which commits lie between two, who made them, and what did first-parent history hold before?"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from git_assay.errors import AssayError
from git_assay.git.commits import CommitFacts, parse_commit
from git_assay.git.repository import Repository
from git_assay.values.ids import ObjectId, TreePath

# A Linux command line holds 2 MiB with its environment; a tenth leaves room everywhere.
_PATHS_PER_SPAWN_BYTES = 100_000
_TRAILERS = "%(trailers:only=true,unfold=true,key_value_separator=: )"
_TRAILER_FORMAT = ("--encoding=UTF-8", "--no-commit-header", f"--format=%H%n{_TRAILERS}%x00")


class PastBlob(NamedTuple):
    """A blob that a path once held. left: committer time, in seconds since 1970 UTC, of the commit that replaced it."""

    oid: ObjectId
    left: int


def commits_between(repo: Repository, exclude: ObjectId | None, include: ObjectId) -> tuple[CommitFacts, ...]:
    """Returns the commits reachable from `include` and not from `exclude`: parents before children. Two spawns."""
    revisions = include + "\n" + (f"^{exclude}\n" if exclude else "")
    listed = repo.git.run(
        ["-c", "trailer.separators=:", "rev-list", "--topo-order", "--reverse", *_TRAILER_FORMAT, "--stdin"],
        input=revisions.encode(),
    )
    return _facts(repo, _trailers(listed))


def read_commits(repo: Repository, oids: Iterable[ObjectId]) -> tuple[CommitFacts, ...]:
    """Returns the facts of just these commits, in the order asked. Two spawns."""
    wanted = tuple(dict.fromkeys(oids))
    if not wanted:
        return ()
    listed = repo.git.run(
        ["-c", "trailer.separators=:", "rev-list", "--no-walk=unsorted", *_TRAILER_FORMAT, "--stdin"],
        input="".join(f"{oid}\n" for oid in wanted).encode(),
    )
    return _facts(repo, _trailers(listed))


def first_parents(repo: Repository, commit: ObjectId, *, limit: int | None = None) -> Iterator[ObjectId]:
    """Yields `commit` and its first parents, newest first, at most `limit` of them."""
    bound = [] if limit is None else [f"--max-count={limit}"]
    listed = repo.git.run(["rev-list", "--first-parent", *bound, "--end-of-options", commit])
    return (ObjectId(line) for line in listed.decode().split())


def is_ancestor(repo: Repository, ancestor: ObjectId, descendant: ObjectId) -> bool:
    """Returns whether `ancestor` is reachable from `descendant` (a commit is its own ancestor)."""
    return repo.git.call(["merge-base", "--is-ancestor", ancestor, descendant], ok=(0, 1)).code == 0


def past_blobs(
    repo: Repository, commit: ObjectId, paths: Iterable[TreePath]
) -> Mapping[TreePath, tuple[PastBlob, ...]]:
    """Returns, for each path, the blobs that first-parent history held there and replaced or deleted, newest first.

    Merges are compared with their first parent. The blob that the path holds now is there only when it was also left
    before. A shallow history ends at its boundary.
    """
    wanted = sorted(set(paths))
    found: dict[TreePath, list[PastBlob]] = {path: [] for path in wanted}
    for some in _chunks(wanted):
        for path, oid, left in _left_blobs(repo, commit, some):
            if path in found:  # a path that was a directory once matches what was below it
                found[path].append(PastBlob(oid, left))
    return {path: tuple(blobs) for path, blobs in found.items()}


def _trailers(listed: bytes) -> dict[ObjectId, tuple[tuple[str, str], ...]]:
    found: dict[ObjectId, tuple[tuple[str, str], ...]] = {}
    for record in listed.decode("utf-8", "replace").split("\0")[:-1]:
        oid, _, body = record.removeprefix("\n").partition("\n")
        pairs = (line.partition(": ") for line in body.split("\n") if line)
        found[ObjectId(oid)] = tuple((key, value) for key, separator, value in pairs if separator)
    return found


def _facts(repo: Repository, trailers: Mapping[ObjectId, tuple[tuple[str, str], ...]]) -> tuple[CommitFacts, ...]:
    found = []
    for oid, kind, raw in repo.objects.read(trailers):
        if kind != "commit":
            raise AssayError(f"object {oid} is a {kind}, not a commit")
        found.append(parse_commit(oid, raw, object_format=repo.layout.object_format, trailers=trailers[oid]))
    return tuple(found)


def _chunks(paths: Sequence[TreePath]) -> Iterator[list[TreePath]]:
    chunk: list[TreePath] = []
    size = 0
    for path in paths:
        if size + len(path) > _PATHS_PER_SPAWN_BYTES:
            yield chunk
            chunk, size = [], 0
        chunk.append(path)
        size += len(path) + 1
    if chunk:
        yield chunk


def _left_blobs(
    repo: Repository, commit: ObjectId, paths: Sequence[TreePath]
) -> Iterator[tuple[TreePath, ObjectId, int]]:
    """Yields (path, blob, committer time) for each blob of these paths that a commit replaced.

    Settings that would change the output of `git log` are overridden one by one.
    """
    listed = repo.git.run(
        [
            *("-c", "log.follow=false", "log", "--first-parent", "--diff-merges=first-parent"),
            *("--encoding=UTF-8", "--format=%ct"),
            *("--raw", "-z", "--no-abbrev", "--no-renames", "--ignore-submodules=none"),
            *("--no-show-signature", "--no-color", "--no-decorate", "--no-notes", commit, "--"),
            *(os.fsdecode(path) for path in paths),
        ]
    )
    left = 0
    fields = iter(listed.split(b"\0"))
    for field in fields:
        head = field.removeprefix(b"\n")
        if head.startswith(b":"):
            old_mode, _, oid = head[1:].split(b" ")[:3]
            path = TreePath(next(fields))
            if old_mode not in (b"000000", b"160000"):
                yield path, ObjectId(oid.decode()), left
        elif head:
            left = int(head)
