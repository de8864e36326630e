"""Which records does the next one of a log name as its predecessors?

Those that no other names, among the records that the log's own key signed: a line that somebody put there must not be
named, since it would be missing for every reader who checks signatures, and so close the whole log.
**Source:** design 30-evidence §1 (`prev`).
"""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterable
from itertools import chain

import msgspec

from git_assay.evidence.envelope import MalformedEnvelopeError, parse_envelope, record_id
from git_assay.evidence.records import RECORD_LIMIT
from git_assay.evidence.verify import is_signed_for
from git_assay.values.ids import LogId, RecordId


class _Line(msgspec.Struct, frozen=True, rename={"payload_type": "payloadType"}):
    payload: str
    payload_type: str


class _Common(msgspec.Struct, frozen=True):
    prev: tuple[str, ...] = ()


class _Predicate(msgspec.Struct, frozen=True):
    assay: _Common


class _Chained(msgspec.Struct, frozen=True):
    """The one field of a payload that makes the chain."""

    predicate: _Predicate


def heads(lines: Iterable[bytes], *, log: LogId) -> tuple[RecordId, ...]:
    """Returns the heads, sorted. Only candidates are verified, usually one; a forged one is put aside first."""
    copies: dict[RecordId, list[bytes]] = {}
    prev: dict[RecordId, frozenset[str]] = {}
    for line in lines:
        try:
            name, prev_names = _named(line)
        except (msgspec.DecodeError, ValueError, RecursionError):
            continue
        copies.setdefault(name, []).append(line)
        prev[name] = frozenset(prev_names)
    namers = Counter(chain.from_iterable(prev.values()))
    waiting = [name for name in prev if not namers[name]]
    found = []
    while waiting:
        name = waiting.pop()
        if any(_is_genuine(line, log) for line in copies[name]):
            found.append(name)
            continue
        for named in prev[name]:  # forged: what it names is named by one less
            namers[named] -= 1
            if not namers[named] and (earlier := RecordId(named)) in prev:
                waiting.append(earlier)
    return tuple(sorted(found))


def _named(line: bytes) -> tuple[RecordId, tuple[str, ...]]:
    """Returns the id of a line and the ids that it names; quick, since only candidates are looked at strictly."""
    if len(line) > RECORD_LIMIT:
        raise ValueError("longer than any record")
    read = msgspec.json.decode(line, type=_Line)
    payload = base64.b64decode(read.payload.replace("-", "+").replace("_", "/") + "==")
    name = record_id(payload, payload_type=read.payload_type)
    return name, msgspec.json.decode(payload, type=_Chained).predicate.assay.prev


def _is_genuine(line: bytes, log: LogId) -> bool:
    try:
        return is_signed_for(parse_envelope(line), log)
    except MalformedEnvelopeError:
        return False
