"""How are blobs, trees and commits written, and trees listed?

Trees are written bottom-up in one `git mktree --batch`: their ids are computed here and compared with what git says.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from git_assay.errors import AssayError
from git_assay.git.commits import CommitFacts
from git_assay.git.history import read_commits
from git_assay.git.repository import Repository
from git_assay.git.scratch import Scratch
from git_assay.git.snapshot import MODE_SUBMODULE, Entry
from git_assay.git.trees import MODE_TREE, read_tree
from git_assay.values.ids import ObjectId, TreePath
from git_assay.values.text import path_text

_FALLBACK_NAME = "git assay"
_FALLBACK_EMAIL = "git-assay@localhost"


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a commit is by. when: `<seconds since 1970> <zone>`, None for now."""

    name: str
    email: str
    when: str | None = None


@dataclass(slots=True)
class _Folder:
    files: dict[bytes, Entry] = field(default_factory=dict)
    folders: dict[bytes, _Folder] = field(default_factory=dict)


def write_blob(repo: Repository, data: bytes) -> ObjectId:
    """Writes the bytes as they are (no filters). Returns the blob's id."""
    return ObjectId(repo.git.run(["hash-object", "-w", "--stdin"], input=data).decode().strip())


def write_blobs(repo: Repository, contents: Sequence[bytes]) -> tuple[ObjectId, ...]:
    """Writes many blobs in one spawn. Returns their ids in the same order."""
    if len(contents) < 2:
        return tuple(write_blob(repo, data) for data in contents)
    scratch = Scratch()
    files = [scratch.path / str(number) for number in range(len(contents))]
    for file, data in zip(files, contents, strict=True):
        file.write_bytes(data)
    listing = "".join(f"{file}\n" for file in files)
    out = repo.git.run(["hash-object", "-w", "--no-filters", "--stdin-paths"], input=os.fsencode(listing))
    return tuple(ObjectId(line) for line in out.decode().split())


def write_tree(repo: Repository, entries: Mapping[TreePath, Entry]) -> ObjectId:
    """Writes the tree of these paths, with the trees below it. Returns its id.

    An entry of mode 040000 places a whole existing tree. Raises AssayError for a path that no tree can hold, and when
    one path would be both file and directory.
    """
    root = _Folder()
    for path, entry in entries.items():
        _place(root, path, entry)
    records: list[bytes] = []
    tree = _serialize(root, repo.layout.object_format, records)
    # With -z an empty record ends one tree; objects need not be here (a partial clone, a submodule's commit).
    written = repo.git.run(["mktree", "-z", "--batch", "--missing"], input=b"".join(records))
    if not written.decode().split()[-1:] == [tree]:
        raise AssayError(f"git wrote another tree than {tree}")
    return tree


def list_tree(repo: Repository, tree: str, *, recursive: bool = True) -> dict[TreePath, Entry]:
    """Returns the entries by path; with `recursive=False` one level, trees included (mode 040000)."""
    return read_tree(repo.git, ObjectId(tree), recursive=recursive)


def write_commit(
    repo: Repository,
    tree: ObjectId,
    parents: Sequence[ObjectId],
    message: str,
    *,
    identity: Identity | None = None,
) -> ObjectId:
    """Writes an unsigned commit; no hook runs. Returns its id.

    identity: of author and committer; None means the user's as git knows it, else `git assay <git-assay@localhost>`.
    """
    who = identity or _fallback(repo)
    env = {} if who is None else _identity_environment(who)
    parent_options = [word for parent in parents for word in ("-p", parent)]
    command = ["-c", "i18n.commitEncoding=UTF-8", "commit-tree", "--no-gpg-sign", *parent_options, "-F", "-", tree]
    return ObjectId(repo.git.run(command, input=message.encode("utf-8", "replace"), env=env).decode().strip())


def read_commit(repo: Repository, oid: ObjectId) -> CommitFacts:
    """Returns the facts of one commit. Raises AssayError when it is missing or no commit."""
    return read_commits(repo, (oid,))[0]


def _fallback(repo: Repository) -> Identity | None:
    """Returns None when git has an identity for both roles, which it then uses itself."""
    for role in ("GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"):
        if repo.git.call(["var", role], ok=(0, 1, 128)).code:
            return Identity(_FALLBACK_NAME, _FALLBACK_EMAIL, f"{int(time.time())} +0000")
    return None


def _identity_environment(who: Identity) -> Mapping[str, str]:
    env = {
        "GIT_AUTHOR_NAME": who.name,
        "GIT_AUTHOR_EMAIL": who.email,
        "GIT_COMMITTER_NAME": who.name,
        "GIT_COMMITTER_EMAIL": who.email,
    }
    return env if who.when is None else {**env, "GIT_AUTHOR_DATE": who.when, "GIT_COMMITTER_DATE": who.when}


def _place(root: _Folder, path: TreePath, entry: Entry) -> None:
    *above, name = path.split(b"/")
    if not all(_is_name(part) for part in (*above, name)):
        raise AssayError(f"no tree can hold the path {path_text(path)}")
    folder = root
    for part in above:
        if part in folder.files:
            raise AssayError(f"{path_text(path)} lies below a file")
        folder = folder.folders.setdefault(part, _Folder())
    if name in folder.folders or name in folder.files:
        raise AssayError(f"{path_text(path)} is named twice, or is a file and a directory")
    folder.files[name] = entry


def _is_name(part: bytes) -> bool:
    return part not in (b"", b".", b"..") and part.lower() != b".git" and b"\0" not in part


def _serialize(folder: _Folder, object_format: str, records: list[bytes]) -> ObjectId:
    """Appends the mktree input of the trees below, then of this one. Returns this one's id."""
    entries = dict(folder.files)
    for name, below in folder.folders.items():
        entries[name] = Entry(MODE_TREE, _serialize(below, object_format, records))
    # **Source:** git's tree order: by name, a directory as if it ended with a slash.
    ordered = sorted(entries.items(), key=lambda item: item[0] + b"/" if item[1].mode == MODE_TREE else item[0])
    raw = b"".join(b"%o %s\0%s" % (entry.mode, name, bytes.fromhex(entry.oid)) for name, entry in ordered)
    records.append(b"".join(_mktree_line(name, entry) for name, entry in ordered) + b"\0")
    hasher = hashlib.new(object_format, b"tree %d\0" % len(raw), usedforsecurity=False)
    hasher.update(raw)
    return ObjectId(hasher.hexdigest())


def _mktree_line(name: bytes, entry: Entry) -> bytes:
    kind = b"tree" if entry.mode == MODE_TREE else b"commit" if entry.mode == MODE_SUBMODULE else b"blob"
    return b"%06o %s %s\t%s\0" % (entry.mode, kind, entry.oid.encode(), name)
