"""Does this clone see the evidence of its remotes, and how is it made to?"""

from __future__ import annotations

import sys
from collections.abc import Sized

from git_assay.cli.session import Session
from git_assay.values.text import clean

EVIDENCE = "refs/notes/assay-evidence/*"


def track_evidence(session: Session) -> tuple[str, ...]:
    """Makes each remote's fetch bring its evidence to tracking refs; returns the remotes.

    Never a refspec that targets `refs/notes/*`: a plain fetch would overwrite evidence that is not pushed yet.
    **Source:** design 30-evidence §3.
    """
    from git_assay.git import config

    remotes = _remotes(session)
    for remote in remotes:
        config.add_local(session.repository(), f"remote.{remote}.fetch", tracking(remote))
    return remotes


def tracking(remote: str) -> str:
    """Returns the refspec that brings a remote's evidence to tracking refs."""
    return f"+{EVIDENCE}:refs/assay/remotes/{remote}/*"


def note_unseen(session: Session, tips: Sized) -> None:
    """Says on stderr how to fetch evidence, where there is none here and fetches bring none. tips: of the logs here.

    A fresh clone has no evidence, since git fetches branches only, and nothing else in an answer would tell.
    """
    from git_assay.git import config

    if tips:
        return
    for remote in _remotes(session):
        if not any(EVIDENCE in spec for spec in config.get_all(session.repository(), f"remote.{remote}.fetch")):
            name = clean(remote)
            sys.stderr.write(f"note: this clone has no evidence, and its fetches bring none of {name}\n")
            setting = f"git config --add remote.{name}.fetch '{clean(tracking(remote))}'"
            sys.stderr.write(f"hint: {setting} && git fetch {name}\n")


def _remotes(session: Session) -> tuple[str, ...]:
    return tuple(session.repository().git.run(["remote"]).decode("utf-8", "surrogateescape").split())
