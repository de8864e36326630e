"""What does a review sign?

The pairs that the reviewer saw (seen.py), in records small enough for a line: a review of much is several records, each
about some modules' pairs and each true by itself. A new review replaces the signer's own rejects of the same content.
**Source:** design 45-teams "Reviews", 30-evidence §1, 40-gate §1 "Chains".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

import msgspec

from git_assay.attest.drafts import Draft
from git_assay.attest.plan import Author
from git_assay.attest.subjects import module_subject
from git_assay.cones.analysis import Analysis
from git_assay.errors import AssayError, ErrorKind
from git_assay.evidence.model import Evidence, Record
from git_assay.evidence.records import PredicateType, Review, Seen, Subject
from git_assay.status.superseding import superseded_ids
from git_assay.values.canonical import digest
from git_assay.values.digests import Mode, own_name
from git_assay.values.ids import ASSAY_SUBJECT, ModuleId, RecordId

WORDS_LIMIT = 2000  # characters; a record is a line of 16 KiB, and the pairs need room beside the words
# Bytes of JSON for subjects and pairs: 16 KiB less the words (up to 4 bytes a character would not fit; 2,000
# characters are cut off by the check below), the common part and the signature, times 3/4 for base64.
_ROOM = 7000

ReviewVerdict = Literal["approve", "reject", "comment"]


@dataclass(frozen=True, slots=True)
class ReviewRequest:
    """verdict, words: of the reviewer.  unattended: made without a terminal."""

    verdict: ReviewVerdict
    words: str
    unattended: bool = False


def review_drafts(
    sides: tuple[Analysis, Analysis],
    seen: Sequence[Seen],
    request: ReviewRequest,
    *,
    evidence: Evidence,
    author: Author,
) -> tuple[Draft, ...]:
    """Returns the statements of one review of base -> head.

    seen: sorted by module. Raises AssayError for nothing to review, empty words or too many of them.
    """
    if not seen:
        raise AssayError("nothing to review: no piece of any module differs", hint="git assay radius")
    words = request.words.strip()
    if not words:
        raise AssayError("a review needs words", hint="git assay review -m TEXT", kind=ErrorKind.USAGE)
    if len(words.encode()) > WORDS_LIMIT:
        raise AssayError(f"a review may have at most {WORDS_LIMIT} bytes of words", kind=ErrorKind.USAGE)
    drafts = []
    for subjects, pairs in _portions(_subjects(sides, seen), seen):
        review = Review(verdict=request.verdict, words=words, seen=pairs, unattended=request.unattended)
        drafts.append(Draft(type=PredicateType.REVIEW, subject=subjects, review=review))
    return tuple(replace(draft, supersedes=_replaced(draft, evidence, author)) for draft in drafts)


def _subjects(sides: tuple[Analysis, Analysis], seen: Iterable[Seen]) -> Mapping[str, Subject]:
    """Returns the subject of each module: as it is in head, or as it was in base when head has it no more."""
    base, head = sides
    found: dict[str, Subject] = {}
    for name, pairs in groupby(seen, key=lambda pair: pair.module):
        module = ModuleId(name)
        if module == ASSAY_SUBJECT or module in head.modules:
            found[name] = module_subject(head, module)
        elif module in base.modules:
            found[name] = module_subject(base, module)
        else:
            # What nobody owns has no digest of its own: the new contents stand for it.
            own = digest("assay-unowned/1", [(pair.piece, pair.new) for pair in pairs])
            found[name] = Subject(name, {own_name(Mode.EXACT): own})
    return found


def _portions(
    subjects: Mapping[str, Subject], seen: Iterable[Seen]
) -> Iterable[tuple[tuple[Subject, ...], tuple[Seen, ...]]]:
    """Yields (subjects, pairs) that fit into one record each, in order."""
    pairs: list[Seen] = []
    size = 0
    for pair in seen:
        new_module = not pairs or pairs[-1].module != pair.module
        needed = _size(pair) + (_size(subjects[pair.module]) if new_module else 0)
        if pairs and size + needed > _ROOM:
            yield _portion(subjects, pairs)
            pairs, size = [], 0
            needed = _size(pair) + _size(subjects[pair.module])
        pairs.append(pair)
        size += needed
    if pairs:
        yield _portion(subjects, pairs)


def _portion(subjects: Mapping[str, Subject], pairs: Sequence[Seen]) -> tuple[tuple[Subject, ...], tuple[Seen, ...]]:
    names = dict.fromkeys(pair.module for pair in pairs)
    return tuple(subjects[name] for name in names), tuple(pairs)


def _size(value: Seen | Subject) -> int:
    return len(msgspec.json.encode(value)) + 1


def _replaced(draft: Draft, evidence: Evidence, author: Author) -> tuple[RecordId, ...]:
    """Returns the signer's own standing rejects that this review speaks of whole."""
    if draft.review is None:
        return ()
    contents = {(pair.piece, pair.new) for pair in draft.review.seen}
    modules = {subject.name for subject in draft.subject}
    gone = superseded_ids(evidence)
    return tuple(
        sorted(
            record.id
            for record in evidence.records.values()
            if record.log == author.log and record.id not in gone and _is_reject_of(record, contents, modules)
        )
    )


def _is_reject_of(record: Record, contents: set[tuple[str, str | None]], modules: set[str]) -> bool:
    review = record.statement.predicate.review
    if review is None or review.verdict != "reject":
        return False
    return all((pair.piece, pair.new) in contents for pair in review.seen) and all(
        subject.name in modules for subject in record.statement.subject
    )
