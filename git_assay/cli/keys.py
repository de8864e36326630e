"""Where do new keys go, whose are they, and how does a line of allowed_signers look?"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from git_assay.cli.session import Session
from git_assay.errors import AssayError, ErrorKind
from git_assay.values.text import clean

if TYPE_CHECKING:
    from git_assay.signing.keys import NoKey
    from git_assay.signing.public_key import PublicKey

# What ssh-keygen reads as one principal and not as a pattern, a list or a comment.
_PRINCIPAL = re.compile(r"[^\s,\"#*?!]{1,200}")


def default_path(session: Session) -> Path:
    """Returns where a new key goes without `--file`. Raises AssayError without a home directory."""
    home = session.env.get("HOME")
    if not home:
        raise AssayError("there is no HOME to keep a key in", hint="git assay key new --file ~/git-assay-key")
    return Path(home) / ".ssh" / "git-assay"


def with_a_key_at_hand(session: Session, error: NoKey) -> NoKey:
    """Returns the error with a hint that works: a key at the default place is used, not made."""
    from git_assay.signing.keys import NoKey

    home = session.env.get("HOME")
    # os.path.exists, since a home that may not be entered holds no key for this user
    if not home or not os.path.exists(default_path(session)):
        return error
    return NoKey(error.message, hint=f"git config assay.signingKey {shlex.quote(str(default_path(session)))}")


def refuse_inside_a_repository(path: Path) -> None:
    """Raises AssayError when a private key would lie where it could be committed."""
    for folder in path.absolute().parents:
        if (folder / ".git").exists():
            raise AssayError(
                f"{clean(str(path))} is inside the repository {clean(str(folder))}, where it could be committed",
                hint="git assay key new --file ~/.ssh/git-assay",
                kind=ErrorKind.USAGE,
            )


def principal_of(session: Session, given: str | None) -> str:
    """Returns the principal: as given, else git's user.email. Raises AssayError when it is no single principal."""
    from git_assay.git.process import Git

    found = given
    if found is None:
        git = Git.find(session.cwd, session.env)
        found = git.line(["config", "--get", "user.email"], ok=(0, 1))
    if not _PRINCIPAL.fullmatch(found):
        raise AssayError(
            f"not a principal: {clean(found)!r}" if found else "whose key is this? git does not know your user.email",
            hint="git assay key new --principal you@example.com",
            kind=ErrorKind.USAGE,
        )
    return found


def signer_line(principal: str, key: PublicKey) -> str:
    """Returns the line of allowed_signers. **Source:** ssh-keygen(1) ALLOWED SIGNERS."""
    return f'{principal} namespaces="git-assay" {key.text}'
