"""Who owns each file and each carved symbol of a tree?

1. Every card claims: what its `owns` matches, or (without `owns`) all files beneath its directory.
2. Of the claims by cards whose directory a file lies in, the heaviest wins: exact path, then glob of the deepest card,
   then default of the deepest directory. Two of equal weight are a problem, and nobody owns the file.
3. A claim from elsewhere counts only when the card that owns the file after step 2 lends it; then it wins.
4. A symbol's own entry wins over its file's owner; from elsewhere, again, only when the file's owner lends it.

Cards, `.assay/` and `.gitattributes` are owned by nobody. **Source:** design 10-modules §3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from git_assay.errors import Problem
from git_assay.git.snapshot import Snapshot
from git_assay.modules.claims import (
    Claim,
    Rank,
    SymbolClaim,
    beneath,
    depth_of,
    file_claims,
    lends,
    symbol_claims,
)
from git_assay.modules.load import card_problem
from git_assay.modules.model import Declarations, LoadedCard, Ownership, Piece
from git_assay.modules.patterns import Pattern
from git_assay.modules.scope import is_reserved
from git_assay.syntax.facts import Definition
from git_assay.values.ids import ModuleId, TreePath
from git_assay.values.text import path_text

Definitions = Callable[[TreePath], tuple[Definition, ...]]
_LISTED = 3  # double owners that are named one by one for each pair of cards; the rest are counted


@dataclass(slots=True)
class _Map:
    """What is being worked out."""

    cards: Mapping[ModuleId, LoadedCard]
    paths: tuple[TreePath, ...]
    claims: dict[TreePath, list[Claim]] = field(default_factory=dict)
    foreign: dict[TreePath, list[Claim]] = field(default_factory=dict)
    owner: dict[TreePath, ModuleId] = field(default_factory=dict)
    symbols: dict[tuple[TreePath, str], ModuleId] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def map_ownership(
    snapshot: Snapshot, declarations: Declarations, files: Mapping[TreePath, str], definitions: Definitions
) -> Ownership:
    """Returns the ownership map of a tree with every problem of it.

    files: in-scope source files.  definitions: asked only for files that a symbol entry names.
    """
    paths = tuple(path for path in snapshot.entries if not is_reserved(path))
    work = _Map(declarations.cards, paths)
    _claim(work)
    _settle(work)
    _settle_foreign(work)
    _settle_symbols(work, files, definitions)
    assets = {card.id: _assets(work, card) for card in work.cards.values()}
    return Ownership(
        owner=dict(sorted(work.owner.items())),
        symbols=dict(sorted(work.symbols.items())),
        pieces=_pieces(work),
        assets=assets,
        unowned=tuple(path for path in files if path not in work.owner),
        problems=tuple(sorted(work.problems)),
    )


def _claim(work: _Map) -> None:
    defaults: dict[TreePath, list[ModuleId]] = {}
    for card in work.cards.values():
        if card.card.owns is None:
            defaults.setdefault(card.directory, []).append(card.id)
        claims, problems = file_claims(card, work.paths)
        work.problems += problems
        for path, claim in claims.items():
            inside = beneath(path, card.directory)
            (work.claims if inside else work.foreign).setdefault(path, []).append(claim)
    for path in work.paths:
        directory = _deepest(path, defaults)
        if directory is not None:
            depth = depth_of(directory)
            found = [Claim(Rank.DEFAULT, depth, module, None) for module in defaults[directory]]
            work.claims.setdefault(path, []).extend(found)


def _deepest(path: TreePath, defaults: Mapping[TreePath, object]) -> TreePath | None:
    directory: bytes = path
    while directory:
        directory = directory.rpartition(b"/")[0]
        if directory in defaults:
            return TreePath(directory)
    return None


def _settle(work: _Map) -> None:
    doubles: dict[tuple[ModuleId, ...], list[TreePath]] = {}
    for path, claims in work.claims.items():
        weight = max(claim.weight for claim in claims)
        winners = sorted({claim.module for claim in claims if claim.weight == weight})
        if len(winners) == 1:
            work.owner[path] = winners[0]
        else:
            doubles.setdefault(tuple(winners), []).append(path)
    for modules, paths in doubles.items():
        card = work.cards[modules[-1]]
        shown = ", ".join(path_text(path) for path in sorted(paths)[:_LISTED])
        more = f" and {len(paths) - _LISTED} more" if len(paths) > _LISTED else ""
        text = f"{shown}{more}: claimed with equal weight by {' and '.join(modules)}"
        work.problems.append(card_problem(card, "double-owner", text, "owns"))


def _settle_foreign(work: _Map) -> None:
    for path, claims in work.foreign.items():
        lender = work.owner.get(path)
        lent = [claim for claim in claims if lender and lends(work.cards[lender], path, None, claim.module)]
        for claim in claims:
            if claim not in lent:
                _refuse(work, claim.module, claim.entry, path_text(path), lender)
        takers = sorted({claim.module for claim in lent})
        if len(takers) == 1:
            work.owner[path] = takers[0]
        elif takers:
            text = f"{path_text(path)} is lent to and claimed by {' and '.join(takers)}"
            work.problems.append(card_problem(work.cards[takers[-1]], "double-owner", text, "owns"))
            del work.owner[path]


def _settle_symbols(work: _Map, files: Mapping[TreePath, str], definitions: Definitions) -> None:
    wanted: dict[tuple[TreePath, str], list[SymbolClaim]] = {}
    for card in work.cards.values():
        claims, problems = symbol_claims(card, work.paths)
        work.problems += problems
        for claim in claims:
            wanted.setdefault((claim.path, claim.symbol), []).append(claim)
    known: dict[TreePath, frozenset[str]] = {}
    for (path, symbol), claims in sorted(wanted.items()):
        if path not in known:
            known[path] = frozenset(found.name for found in definitions(path)) if path in files else frozenset()
        if symbol not in known[path]:
            for claim in claims:
                text = f"{path_text(path)} defines no {symbol!r}"
                work.problems.append(
                    card_problem(work.cards[claim.module], "no-such-symbol", text, "owns", claim.entry)
                )
            continue
        _settle_symbol(work, (path, symbol), claims)
    _refuse_nested(work)


def _settle_symbol(work: _Map, place: tuple[TreePath, str], claims: Iterable[SymbolClaim]) -> None:
    path, symbol = place
    lender = work.owner.get(path)
    takers: list[ModuleId] = []
    for claim in claims:
        card = work.cards[claim.module]
        inside = beneath(path, card.directory)
        if inside or (lender and (lender == claim.module or lends(work.cards[lender], path, symbol, claim.module))):
            takers.append(claim.module)
        else:
            _refuse(work, claim.module, claim.entry, f"{path_text(path)}::{symbol}", lender)
    chosen = sorted(set(takers))
    if len(chosen) > 1:
        text = f"{path_text(path)}::{symbol} is claimed by {' and '.join(chosen)}"
        work.problems.append(card_problem(work.cards[chosen[-1]], "double-owner", text, "owns"))
    elif chosen and chosen[0] != lender:
        work.symbols[place] = chosen[0]


def _refuse_nested(work: _Map) -> None:
    for path, symbol in sorted(work.symbols):
        outer = symbol.rpartition(".")[0]
        while outer and (path, outer) not in work.symbols:
            outer = outer.rpartition(".")[0]
        if outer:
            module = work.symbols[path, symbol]
            text = f"{path_text(path)}::{symbol} lies inside {outer}, which {work.symbols[path, outer]} claims"
            work.problems.append(card_problem(work.cards[module], "double-owner", text, "owns"))


def _refuse(work: _Map, module: ModuleId, entry: int | None, what: str, lender: ModuleId | None) -> None:
    reason = f"module {lender} owns it and does not lend it" if lender else "no card there lends it"
    text = f"{what} lies outside the directory of the card, and {reason}"
    keys: tuple[str | int, ...] = ("owns",) if entry is None else ("owns", entry)
    hint = f"add `lends: [{{pattern: ..., to: {module}}}]` to the card of {lender}" if lender else None
    work.problems.append(card_problem(work.cards[module], "claims-elsewhere", text, *keys, hint=hint))


def _assets(work: _Map, card: LoadedCard) -> tuple[TreePath, ...]:
    found: set[TreePath] = set()
    for place, text in enumerate(card.card.assets):
        pattern = Pattern(text, card.directory)
        matched = {path for path in work.paths if pattern.matches(path)}
        if not matched:
            work.problems.append(card_problem(card, "matches-nothing", f"{text!r} matches no file", "assets", place))
        found |= matched
    return tuple(sorted(found))


def _pieces(work: _Map) -> Mapping[ModuleId, tuple[Piece, ...]]:
    pieces: dict[ModuleId, list[Piece]] = {module: [] for module in work.cards}
    carved = {path for path, _ in work.symbols}
    for path, module in work.owner.items():
        pieces[module].append(Piece(path, "" if path in carved else None))
    for (path, symbol), module in work.symbols.items():
        pieces[module].append(Piece(path, symbol))
    return {module: tuple(sorted(found, key=_piece_order)) for module, found in pieces.items()}


def _piece_order(piece: Piece) -> tuple[bytes, str]:
    return (piece.path, piece.symbol or "")
