"""What is built from a session, and how do the parts fit together? The composition root.

Everything is imported when it is asked for: a verb pays for what it uses.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from git_assay.cli.naming import INDEX, WORKTREE, named
from git_assay.cli.session import Session

if TYPE_CHECKING:
    from git_assay.cones.analysis import Analysis
    from git_assay.evidence.keyring import Keyring
    from git_assay.evidence.model import Evidence
    from git_assay.git.snapshot import BlobReader, Snapshot
    from git_assay.graph.store import FactStore
    from git_assay.signing.signer import Signer


def cache_folder(session: Session) -> Path:
    """Returns where caches are: shared by all worktrees, and free to be deleted."""
    return session.repository().layout.common_dir / "assay"


def snapshot_of(session: Session, name: str) -> Snapshot:
    """Returns the snapshot of a revision (commit or tree), or of INDEX or WORKTREE.

    Raises AssayError when there is no such thing.
    """
    repository = session.repository()
    if name in (INDEX, WORKTREE):
        from git_assay.git.snapshots import index_snapshot, worktree_snapshot

        return index_snapshot(repository) if name == INDEX else worktree_snapshot(repository)
    return repository.snapshot(repository.tree_of(name))


def fact_store(session: Session, reader: BlobReader | None = None) -> FactStore:
    """Returns the fact store. reader: of a snapshot with objects of its own, None = the repository's.

    All trees of the repository's own objects share one store, so that what two trees have in common is read once.
    """
    from git_assay.graph.store import FactStore

    objects = session.repository().objects
    cache = cache_folder(session) / "facts.sqlite"
    if reader is not None and reader is not objects:
        return FactStore(cache, lambda: reader)
    if session.store is None:
        session.store = FactStore(cache, lambda: objects)
    return session.store


def analysis_of(session: Session, snapshot: Snapshot) -> Analysis:
    """Returns the analysis of a snapshot. Raises NotAdopted without `.assay/`, DocumentProblems for wrong cards."""
    from git_assay.cones.analysis import analyze, open_tree_cache

    trees = open_tree_cache(cache_folder(session) / "trees")
    return analyze(snapshot, fact_store(session, snapshot.reader), trees=trees)


def analysis_at(session: Session, name: str) -> Analysis:
    """Returns the analysis of a revision, INDEX or WORKTREE. Raises as `snapshot_of` and `analysis_of` do."""
    with named(session, name):
        return analysis_of(session, snapshot_of(session, name))


def keyring_of(session: Session, snapshot: Snapshot) -> Keyring:
    """Returns whose records count according to one tree (the tip of the target branch when something is judged).

    Raises NotAdopted without `.assay/`. A config that cannot be read names no repository, so that no record counts.
    """
    from git_assay.cones.analysis import config_of, open_tree_cache
    from git_assay.evidence.keyring import make_keyring
    from git_assay.values.ids import RepositoryId, TreePath

    signers, revoked = TreePath(b".assay/allowed_signers"), TreePath(b".assay/revoked_keys")
    texts = snapshot.read_many(path for path in (signers, revoked) if path in snapshot.entries)
    config = config_of(snapshot, open_tree_cache(cache_folder(session) / "trees"))
    return make_keyring(
        allowed_signers=texts.get(signers, b""),
        revoked_keys=texts.get(revoked),
        repository=RepositoryId(config.repository),
    )


def evidence_under(session: Session, keyring: Keyring, *, now: datetime) -> Evidence:
    """Returns all evidence of this clone, verified under a keyring."""
    from git_assay.evidence.read import read_evidence

    return read_evidence(session.repository(), keyring, now=now, index=cache_folder(session) / "index.sqlite")


def signer_of(session: Session) -> Signer:
    """Returns the user's signer, found as git finds signing keys. Raises NoKey when there is none."""
    from git_assay.cli.keys import with_a_key_at_hand
    from git_assay.git import config
    from git_assay.signing.keys import KeyConfig, NoKey, find_key

    repository = session.repository()
    chosen = KeyConfig(
        assay_key=config.get_path(repository, "assay.signingKey"),
        user_key=config.get_path(repository, "user.signingKey"),
        gpg_format=config.get(repository, "gpg.format"),
        home=Path(session.env.get("HOME", "/")),
    )
    try:
        return find_key(chosen, session.env)
    except NoKey as error:
        raise with_a_key_at_hand(session, error) from error
