"""What does a verb that signs need at hand: tree, evidence, key, principal?"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from git_assay.cli.context import analysis_at, signer_of
from git_assay.cli.judging import evidence_for, trusted_snapshot
from git_assay.cli.session import Session
from git_assay.errors import AssayError
from git_assay.values.text import clean

if TYPE_CHECKING:
    from git_assay.attest.occasion import Occasion
    from git_assay.attest.plan import Author
    from git_assay.cones.analysis import Analysis
    from git_assay.evidence.model import Evidence
    from git_assay.evidence.statement import Unsigned
    from git_assay.signing.allowed_signers import Signers
    from git_assay.signing.public_key import PublicKey
    from git_assay.signing.signer import Signer
    from git_assay.values.ids import ObjectId, Principal, RecordId


@dataclass(frozen=True, slots=True, eq=False)
class Desk:
    """commit: what statements are about.  evidence: of this clone, under the keyring that is trusted."""

    session: Session
    commit: ObjectId
    analysis: Analysis
    evidence: Evidence
    signer: Signer
    author: Author

    @property
    def occasion(self) -> Occasion:
        """What all statements of this command have in common; its time is now."""
        from git_assay.attest.occasion import Occasion
        from git_assay.values.ids import RepositoryId

        config = self.analysis.declarations.config
        return Occasion(
            repository=RepositoryId(config.repository),
            principal=self.author.principal,
            time=self.session.now(),
            commit=self.commit,
            tree=self.analysis.tree,
            extractor=config.extractor,
        )


def open_desk(session: Session, commit: ObjectId) -> Desk:
    """Returns the desk for a commit. Raises AssayError without `.assay/`, without a key, or for a key of nobody."""
    from git_assay.attest.plan import Author

    analysis = analysis_at(session, commit)
    signer = signer_of(session)
    evidence, trusted = read_all(session, analysis)
    _, own = evidence_for(session, analysis.snapshot, now=session.now())
    author = Author(_principal(signer.public_key, (trusted, own)), signer.public_key.log)
    if author.principal not in trusted.principals_of(signer.public_key):
        # Signed all the same: the record counts as soon as the key is listed where it must be.
        sys.stderr.write("note: the target branch does not list this key yet, so what it signs does not count there\n")
    return Desk(session, commit, analysis, evidence, signer, author)


def read_all(session: Session, analysis: Analysis) -> tuple[Evidence, Signers]:
    """Returns all evidence of this clone under the keyring that is trusted, and that keyring's signers."""
    return evidence_for(session, trusted_snapshot(session, analysis.snapshot), now=session.now())


def write(desk: Desk, statements: Sequence[Unsigned]) -> tuple[tuple[RecordId, ...], ...]:
    """Signs and writes statements, and makes the view anew. Returns the ids of each one's records."""
    from git_assay.cli.viewing import refresh_view_quietly
    from git_assay.evidence.publish import publish

    if not statements:
        return ()
    require_room(desk.session)
    published = publish(desk.session.repository(), statements, desk.signer)
    refresh_view_quietly(desk.session, desk.analysis)
    return tuple(one.ids for one in published)


def require_room(session: Session) -> None:
    """Raises AssayError when this user cannot write evidence: before checks run for nothing."""
    objects = session.repository().layout.objects
    if not os.access(objects, os.W_OK):
        said = f"evidence cannot be written: {clean(str(objects))} is not writable by you"
        raise AssayError(said, hint=f"ls -ld {shlex.quote(str(objects))}")


def interactive() -> bool:
    """Returns whether a person is there to see and to answer."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def _principal(key: PublicKey, known: Sequence[Signers]) -> Principal:
    from git_assay.values.ids import Principal

    names = [name for signers in known for name in signers.principals_of(key)]
    if not names:
        raise AssayError(f"the key {key.fingerprint} is nobody's in .assay/allowed_signers", hint="git assay key add")
    if any(sign in names[0] for sign in "*?!"):
        raise AssayError(f"allowed_signers lists this key for a pattern ({names[0]}), not for one principal")
    return Principal(names[0])
