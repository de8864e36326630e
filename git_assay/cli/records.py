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


def require_declared(session: Session, module: str) -> None:
    """Raises UnknownModule when no card of HEAD declares a module of which there are no records."""
    from git_assay.cli.context import snapshot_of
    from git_assay.modules.load import load_declarations
    from git_assay.modules.unknown import UnknownModule
    from git_assay.values.ids import ASSAY_SUBJECT, UNOWNED_SUBJECT

    declared = {*load_declarations(snapshot_of(session, "HEAD")).cards, ASSAY_SUBJECT, UNOWNED_SUBJECT}
    if module not in declared:
        raise UnknownModule(module, declared)


def find_refused(evidence: Evidence, prefix: str) -> Refused | None:
    """Returns the record that does not count and whose id begins so, None when there is none or one that counts."""
    wanted = prefix.lower()
    if any(name.startswith(wanted) for name in evidence.records):
        return None
    found = [item for item in evidence.refused if item.id is not None and item.id.startswith(wanted)]
    return found[0] if found else None
