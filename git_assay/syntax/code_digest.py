"""Which digest stays when only the formatting of a Python file changes?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from git_assay.syntax.facts import PartDigest
from git_assay.values.canonical import digest, digest_bytes
from git_assay.values.ids import Digest


def code_digest(data: bytes) -> Digest:
    """Returns the code digest of a Python blob; its exact digest where the parse has errors."""
    return digest_bytes(data)


def python_parts(data: bytes, symbols: Iterable[str]) -> tuple[Mapping[str, PartDigest], PartDigest]:
    """Returns the digests of the named symbols that `data` defines, and of the rest without them."""
    from git_assay.syntax.definitions import definitions_in
    from git_assay.syntax.parsing import parse_python
    from git_assay.syntax.source import read_source

    wanted = set(symbols)
    spans: dict[str, list[tuple[int, int]]] = {}
    for item in sorted(definitions_in(parse_python(read_source(data).text).root_node)):
        if item.name in wanted:
            spans.setdefault(item.name, []).append((item.start, item.end))
    parts = {name: _pair([data[start:end] for start, end in places]) for name, places in sorted(spans.items())}
    rest: list[bytes] = []
    place = 0
    for start, end in sorted(span for places in spans.values() for span in places):
        if start >= place:
            rest.append(data[place:start])
        place = max(place, end)
    rest.append(data[place:])
    return parts, _pair(rest)


def _pair(pieces: list[bytes]) -> PartDigest:
    exact = digest("assay-part/1", pieces)
    return PartDigest(exact, exact)
