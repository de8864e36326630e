"""How do refs move? Only by compare-and-swap, all or none, with a reason in the reflog.

Whether someone was faster is found by reading the ref again, never from git's words. A lock that another process
holds for a moment is waited for; one that stays is reported with its path.
"""

from __future__ import annotations

import random
import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from git_assay.errors import AssayError
from git_assay.git.process import GitFailed
from git_assay.git.repository import Repository
from git_assay.values.ids import ObjectId, RefName
from git_assay.values.text import clean

_LOCK_DEADLINE_S = 3.0
_LOCK_PAUSE_S = 0.02


class RefMoved(AssayError):
    """Someone else moved the ref first. ref, expected, found: None stands for "does not exist"."""

    def __init__(self, ref: RefName, expected: ObjectId | None, found: ObjectId | None) -> None:
        super().__init__(f"{ref} moved: expected {expected or 'no ref'}, found {found or 'no ref'}")
        self.ref = ref
        self.expected = expected
        self.found = found


class RefLocked(AssayError):
    """A lock file stayed for longer than any git command holds one. path: of the lock file."""

    def __init__(self, ref: RefName, path: Path) -> None:
        place = clean(str(path))
        said = f"{ref} is locked: {place} exists; when no git command is running, remove it"
        super().__init__(said, hint=f"rm {shlex.quote(str(path))}")
        self.path = path


@dataclass(frozen=True, slots=True)
class RefUpdate:
    """ref: full name.  new: None deletes.  old: what it must be now; None means that it must not exist."""

    ref: RefName
    new: ObjectId | None
    old: ObjectId | None


def read_refs(repo: Repository, *prefixes: str) -> Mapping[RefName, ObjectId]:
    """Returns the refs at or below any of `prefixes` (whole path parts) with what they hold; sorted by name.

    No prefix means all refs. Tags are not peeled.
    """
    out = repo.git.run(["for-each-ref", "--format=%(objectname) %(refname)", *(prefixes or ("refs/",))])
    lines = out.decode("utf-8", "surrogateescape").split("\n")[:-1]
    return {RefName(name): ObjectId(oid) for oid, _, name in (line.partition(" ") for line in lines)}


def read_ref(repo: Repository, ref: RefName) -> ObjectId | None:
    """Returns what the ref holds, or None when it does not exist."""
    return read_refs(repo, ref).get(ref)


def update_refs(repo: Repository, updates: Sequence[RefUpdate], *, reason: str) -> None:
    """Moves all refs or none. reason: one line for the reflog.

    Raises RefMoved when a ref is not what its update expects, RefLocked for a lock that stays, GitFailed otherwise.
    The user's hooks do not run.
    """
    if not updates:
        return
    command = ["-c", "core.hooksPath=/dev/null", "update-ref", "--create-reflog", "-m", clean(reason), "--stdin", "-z"]
    transaction = _transaction(repo, updates)
    deadline = time.monotonic() + _LOCK_DEADLINE_S
    while True:
        try:
            repo.git.run(command, input=transaction)
            return
        except GitFailed as error:
            _raise_if_moved(repo, updates, error)
            lock = _held_lock(repo, updates)
            if lock is None and error.code != 128:
                raise
            if time.monotonic() >= deadline:
                if lock is None:
                    raise
                raise RefLocked(*lock) from error
            if lock is None and not _worth_retrying(repo, updates):
                raise
        time.sleep(_LOCK_PAUSE_S * (0.5 + random.random()))


def _transaction(repo: Repository, updates: Sequence[RefUpdate]) -> bytes:
    zero = "0" * (64 if repo.layout.object_format == "sha256" else 40)
    body = "".join(f"update {u.ref}\0{u.new or zero}\0{u.old or zero}\0" for u in updates)
    return f"start\0{body}prepare\0commit\0".encode("utf-8", "surrogateescape")


def _raise_if_moved(repo: Repository, updates: Sequence[RefUpdate], error: GitFailed) -> None:
    for update in updates:
        found = read_ref(repo, update.ref)
        if found != update.old:
            raise RefMoved(update.ref, update.old, found) from error


def _held_lock(repo: Repository, updates: Sequence[RefUpdate]) -> tuple[RefName, Path] | None:
    """Returns the first lock file of these refs. **Source:** gitrepository-layout(5); reftable locks its stack."""
    for update in updates:
        for name in (f"{update.ref}.lock", "packed-refs.lock", "reftable/tables.list.lock"):
            path = repo.layout.common_dir / name
            if path.exists():
                return update.ref, path
    return None


def _worth_retrying(repo: Repository, updates: Sequence[RefUpdate]) -> bool:
    """Returns whether a lock may have come and gone: every name and every object of the updates is good."""
    for update in updates:
        if repo.git.call(["check-ref-format", update.ref], ok=(0, 1)).code:
            return False
        if update.new and repo.git.call(["cat-file", "-e", update.new], ok=(0, 1, 128)).code:
            return False
    return True
