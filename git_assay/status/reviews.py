"""Is a change covered by reviews, that is by a chain of seen pairs from the old content to the new?

A review signs pairs (piece, old digest -> new digest). A change old -> new is covered

1. when approvals of admitted principals form a path of links from `old` to `new`, each link younger than `max_age`,
   the path not longer than `bound` links; the links may be of several people;
2. for `count` above one, when that many distinct people each have such a path of their own; principals that share a
   key are one person;
3. leaving out every link one of whose ends somebody rejected and has not superseded;
4. where the target's history already left the new content once, when the last link was signed after it left.

Unchanged content needs no review. No link is *lacking*, never vacuous.
**Source:** design 40-gate §1 "Chains", 45-teams "Reviews are of diffs, and compose".
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from git_assay.evidence.model import Evidence, Record
from git_assay.evidence.records import PredicateType, Review
from git_assay.status.changes import PieceChange
from git_assay.status.superseding import superseded_ids
from git_assay.values.ids import Digest, Principal, RecordId

State = Digest | None


@dataclass(frozen=True, slots=True)
class Link:
    """One approved pair of one piece. via: `signed` or `host`."""

    record: RecordId
    principal: Principal
    module: str
    old: State
    new: State
    time: datetime
    via: str


@dataclass(frozen=True, slots=True, eq=False)
class ReviewIndex:
    """All valid reviews by piece. rejected: contents that a valid reject names, with the reject that does."""

    links: Mapping[str, tuple[Link, ...]]
    rejected: Mapping[tuple[str, State], tuple[RecordId, ...]]


@dataclass(frozen=True, slots=True)
class ChainRule:
    """principals: who counts, each with the person behind the name (principals that share a key are one person).

    modules: for which module or subject the pair must have been signed, None = any.  bound: links.
    via: how the review came.
    """

    principals: Mapping[Principal, Principal]
    modules: frozenset[str] | None
    count: int
    max_age: timedelta
    bound: int
    via: frozenset[str] = frozenset({"signed"})


@dataclass(frozen=True, slots=True)
class Covered:
    """records: those that cover, in order of principal and link."""

    records: tuple[RecordId, ...]
    principals: tuple[Principal, ...]


@dataclass(frozen=True, slots=True)
class Uncovered:
    """have: distinct principals who cover the whole change.  rejected: rejects in the way.

    near: links on this piece that were not enough, with the reason in words.
    """

    have: int
    rejected: tuple[RecordId, ...]
    near: tuple[tuple[RecordId, str], ...]


def index_reviews(evidence: Evidence) -> ReviewIndex:
    """Returns the reviews of all verified records by piece; a superseded review of the same log does not count."""
    superseded = superseded_ids(evidence)
    links: dict[str, list[Link]] = {}
    rejected: dict[tuple[str, State], list[RecordId]] = {}
    for record in evidence.records.values():
        review = record.statement.predicate.review
        if record.type is not PredicateType.REVIEW or review is None or record.id in superseded:
            continue
        if review.verdict == "reject":
            for seen in review.seen:
                rejected.setdefault((seen.piece, _state(seen.new)), []).append(record.id)
        elif review.verdict == "approve":
            _add_links(record, review, links)
    return ReviewIndex(
        {piece: tuple(found) for piece, found in links.items()},
        {key: tuple(found) for key, found in rejected.items()},
    )


def cover(
    change: PieceChange, index: ReviewIndex, rule: ChainRule, *, now: datetime, left_at: datetime | None = None
) -> Covered | Uncovered:
    """Returns whether a change is covered under a rule.

    left_at: when the target's first-parent history last left `change.new`, None = it never held it.
    """
    if change.old == change.new:
        return Covered((), ())
    links, near = _countable(change, index, rule, now)
    if left_at is not None:
        near = (*near, *((link.record, "signed before the target left this content") for link in links
                         if link.new == change.new and link.time <= left_at))  # fmt: skip
        links = tuple(link for link in links if link.new != change.new or link.time > left_at)
    if rule.count == 1:
        path = _shortest(change, links, rule.bound)
        if path:
            return Covered(_ids(path), _who(path))
        return Uncovered(0, _rejects(change, index, links), near)
    paths: dict[Principal, tuple[Link, ...]] = {}
    for person in sorted(set(rule.principals.values())):
        own = tuple(link for link in links if rule.principals[link.principal] == person)
        path = _shortest(change, own, rule.bound)
        if path:
            paths[person] = path
    if len(paths) >= rule.count:
        return Covered(tuple(dict.fromkeys(name for path in paths.values() for name in _ids(path))), tuple(paths))
    return Uncovered(len(paths), _rejects(change, index, links), near)


def _add_links(record: Record, review: Review, links: dict[str, list[Link]]) -> None:
    for seen in review.seen:
        link = Link(
            record.id, record.principal, seen.module, _state(seen.old), _state(seen.new), record.time, review.via
        )
        links.setdefault(seen.piece, []).append(link)


def _countable(
    change: PieceChange, index: ReviewIndex, rule: ChainRule, now: datetime
) -> tuple[tuple[Link, ...], tuple[tuple[RecordId, str], ...]]:
    """Returns the links that may be used and, for those that may not, why."""
    good: list[Link] = []
    near: list[tuple[RecordId, str]] = []
    for link in index.links.get(change.piece, ()):
        reason = _refusal(link, change.piece, index, rule, now)
        if reason is None:
            good.append(link)
        else:
            near.append((link.record, reason))
    return tuple(good), tuple(near)


def _refusal(link: Link, piece: str, index: ReviewIndex, rule: ChainRule, now: datetime) -> str | None:
    if link.principal not in rule.principals:
        return f"{link.principal} is not one of those who may"
    if rule.modules is not None and link.module not in rule.modules:
        return f"signed for {link.module}"
    if link.via not in rule.via:
        return f"came by way of {link.via}"
    if now - link.time > rule.max_age:
        return "too old"
    if (piece, link.old) in index.rejected or (piece, link.new) in index.rejected:
        return "cut by a reject"
    return None


def _shortest(change: PieceChange, links: tuple[Link, ...], bound: int) -> tuple[Link, ...]:
    """Returns the shortest path of links from old to new, () when there is none within the bound."""
    outgoing: dict[State, list[Link]] = {}
    for link in sorted(links, key=lambda link: (link.time, link.record), reverse=True):
        outgoing.setdefault(link.old, []).append(link)
    paths: dict[State, tuple[Link, ...]] = {change.old: ()}
    queue = deque([change.old])
    while queue:
        state = queue.popleft()
        path = paths[state]
        if len(path) == bound:
            continue
        for link in outgoing.get(state, ()):
            if link.new == change.new:
                return (*path, link)
            if link.new not in paths:
                paths[link.new] = (*path, link)
                queue.append(link.new)
    return ()


def _rejects(change: PieceChange, index: ReviewIndex, links: Iterable[Link]) -> tuple[RecordId, ...]:
    states = {change.old, change.new} | {link.old for link in links} | {link.new for link in links}
    found = [name for state in states for name in index.rejected.get((change.piece, state), ())]
    return tuple(sorted(set(found)))


def _state(text: str | None) -> State:
    return None if text is None else Digest(text)


def _ids(path: tuple[Link, ...]) -> tuple[RecordId, ...]:
    return tuple(dict.fromkeys(link.record for link in path))


def _who(path: tuple[Link, ...]) -> tuple[Principal, ...]:
    return tuple(dict.fromkeys(link.principal for link in path))
