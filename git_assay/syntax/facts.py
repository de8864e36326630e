"""What does one blob say, whatever tree it stands in?

Facts depend on (bytes, language, extractor version) only. They come in two tiers: *imports*, needed for every cone,
and *definitions* with the code digest, made when first asked for. **Source:** design 20-graph §1.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum

from git_assay.values.ids import Digest


class ImportKind(StrEnum):
    """How a written import binds. **Source:** design 20-graph §2, "Edge kinds"."""

    LOAD = "load"
    LAZY = "lazy"
    TYPE = "type"
    REEXPORT = "reexport"
    DYNAMIC = "dynamic"
    CONDITIONAL = "conditional"
    ASSET = "asset"
    IMPLICIT = "implicit"
    STRING = "string"


@dataclass(frozen=True, slots=True, order=True)
class WrittenImport:
    """One import as it stands in the source.

    specifier: what is named, as the language writes it; for Python `a.b`, `.c`, `..`; for an asset the literal.
    names: imported names (`from x import a, b`), `("*",)` for a star, () for a plain import.
    line: 1-based.  deferred: inside a function body, so not run when the file is loaded.
    kind: LAZY for a deferred plain import; DYNAMIC for a literal dynamic one whether deferred or not.
    """

    line: int
    specifier: str
    names: tuple[str, ...]
    kind: ImportKind
    deferred: bool


@dataclass(frozen=True, slots=True, order=True)
class OpenImport:
    """A dynamic import whose target cannot be known: the reason the file is `open`.

    line: 1-based.  written: the call or reference as written, cut to 80 characters, cleaned.
    deferred: inside a function body, so not run when the file is loaded.
    anywhere: what is loaded need not lie in a root (a changed `sys.path`, a loader of files, code in a text).
    """

    line: int
    written: str
    deferred: bool = False
    anywhere: bool = False


@dataclass(frozen=True, slots=True)
class ImportFacts:
    """First tier. broken: the syntax tree has errors (imports are still what could be found)."""

    imports: tuple[WrittenImport, ...]
    opens: tuple[OpenImport, ...]
    broken: bool


class DefinitionKind(Enum):
    """What a registered unit is."""

    FUNCTION = "function"
    METHOD = "method"
    CLASS = "class"


@dataclass(frozen=True, slots=True, order=True)
class Definition:
    """A named definition, decorators included.

    name: qualified, `Outer.inner`.  start, end: byte offsets, end exclusive.  start_line, end_line: 1-based, inclusive.
    parameters: positional parameter names in order, receiver included (None for a class).
    """

    start: int
    end: int
    name: str
    kind: DefinitionKind
    start_line: int
    end_line: int
    parameters: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class DefinitionFacts:
    """Second tier. code: digest of the syntax tree without formatting (the exact digest where the parse has errors).

    lines: lines of code (neither blank nor only comment).
    """

    definitions: tuple[Definition, ...]
    code: Digest
    lines: int
    broken: bool


@dataclass(frozen=True, slots=True)
class PartDigest:
    """Digest pair of a part of a file: one symbol, or the rest of a file without the symbols carved out of it."""

    exact: Digest
    code: Digest
