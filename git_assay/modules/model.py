"""What is declared in one tree: loaded cards with their places, and who owns which piece?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from git_assay.errors import Problem
from git_assay.modules.card import Card
from git_assay.modules.config import Config, Retired
from git_assay.values.ids import ModuleId, TreePath


@dataclass(frozen=True, slots=True)
class LoadedCard:
    """A card and where it stands. path: of the card file.  line: 1-based line of its document.

    directory: of the card file, b"" for the root.  source: the document's own YAML text, byte for byte.
    """

    id: ModuleId
    card: Card
    path: TreePath
    directory: TreePath
    line: int
    source: bytes


@dataclass(frozen=True, slots=True, order=True)
class Piece:
    """Something a module owns: a whole file (symbol None), or one symbol of it, or (symbol "") the rest of a file

    out of which other modules' symbols are carved. `text` is the form in records: `path`, `path::Name.inner`, `path::`.
    """

    path: TreePath
    symbol: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Declarations:
    """Everything under `.assay/` and in cards that says what is intended. problems: all of them; empty when sound.

    cards: by id, in order of id.  config is None only when problems says why.
    """

    config: Config
    cards: Mapping[ModuleId, LoadedCard]
    retired: Retired
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Ownership:
    """The ownership map of one tree.

    owner: owning module of each in-scope source file and each file that an `owns` pattern claims (files of any type).
    symbols: (path, qualified name) -> module, for carved symbols only.
    pieces: what each module owns, sorted.  assets: asset paths of each module, sorted.
    unowned: in-scope source files without an owner.  docs, cards and `.assay/**` are never in scope.
    problems: double owners, patterns that match nothing, claims beyond a card's directory without `lends`.
    """

    owner: Mapping[TreePath, ModuleId]
    symbols: Mapping[tuple[TreePath, str], ModuleId]
    pieces: Mapping[ModuleId, tuple[Piece, ...]]
    assets: Mapping[ModuleId, tuple[TreePath, ...]]
    unowned: tuple[TreePath, ...]
    problems: tuple[Problem, ...]
