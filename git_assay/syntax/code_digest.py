"""Which digest stays when only the formatting of a Python file changes?

The digest is over canonical tokens (`canonical_tokens`). It is the exact digest where the parse has errors, where the
text is not plain UTF-8 and where it cannot be cut into tokens with certainty.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from git_assay.syntax.canonical_tokens import CARVED, canonical_tokens
from git_assay.syntax.definitions import definitions_in
from git_assay.syntax.facts import Definition, DefinitionFacts, PartDigest
from git_assay.syntax.parsing import parse_python
from git_assay.syntax.source import Source, read_source
from git_assay.syntax.tokens import UncertainError
from git_assay.values.canonical import digest, digest_bytes
from git_assay.values.ids import Digest

_DOMAIN = "assay-code/1"


def python_definitions(data: bytes) -> DefinitionFacts:
    """Returns the definitions, code digest and lines of code of a Python blob; never raises."""
    source = read_source(data)
    root = parse_python(source.text).root_node
    code = None if root.has_error else _code(source, source.text, 0)
    lines = lines_of_code(source.text)
    return DefinitionFacts(tuple(sorted(definitions_in(root))), code or digest_bytes(data), lines, root.has_error)


def code_digest(data: bytes) -> Digest:
    """Returns the code digest of a Python blob."""
    return python_definitions(data).code


def python_parts(data: bytes, symbols: Iterable[str]) -> tuple[Mapping[str, PartDigest], PartDigest]:
    """Returns the digests of the named symbols that `data` defines, and of the rest without them.

    A name that is defined more than once is all its definitions together. The rest keeps where each symbol stood.
    """
    wanted = frozenset(symbols)
    source = read_source(data)
    root = parse_python(source.text).root_node
    found = [item for item in sorted(definitions_in(root)) if item.name in wanted]
    whole = not root.has_error
    parts: dict[str, PartDigest] = {}
    for name in sorted({item.name for item in found}):
        spans = [item for item in found if item.name == name]
        exact = digest("assay-part/1", [data[item.start : item.end] for item in spans])
        codes = [_code(source, *_piece(source, item)) if whole else None for item in spans]
        parts[name] = PartDigest(exact, _together(codes, exact))
    return parts, _rest(data, source, found, whole)


def lines_of_code(text: bytes) -> int:
    """Returns how many lines are neither blank nor only a comment."""
    stripped = (line.strip() for line in text.split(b"\n"))
    return sum(1 for line in stripped if line and not line.startswith(b"#"))


def _rest(data: bytes, source: Source, found: Iterable[Definition], whole: bool) -> PartDigest:
    kept: list[bytes] = []
    masked: list[bytes] = []
    names: list[str] = []
    place = 0
    for item in found:
        if item.start < place:  # inside a symbol that is carved out already
            continue
        kept.append(data[place : item.start])
        masked.append(source.text[place : item.start])
        names.append(item.name)
        place = item.end
    kept.append(data[place:])
    masked.append(source.text[place:])
    exact = digest("assay-rest/1", kept, names)
    code = _code(source, CARVED.encode().join(masked), 0) if whole and CARVED.encode() not in data else None
    return PartDigest(exact, digest("assay-rest-code/1", code, names) if code is not None else exact)


def _piece(source: Source, item: Definition) -> tuple[bytes, int]:
    """The text of a definition and the column where it stands."""
    line_start = source.text.rfind(b"\n", 0, item.start) + 1
    before = source.text[line_start : item.start]
    return source.text[item.start : item.end], len(before.expandtabs(8)) if not before.strip() else 0


def _together(codes: list[Digest | None], exact: Digest) -> Digest:
    known = [code for code in codes if code is not None]
    return digest("assay-part-code/1", known) if len(known) == len(codes) else exact


def _code(source: Source, text: bytes, column: int) -> Digest | None:
    if not source.utf8:
        return None
    try:
        readable = text.decode().removeprefix("\x0c\x0c\x0c").replace("\r\n", "\n")
        tokens = canonical_tokens(readable, column=column)
    except (UncertainError, UnicodeDecodeError):
        return None
    return digest(_DOMAIN, "python", "\0".join(tokens))
