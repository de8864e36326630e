"""What does each card claim, and by which precedence?

A claim is one card's word on one path or symbol. Its rank: symbol entry, exact path, glob, default of a directory;
among globs and defaults the deeper card wins. **Source:** design 10-modules §3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from git_assay.errors import Problem
from git_assay.modules.load import card_problem
from git_assay.modules.model import LoadedCard
from git_assay.modules.patterns import Pattern
from git_assay.values.ids import ModuleId, TreePath
from git_assay.values.text import path_text


class Rank(IntEnum):
    """How specific a claim on a file is."""

    DEFAULT = 0
    GLOB = 1
    EXACT = 2


@dataclass(frozen=True, slots=True)
class Claim:
    """One card's claim on one file. depth: of the card's directory, 0 for exact claims (they have no depth).

    entry: place in `owns`, None for a default.
    """

    rank: Rank
    depth: int
    module: ModuleId
    entry: int | None

    @property
    def weight(self) -> tuple[int, int]:
        """Claims of equal weight contradict each other."""
        return (self.rank, self.depth)


@dataclass(frozen=True, slots=True)
class SymbolClaim:
    """One card's claim on one symbol. entry: place in `owns`."""

    path: TreePath
    symbol: str
    module: ModuleId
    entry: int


@dataclass(frozen=True, slots=True)
class Lent:
    """A pattern under which a card lets another module claim. symbol: None for whole files."""

    pattern: Pattern
    symbol: str | None
    to: ModuleId


def depth_of(directory: TreePath) -> int:
    """Returns how many directories deep a card stands, 0 for the root."""
    return directory.count(b"/") + 1 if directory else 0


def beneath(path: TreePath, directory: TreePath) -> bool:
    """Returns whether a path lies in or below a directory."""
    return not directory or path.startswith(directory + b"/")


def file_claims(card: LoadedCard, paths: Sequence[TreePath]) -> tuple[Mapping[TreePath, Claim], list[Problem]]:
    """Returns the claims of a card's `owns` on files, wherever they lie, and the patterns that match nothing."""
    found: dict[TreePath, Claim] = {}
    problems: list[Problem] = []
    depth = depth_of(card.directory)
    for place, text in enumerate(card.card.owns or ()):
        if "::" in text:
            continue
        pattern = Pattern(text, card.directory)
        exact = pattern.exact
        matched = [path for path in paths if pattern.matches(path)]
        if not matched:
            message = f"{text!r} matches no file"
            problems.append(card_problem(card, "matches-nothing", message, "owns", place))
        for path in matched:
            is_exact = path == exact and ("/" in text or path.rpartition(b"/")[0] == card.directory)
            claim = Claim(Rank.EXACT, 0, card.id, place) if is_exact else Claim(Rank.GLOB, depth, card.id, place)
            if path not in found or claim.weight > found[path].weight:
                found[path] = claim
    return found, problems


def symbol_claims(card: LoadedCard, paths: Sequence[TreePath]) -> tuple[list[SymbolClaim], list[Problem]]:
    """Returns the claims of a card's `owns` on symbols; the path before `::` must name one file of the tree."""
    found: list[SymbolClaim] = []
    problems: list[Problem] = []
    known = frozenset(paths)
    for place, text in enumerate(card.card.owns or ()):
        if "::" not in text:
            continue
        where, _, symbol = text.partition("::")
        path = Pattern(where, card.directory).exact
        if path is None or not symbol:
            message = f"{text!r}: a symbol is claimed as path::Name, without wildcards"
            problems.append(card_problem(card, "symbol", message, "owns", place))
        elif path not in known:
            message = f"{text!r}: there is no file {path_text(path)}"
            problems.append(card_problem(card, "matches-nothing", message, "owns", place))
        else:
            found.append(SymbolClaim(path, symbol, card.id, place))
    return found, problems


def lent_by(card: LoadedCard) -> Iterator[Lent]:
    """Yields what a card lends. A `::` in a pattern lends one symbol only."""
    for lend in card.card.lends:
        where, _, symbol = lend.pattern.partition("::")
        yield Lent(Pattern(where, card.directory), symbol or None, ModuleId(lend.to))


def lends(card: LoadedCard, path: TreePath, symbol: str | None, to: ModuleId) -> bool:
    """Returns whether a card lends a file (symbol None), or a symbol of it, to a module."""
    return any(lent.to == to and lent.pattern.matches(path) and lent.symbol in (None, symbol) for lent in lent_by(card))
