"""How does a repository adopt: with which key, which files, which settings?"""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from git_assay.cli.context import fact_store, signer_of, snapshot_of
from git_assay.cli.keys import default_path, principal_of
from git_assay.cli.naming import WORKTREE
from git_assay.cli.session import Session
from git_assay.errors import AssayError, ErrorKind
from git_assay.values.text import clean, path_text

if TYPE_CHECKING:
    from git_assay.adopt.propose import Proposal


@dataclass(frozen=True, slots=True)
class Key:
    """The key to sign with. file: of a key that is still to be made, None for one that is there.  public: its text."""

    public: str | None
    file: Path | None


def find_key(session: Session) -> Key:
    """Returns the key that is configured, else the one at the default place, else the place of one to be made."""
    try:
        return Key(signer_of(session).public_key.text, None)
    except AssayError:  # no key is configured: the default place is next
        place = default_path(session)
    if os.path.exists(place):  # False also where the folder may not be entered
        from git_assay.signing.keys import load_key

        return Key(load_key(place, session.env).public_key.text, place)
    return Key(None, place)


def work_out(session: Session, *, principal: str | None, public_key: str | None) -> Proposal:
    """Returns the proposal for the working directory. Raises AssayError when it has adopted already."""
    from git_assay.adopt.propose import Adopter, propose
    from git_assay.git.repository import NO_WORK_TREE_HINT
    from git_assay.modules.scope import is_adopted

    if session.repository().layout.work_tree is None:
        raise AssayError("a bare repository has no working directory to write cards into", hint=NO_WORK_TREE_HINT)
    snapshot = snapshot_of(session, WORKTREE)
    if is_adopted(snapshot):
        raise AssayError("there is an .assay/ already", hint="git assay check", kind=ErrorKind.USAGE)
    who = principal_of(session, principal)
    adopter = Adopter(who, secrets.token_hex(16), public_key, session.now().date())
    return propose(snapshot, adopter, fact_store(session, snapshot.reader))


def require_room(session: Session, proposal: Proposal) -> Mapping[Path, bytes]:
    """Returns where every proposed file would be written. Raises AssayError when one is there (ignored files, too)."""
    top = session.repository().layout.work_tree
    if top is None:
        raise AssayError("a bare repository has no working directory")
    places = {}
    for path, data in proposal.files.items():
        file = top / os.fsdecode(path)
        if not file.parent.resolve().is_relative_to(top.resolve()):
            raise AssayError(f"{path_text(path)} would lie outside the working directory")
        if os.path.lexists(file):
            raise AssayError(f"{path_text(path)} exists, and nothing is overwritten; nothing was written")
        places[file] = data
    return places


def write_files(session: Session, proposal: Proposal) -> None:
    """Writes every proposed file; a file that appeared in the meantime is never overwritten (AssayError)."""
    for file, data in require_room(session, proposal).items():
        file.parent.mkdir(parents=True, exist_ok=True)
        try:
            with file.open("xb") as new:
                new.write(data)
        except OSError as error:
            raise AssayError(f"cannot write {clean(str(file))}: {error.strerror}") from error
