"""Which records does the next one of a log name as its predecessors?

Those that no other names, among the records that the log's own key signed: a line that somebody put there must not be
named, since it would be missing for every reader who checks signatures, and so close the whole log.
**Source:** design 30-evidence §1 (`prev`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from git_assay.evidence.envelope import Envelope, MalformedEnvelopeError, parse_envelope
from git_assay.evidence.verify import is_signed_for
from git_assay.values.ids import LogId, RecordId


class _Common(msgspec.Struct, frozen=True):
    prev: tuple[str, ...] = ()


class _Predicate(msgspec.Struct, frozen=True):
    assay: _Common


class _Chained(msgspec.Struct, frozen=True):
    """The one field of a payload that makes the chain."""

    predicate: _Predicate


def heads(lines: Iterable[bytes], *, log: LogId) -> tuple[RecordId, ...]:
    """Returns the heads, sorted. Only candidates are verified, usually one; a forged one is put aside first."""
    copies: dict[RecordId, list[Envelope]] = {}
    for line in lines:
        try:
            envelope = parse_envelope(line)
        except MalformedEnvelopeError:
            continue
        copies.setdefault(envelope.id, []).append(envelope)
    prev = {name: _predecessors(found[0]) for name, found in copies.items()}
    genuine: set[RecordId] = set()
    while True:
        candidates = _unnamed(prev)
        genuine.update(name for name in candidates - genuine if any(is_signed_for(e, log) for e in copies[name]))
        forged = candidates - genuine
        if not forged:
            return tuple(sorted(candidates))
        for name in forged:
            del prev[name]


def _unnamed(prev: Mapping[RecordId, tuple[str, ...]]) -> set[RecordId]:
    named = {name for names in prev.values() for name in names}
    return {name for name in prev if name not in named}


def _predecessors(envelope: Envelope) -> tuple[str, ...]:
    try:
        return msgspec.json.decode(envelope.payload, type=_Chained).predicate.assay.prev
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ()
