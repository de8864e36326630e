"""What does a review sign?

The pairs that the reviewer saw (seen.py), with the digests of their modules. A new review replaces the signer's own
rejects of the same content.
**Source:** design 45-teams "Reviews", 30-evidence §1, 40-gate §1 "Chains".
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from git_assay.attest.occasion import Occasion
from git_assay.attest.plan import Author
from git_assay.attest.subjects import module_subject
from git_assay.cones.analysis import Analysis
from git_assay.errors import AssayError, ErrorKind
from git_assay.evidence.model import Evidence, Record
from git_assay.evidence.records import PredicateType, Review, Seen, Subject
from git_assay.evidence.statement import Unsigned
from git_assay.status.superseding import superseded_ids
from git_assay.values.canonical import digest
from git_assay.values.digests import Mode, own_name
from git_assay.values.ids import ASSAY_SUBJECT, ModuleId, RecordId

WORDS_LIMIT = 2000  # bytes; a record is a line of 16 KiB, and the pairs need room beside the words

ReviewVerdict = Literal["approve", "reject", "comment"]


@dataclass(frozen=True, slots=True)
class ReviewRequest:
    """verdict, words: of the reviewer.  unattended: made without a terminal."""

    verdict: ReviewVerdict
    words: str
    unattended: bool = False


def review_draft(
    sides: tuple[Analysis, Analysis],
    seen: Sequence[Seen],
    request: ReviewRequest,
    *,
    occasion: Occasion,
    supersedes: Iterable[RecordId] = (),
) -> Unsigned:
    """Returns the statement of one review of base -> head.

    seen: sorted by module. Raises AssayError for nothing to review, empty words or too many of them.
    """
    if not seen:
        raise AssayError("nothing to review: no piece of any module differs", hint="git assay radius")
    words = request.words.strip()
    if not words:
        raise AssayError("a review needs words: -m TEXT", kind=ErrorKind.USAGE)
    if len(words.encode()) > WORDS_LIMIT:
        raise AssayError(f"a review may have at most {WORDS_LIMIT} bytes of words", kind=ErrorKind.USAGE)
    review = Review(verdict=request.verdict, words=words, seen=tuple(seen), unattended=request.unattended)
    return occasion.draft(PredicateType.REVIEW, _subjects(sides, seen), review, supersedes=supersedes)


def replaced_rejects(seen: Sequence[Seen], evidence: Evidence, author: Author) -> tuple[RecordId, ...]:
    """Returns the signer's own standing rejects whose every content and module this review speaks of."""
    contents = {(pair.piece, pair.new) for pair in seen}
    modules = {pair.module for pair in seen}
    gone = superseded_ids(evidence)
    own = (record for record in evidence.records.values() if record.log == author.log and record.id not in gone)
    return tuple(sorted(record.id for record in own if _is_reject_of(record, contents, modules)))


def _subjects(sides: tuple[Analysis, Analysis], seen: Iterable[Seen]) -> tuple[Subject, ...]:
    """Returns the subject of each module: as it is in head, or as it was in base when head has it no more."""
    base, head = sides
    found: list[Subject] = []
    for name, pairs in groupby(seen, key=lambda pair: pair.module):
        module = ModuleId(name)
        if module == ASSAY_SUBJECT or module in head.modules:
            found.append(module_subject(head, module))
        elif module in base.modules:
            found.append(module_subject(base, module))
        else:
            # What nobody owns has no digest of its own: the new contents stand for it.
            own = digest("assay-unowned/1", [(pair.piece, pair.new) for pair in pairs])
            found.append(Subject(name, {own_name(Mode.EXACT): own}))
    return tuple(found)


def _is_reject_of(record: Record, contents: Container[tuple[str, str | None]], modules: Container[str]) -> bool:
    review = record.statement.predicate.review
    if review is None or review.verdict != "reject":
        return False
    return all((pair.piece, pair.new) in contents for pair in review.seen) and all(
        subject.name in modules for subject in record.statement.subject
    )
