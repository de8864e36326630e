"""Where do verbs that read records find them?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_assay.cli.judging import evidence_for, trusted_snapshot
from git_assay.cli.naming import named
from git_assay.cli.session import Session

if TYPE_CHECKING:
    from git_assay.evidence.model import Evidence, Refused


def evidence_here(session: Session) -> Evidence:
    """Returns all evidence of this clone under the keyring of the target branch's tip, HEAD's where that has none.

    Raises AssayError without a commit and without `.assay/`.
    """
    repository = session.repository()
    snapshot = trusted_snapshot(session, repository.snapshot_of(repository.head_commit()))
    with named(session, "HEAD"):
        return evidence_for(session, snapshot, now=session.now())[0]


def find_refused(evidence: Evidence, prefix: str) -> Refused | None:
    """Returns the record that does not count and whose id begins so, None when there is none or one that counts."""
    wanted = prefix.lower()
    if any(name.startswith(wanted) for name in evidence.records):
        return None
    found = [item for item in evidence.refused if item.id is not None and item.id.startswith(wanted)]
    return found[0] if found else None
