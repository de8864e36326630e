"""Which bytes are hashed when a structure is hashed?

The canonical encoding is injective: every value starts with a one-byte type tag, sizes are 8-byte big-endian, so no
two different structures share an encoding.

    None        n
    int         i  <length>  decimal ASCII
    str         s  <length>  UTF-8 (surrogates refused)
    bytes       b  <length>  the bytes
    sequence    l  <count>   the encoded items in order

`digest(domain, *parts)` is SHA-256 over the encoding of (domain, *parts); the domain tag carries the format version.
**Source:** design 20-graph §3 ("length-prefixed, domain-tagged, no ambiguity").
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from typing import TypeAlias

from git_assay.values.ids import Digest

Canonical: TypeAlias = "int | str | bytes | Sequence[Canonical] | None"


def encode(value: Canonical) -> bytes:
    """Returns the canonical encoding. Raises TypeError for a bool, float, set or mapping: order them first."""
    out: list[bytes] = []
    _append(value, out)
    return b"".join(out)


def digest(domain: str, *parts: Canonical) -> Digest:
    """Returns SHA-256 over the canonical encoding of (domain, *parts)."""
    return Digest(hashlib.sha256(encode((domain, *parts))).hexdigest())


def encode_sequence(items: Collection[bytes]) -> bytes:
    """Returns the encoding of a sequence whose items are encoded already, so that shared items are encoded once."""
    return b"l" + len(items).to_bytes(8, "big") + b"".join(items)


def digest_encoded(domain: str, *parts: bytes) -> Digest:
    """Returns what `digest(domain, *parts)` returns, for parts that are encoded already."""
    return Digest(hashlib.sha256(encode_sequence((encode(domain), *parts))).hexdigest())


def digest_bytes(data: bytes) -> Digest:
    """Returns the plain SHA-256 of `data` (the *exact* digest of a file; no domain, so that sha256sum agrees)."""
    return Digest(hashlib.sha256(data).hexdigest())


def _append(value: Canonical, out: list[bytes]) -> None:
    if type(value) is str:
        _text(b"s", value.encode(), out)
    elif type(value) is bytes:
        _text(b"b", value, out)
    elif value is None:
        out.append(b"n")
    elif type(value) is int:
        _text(b"i", b"%d" % value, out)
    elif isinstance(value, tuple | list):
        out.append(b"l" + len(value).to_bytes(8, "big"))
        for item in value:
            _append(item, out)
    else:
        raise TypeError(f"no canonical encoding for {type(value).__name__}")


def _text(tag: bytes, data: bytes, out: list[bytes]) -> None:
    out.append(tag + len(data).to_bytes(8, "big"))
    out.append(data)
