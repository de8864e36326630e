"""What is about to be pushed, and since when? Reads the protocol of the pre-push hook.

Each line is `<local ref> <local oid> <remote ref> <remote oid>`; an oid of zeros, of any length, stands for "none".
**Source:** githooks(5), pre-push.
"""

from __future__ import annotations

from dataclasses import dataclass

from git_assay.errors import AssayError
from git_assay.git.repository import Repository
from git_assay.values.ids import ObjectId, RefName
from git_assay.values.text import clean

_OWN_REFS = ("refs/notes/", "refs/assay/")


@dataclass(frozen=True, slots=True)
class PushedRef:
    """One line. local: as git writes it (`HEAD`, `(delete)`, an oid, ...).  new: None deletes.  old: None creates."""

    local: str
    new: ObjectId | None
    remote: RefName
    old: ObjectId | None

    @property
    def is_evidence(self) -> bool:
        """Whether this is a notes ref or one of the tool's own, which no gate judges."""
        return self.remote.startswith(_OWN_REFS)


@dataclass(frozen=True, slots=True)
class PushedCommit:
    """A commit to judge. bases: commits that the remote has already, newest first; empty when none is known here."""

    refs: tuple[RefName, ...]
    commit: ObjectId
    bases: tuple[ObjectId, ...]


def parse(stdin: bytes) -> tuple[PushedRef, ...]:
    """Returns the refs of a push, in git's order; empty input is an up-to-date push. Raises AssayError otherwise."""
    found = []
    for line in stdin.decode("utf-8", "surrogateescape").split("\n"):
        if not line:
            continue
        # The local name may be any expression the user typed, also with spaces: count from the end.
        words = line.rsplit(" ", 3)
        if len(words) != 4 or not _is_oid(words[1]) or not _is_oid(words[3]):
            raise AssayError(f"not a line of the pre-push protocol: '{clean(line)}'")
        found.append(PushedRef(words[0], _oid(words[1]), RefName(words[2]), _oid(words[3])))
    return tuple(found)


def pushed_commits(repo: Repository, refs: tuple[PushedRef, ...], remote: str) -> tuple[PushedCommit, ...]:
    """Returns each pushed commit once, with the refs that receive it.

    Deletions, evidence refs and tags of anything but a commit are left out. remote: name or URL, as the hook gets it.
    """
    names: dict[ObjectId, list[RefName]] = {}
    bases: dict[ObjectId, list[ObjectId]] = {}
    for ref in refs:
        commit = None if ref.new is None or ref.is_evidence else repo.try_resolve(ref.new)
        if commit is None:
            continue
        names.setdefault(commit, []).append(ref.remote)
        known = repo.try_resolve(ref.old) if ref.old else None
        bases.setdefault(commit, []).extend([known] if known else _boundary(repo, commit, remote))
    return tuple(PushedCommit(tuple(names[commit]), commit, tuple(dict.fromkeys(bases[commit]))) for commit in names)


def _boundary(repo: Repository, commit: ObjectId, remote: str) -> list[ObjectId]:
    """Returns the commits of the remote, as far as this clone knows, where the new ones begin."""
    tracked = repo.git.run(["for-each-ref", "--count=1", "--format=x", f"refs/remotes/{remote}/"])
    known = f"--remotes={remote}" if tracked else "--remotes"
    listed = repo.git.run(["rev-list", "--boundary", commit, "--not", known])
    return [ObjectId(line[1:]) for line in listed.decode().split() if line.startswith("-")]


def _is_oid(word: str) -> bool:
    return len(word) in (40, 64) and all(char in "0123456789abcdef" for char in word)


def _oid(word: str) -> ObjectId | None:
    return None if set(word) == {"0"} else ObjectId(word)
