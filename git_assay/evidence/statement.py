"""Which bytes say this statement, and what do these bytes say?

Building: a `Unsigned` becomes one payload, or a batch of several where one record line would be too long. Reading:
strictly, after the signature held. **Source:** design 30-evidence §1; in-toto Statement v1; in-toto test-result v0.1.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import msgspec

from git_assay.errors import AssayError
from git_assay.evidence.envelope import record_id
from git_assay.evidence.records import (
    STATEMENT_TYPE,
    Batch,
    Common,
    PredicateType,
    Review,
    Run,
    Seen,
    Statement,
    Subject,
    Waiver,
    Withdrawal,
    Witness,
)
from git_assay.values.ids import ObjectId, RecordId

Body: TypeAlias = Run | Review | Waiver | Withdrawal | Witness

# Leaves room in a line of 16 KiB for base64 (4/3), the envelope and the longest usual signature (RSA 4096).
_PAYLOAD_LIMIT = 10_000
# Of seen pairs that stay together; with their subject and the common part they fit a payload.
_SEEN_LIMIT = 6_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsigned:
    """What one statement should say. place: the commit that its note goes to.

    common: with empty `prev` and no `batch`; both are filled in when it is written.
    """

    type: PredicateType
    place: ObjectId
    common: Common
    body: Body
    subjects: tuple[Subject, ...] = ()


@dataclass(frozen=True, slots=True)
class _Part:
    """What stays together when a statement is split."""

    subject: Subject | None
    seen: tuple[Seen, ...] = ()


def build_payloads(unsigned: Unsigned, prev: Sequence[RecordId]) -> tuple[bytes, ...]:
    """Returns the payloads of a unsigned; each names the one before it as `prev`, the first one `prev`.

    Secrets in words and commands are masked. Raises AssayError when something that cannot be split is too long.
    """
    unsigned = replace(unsigned, body=_masked(unsigned.body))
    groups = list(_packed(unsigned, room=_PAYLOAD_LIMIT - len(_payload(unsigned, (), prev=prev, batch=None)) - 200))
    batch_id = hashlib.sha256(_payload(unsigned, [part for group in groups for part in group], prev=prev)).hexdigest()
    payloads: list[bytes] = []
    heads = tuple(prev)
    for number, group in enumerate(groups):
        batch = Batch(batch_id, number, len(groups)) if len(groups) > 1 else None
        payload = _payload(unsigned, group, prev=heads, batch=batch)
        payloads.append(payload)
        heads = (record_id(payload),)
    return tuple(payloads)


def decode_verified(payload: bytes) -> Statement:
    """Returns the statement of a payload that was found strict before (verify.py). Raises msgspec.DecodeError."""
    return msgspec.json.decode(payload, type=Statement)


def unknown_critical(statement: Statement) -> tuple[str, ...]:
    """Returns the names in `critical` that this reader does not understand."""
    known = {name for kind in (Common, Run, Review, Waiver, Withdrawal, Witness) for name in kind.__struct_fields__}
    return tuple(name for name in statement.predicate.assay.critical if name not in known)


def _packed(unsigned: Unsigned, *, room: int) -> Iterator[list[_Part]]:
    group: list[_Part] = []
    used = 0
    for part in _parts(unsigned):
        size = len(msgspec.json.encode((part.subject, part.seen)))
        if size > room:
            raise AssayError("a statement is too long for one record; use fewer words")
        if group and used + size > room:
            yield group
            group, used = [], 0
        group.append(part)
        used += size
    yield group


def _parts(unsigned: Unsigned) -> Iterator[_Part]:
    """One part a subject; a review's seen pairs go with the subject of their module, in pieces when there are many."""
    seen = list(unsigned.body.seen) if isinstance(unsigned.body, Review) else []
    for subject in unsigned.subjects:
        own = [pair for pair in seen if pair.module == subject.name]
        seen = [pair for pair in seen if pair.module != subject.name]
        for piece in _pieces(own):
            yield _Part(subject, piece)
    if seen:
        raise AssayError(f"a review has seen changes of {seen[0].module}, which is not among its subjects")


def _pieces(seen: Sequence[Seen]) -> Iterator[tuple[Seen, ...]]:
    piece: list[Seen] = []
    used = 0
    for pair in seen:
        size = len(msgspec.json.encode(pair))
        if piece and used + size > _SEEN_LIMIT:
            yield tuple(piece)
            piece, used = [], 0
        piece.append(pair)
        used += size
    yield tuple(piece)


def _payload(
    unsigned: Unsigned, parts: Sequence[_Part], *, prev: Sequence[RecordId], batch: Batch | None = None
) -> bytes:
    common = msgspec.structs.replace(unsigned.common, prev=tuple(prev), batch=batch)
    body: Any = unsigned.body
    if isinstance(unsigned.body, Review):
        body = msgspec.structs.replace(unsigned.body, seen=tuple(pair for part in parts for pair in part.seen))
    predicate: dict[str, Any] = {"assay": common, type(unsigned.body).__name__.lower(): body}
    if unsigned.type is PredicateType.TESTS and isinstance(unsigned.body, Run):
        predicate |= _test_result(unsigned.body)
    subjects = dict.fromkeys(part.subject.name for part in parts if part.subject is not None)
    by_name = {part.subject.name: part.subject for part in parts if part.subject is not None}
    statement = {
        "_type": STATEMENT_TYPE,
        "subject": [by_name[name] for name in subjects],
        "predicateType": unsigned.type.value,
        "predicate": predicate,
    }
    return msgspec.json.encode(statement)


def _test_result(run: Run) -> dict[str, Any]:
    """The required fields of the standard predicate; the configuration is the command."""
    command = {"name": run.command, "digest": {"sha256": hashlib.sha256(run.command.encode()).hexdigest()}}
    return {"result": "PASSED" if run.verdict == "pass" else "FAILED", "configuration": [command]}


def _masked(body: Body) -> Body:
    from git_assay.evidence.secrets import mask  # its expressions are costly to compile, and reading needs none

    match body:
        case Run(command=command, masked=before):
            text, count = mask(command)
            return msgspec.structs.replace(body, command=text, masked=before + count)
        case Review(words=words, masked=before):
            text, count = mask(words)
            return msgspec.structs.replace(body, words=text, masked=before + count)
        case Waiver(reason=reason) | Withdrawal(reason=reason):
            return msgspec.structs.replace(body, reason=mask(reason)[0])
        case _:
            return body
