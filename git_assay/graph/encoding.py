"""How are facts written in the cache?

Compact MessagePack arrays. Whatever does not decode to exactly these shapes is a miss.
"""

from __future__ import annotations

from enum import Enum

import msgspec

from git_assay.syntax.facts import (
    Definition,
    DefinitionFacts,
    DefinitionKind,
    ImportFacts,
    ImportKind,
    OpenImport,
    WrittenImport,
)
from git_assay.values.ids import Digest


class Tier(Enum):
    """What of a blob is cached. The value stands in the cache's key."""

    EXACT = "exact"
    IMPORTS = "imports"
    DEFINITIONS = "definitions"


_Imports = tuple[
    list[tuple[int, bytes, tuple[bytes, ...], str, bool]],  # line, specifier, names, kind, deferred
    list[tuple[int, str, bool, bool]],  # line, written, deferred, anywhere
    bool,  # broken
]
_Definitions = tuple[
    list[tuple[int, int, str, str, int, int, tuple[str, ...] | None]],
    str,  # code digest
    int,  # lines
    bool,  # broken
]
_encoder = msgspec.msgpack.Encoder()
_imports = msgspec.msgpack.Decoder(_Imports)
_definitions = msgspec.msgpack.Decoder(_Definitions)
_KINDS = {kind.value: kind for kind in ImportKind}
_DEFINITION_KINDS = {kind.value: kind for kind in DefinitionKind}


def encode_facts(facts: ImportFacts | DefinitionFacts) -> bytes:
    """Returns the cached form of facts. Specifiers are bytes: an asset may name a path that is not UTF-8."""
    if isinstance(facts, ImportFacts):
        imports = [
            (item.line, _raw(item.specifier), tuple(map(_raw, item.names)), item.kind.value, item.deferred)
            for item in facts.imports
        ]
        opens = [(item.line, item.written, item.deferred, item.anywhere) for item in facts.opens]
        return _encoder.encode((imports, opens, facts.broken))
    definitions = [
        (item.start, item.end, item.name, item.kind.value, item.start_line, item.end_line, item.parameters)
        for item in facts.definitions
    ]
    return _encoder.encode((definitions, facts.code, facts.lines, facts.broken))


def decode_facts(tier: Tier, data: bytes) -> ImportFacts | DefinitionFacts | None:
    """Returns the facts, None when the bytes are not what `encode_facts` writes."""
    try:
        return _decode_imports(data) if tier is Tier.IMPORTS else _decode_definitions(data)
    except (msgspec.DecodeError, KeyError, UnicodeError):
        return None


def _decode_imports(data: bytes) -> ImportFacts:
    imports, opens, broken = _imports.decode(data)
    return ImportFacts(
        tuple(
            WrittenImport(line, _text(specifier), tuple(map(_text, names)), _KINDS[kind], deferred)
            for line, specifier, names, kind, deferred in imports
        ),
        tuple(OpenImport(*item) for item in opens),
        broken,
    )


def _decode_definitions(data: bytes) -> DefinitionFacts:
    definitions, code, lines, broken = _definitions.decode(data)
    return DefinitionFacts(
        tuple(
            Definition(start, end, name, _DEFINITION_KINDS[kind], first, last, parameters)
            for start, end, name, kind, first, last, parameters in definitions
        ),
        Digest(code),
        lines,
        broken,
    )


def _raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")
