"""Which commits make up a change, who proved to have made them, and what did the target's history hold before?

The composition beneath `RangeFacts`: it reads commits through the git door and verifies their signatures through the
signing door. A commit's own words are passed on as words. **Source:** design 40-gate §3.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from git_assay.cones.analysis import Analysis
from git_assay.errors import AssayError
from git_assay.gate.facts import RangeCommit
from git_assay.git.commits import CommitFacts
from git_assay.git.history import PastBlob, commits_between, past_blobs
from git_assay.git.merge import Conflicts, merge_bases, merge_result
from git_assay.git.repository import Repository
from git_assay.git.snapshot import Snapshot
from git_assay.signing.allowed_signers import Signers
from git_assay.signing.public_key import PublicKey
from git_assay.signing.sshsig import dearmor, parse_sshsig
from git_assay.signing.verification import verify_sshsig
from git_assay.status.changes import changed_paths
from git_assay.values.ids import ObjectId, Principal, TreePath
from git_assay.values.text import path_text

_COMMITS = "git"  # the namespace in which git signs commits


def change_side(repo: Repository, target: ObjectId, head: ObjectId) -> ObjectId:
    """Returns the commit whose history is the change: past a merge commit that adds nothing of its own.

    A host's merge commit is made by the host; where its tree is exactly what merging its parents gives, nobody wrote
    it, and its committer is no author.
    """
    parents = next(iter(commits_between(repo, target, head)[-1:]), None)
    if parents is None or parents.oid != head or len(parents.parents) != 2 or parents.parents[0] != target:
        return head
    merged = merge_result(repo, target, parents.parents[1])
    made_by_nobody = not isinstance(merged, Conflicts) and merged.tree == parents.tree
    return parents.parents[1] if made_by_nobody else head


def range_commits(
    repo: Repository, target: ObjectId, head: ObjectId, signers: Signers, *, now: datetime
) -> tuple[RangeCommit, ...]:
    """Returns the commits reachable from `head` and not from `target`, each with the person who provably signed it."""
    return tuple(_commit(facts, signers, now=now) for facts in commits_between(repo, target, head))


def left_contents(repo: Repository, target: ObjectId, base: Analysis, result: Analysis) -> Mapping[str, datetime]:
    """Returns, by piece, when the target's first-parent history last left what the result has there.

    For a path that the result deletes, and that came back before: when its present content was left the last time
    (an approval of the earlier deletion is older than that). Of a file whose symbols are shared out each part is looked
    for by itself: a revert that is applied again in part makes a file that never was.
    """
    paths = changed_paths(base, result)
    found: dict[str, datetime] = {}
    past = past_blobs(repo, target, paths)
    for path in paths:
        entry = result.snapshot.entries.get(path) or base.snapshot.entries.get(path)
        times = [blob.left for blob in past.get(path, ()) if entry is not None and blob.oid == entry.oid]
        if times:
            found[path_text(path)] = _moment(max(times))
        found |= _left_parts(path, past.get(path, ()), base, result)
    return found


def _left_parts(path: TreePath, past: Iterable[PastBlob], base: Analysis, result: Analysis) -> Mapping[str, datetime]:
    """Returns the same for the symbols of one path; what the result has of a piece goes before what the base has."""
    found: dict[str, datetime] = {}
    for side in (base, result):
        symbols = [symbol for owned, symbol in side.ownership.symbols if owned == path]
        if not symbols or path not in side.graph.files:
            continue
        before = [(blob.left, side.parts_of(path, blob.oid, symbols)) for blob in past]
        for piece, value in side.parts_of(path, side.snapshot.entries[path].oid, symbols).items():
            found.pop(piece, None)
            times = [left for left, parts in before if parts.get(piece) == value]
            if times:
                found[piece] = _moment(max(times))
    return found


def _moment(seconds: int) -> datetime:
    """Returns the time of a commit; what no calendar knows is the end of time, after which nobody can have looked."""
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError):
        return datetime.max.replace(tzinfo=UTC)


def had_assay_before(repo: Repository, target: ObjectId) -> bool:
    """Returns whether a first-parent ancestor of the target had `.assay/` and lost it."""
    paths = (TreePath(b".assay/config.yml"), TreePath(b".assay/policy.yml"))
    return any(past_blobs(repo, target, paths).values())


def merged_snapshot(repo: Repository, target: ObjectId, head: ObjectId) -> Snapshot:
    """Returns the merge result. Raises AssayError, naming every path, where there is a conflict."""
    merged = merge_result(repo, target, head)
    if isinstance(merged, Conflicts):
        if merged.unrelated:
            if repo.layout.shallow:
                said = "this clone is shallow and holds no history that the change and its target share"
                raise AssayError(said, hint="git fetch --unshallow")
            joined = f"git merge --allow-unrelated-histories {target[:12]}"
            raise AssayError("the change and its target share no history", hint=joined)
        listed = "".join(f"\n  {path_text(path)}" for path in merged.paths)
        raise AssayError(f"the change conflicts with its target in{listed}", hint=f"git merge {target[:12]}")
    return merged


def is_complete(repo: Repository, target: ObjectId, head: ObjectId) -> bool:
    """Returns whether the whole history of the change is in this clone."""
    return not repo.layout.shallow and bool(merge_bases(repo, target, head))


def _commit(facts: CommitFacts, signers: Signers, *, now: datetime) -> RangeCommit:
    return RangeCommit(
        facts.oid,
        facts.author.email,
        facts.committer.email,
        tuple(email for _, email in facts.co_authors),
        frozenset(key.casefold() for key, _ in facts.trailers),
        _signer(facts, signers, now=now),
    )


def _signer(facts: CommitFacts, signers: Signers, *, now: datetime) -> Principal | None:
    """Returns who provably signed a commit. Any doubt, OpenPGP included, is None: that only adds requirements."""
    if facts.signature is None or facts.signed_payload is None:
        return None
    try:
        signature = parse_sshsig(dearmor(facts.signature), namespace=_COMMITS)
        verify_sshsig(signature, facts.signed_payload, namespace=_COMMITS)
    except AssayError:
        return None
    return _principal(signature.key, signers, now=now)


def _principal(key: PublicKey, signers: Signers, *, now: datetime) -> Principal | None:
    """Returns the one plain name that lists a key today. Its namespaces say what records it may sign, not who it is."""
    names = {
        name
        for line in signers.lines
        if line.key == key and not line.authority
        if (line.valid_after is None or line.valid_after <= now)
        and (line.valid_before is None or now <= line.valid_before)
        for name in line.principals
    }
    if not names or any(char in name for name in names for char in "*?!"):
        return None
    return Principal(min(names))
