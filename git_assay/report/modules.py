"""How are modules shown?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from git_assay.modules.model import LoadedCard, Ownership, Piece
from git_assay.values.text import clean, path_text

LIST_FORMAT = "assay-modules/1"
SHOW_FORMAT = "assay-module/1"
_SHOWN = 20  # owned pieces on screen; JSON has all


def list_text(cards: Sequence[LoadedCard]) -> str:
    """Returns one aligned line for each module: id, owners, goal."""
    if not cards:
        return "no modules"
    width = max(len(card.id) for card in cards)
    owners = [clean(" ".join(card.card.owners)) or "-" for card in cards]
    wide = max(map(len, owners))
    return "\n".join(
        f"{card.id:{width}}  {owner:{wide}}  {clean(card.card.goal)}" for card, owner in zip(cards, owners, strict=True)
    )


def list_document(cards: Iterable[LoadedCard]) -> Mapping[str, object]:
    """Returns the JSON form of the list."""
    return {
        "format": LIST_FORMAT,
        "modules": [
            {
                "module": card.id,
                "goal": card.card.goal,
                "owners": list(card.card.owners),
                "labels": list(card.card.labels),
                "parent": card.card.parent,
                "card": f"{path_text(card.path)}:{card.line}",
            }
            for card in cards
        ],
    }


def show_text(card: LoadedCard, ownership: Ownership) -> str:
    """Returns one module: where its card stands, the card as written, and what it owns."""
    pieces = [piece_text(piece) for piece in ownership.pieces[card.id]]
    lines = [f"# {path_text(card.path)}:{card.line}"]
    lines += [clean(line) for line in card.source.decode("utf-8", "replace").rstrip().splitlines()]
    lines += ["", f"owns {len(pieces)} piece{'' if len(pieces) == 1 else 's'}"]
    lines += [f"  {piece}" for piece in pieces[:_SHOWN]]
    if len(pieces) > _SHOWN:
        lines.append(f"  and {len(pieces) - _SHOWN} more (--json lists all)")
    return "\n".join(lines)


def show_document(card: LoadedCard, ownership: Ownership) -> Mapping[str, Any]:
    """Returns the JSON form of one module."""
    return {
        "format": SHOW_FORMAT,
        "module": card.id,
        "place": f"{path_text(card.path)}:{card.line}",
        "card": msgspec.to_builtins(card.card),
        "owns": [piece_text(piece) for piece in ownership.pieces[card.id]],
        "assets": [path_text(path) for path in ownership.assets[card.id]],
    }


def piece_text(piece: Piece) -> str:
    """Returns `path`, `path::symbol`, or `path::` for the rest of a file out of which symbols are carved."""
    return path_text(piece.path) + (f"::{piece.symbol}" if piece.symbol is not None else "")
