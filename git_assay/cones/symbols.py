"""What is the digest of a symbol that one module owns inside another module's file, and of the rest of that file?

Only the few files out of which something is carved are read and parsed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from git_assay.git.snapshot import Snapshot
from git_assay.modules.model import Ownership, Piece
from git_assay.syntax.facts import PartDigest
from git_assay.values.digests import Mode
from git_assay.values.ids import Digest, TreePath

if TYPE_CHECKING:
    from git_assay.graph.store import FactStore


@dataclass(frozen=True, slots=True, eq=False)
class SymbolDigests:
    """by_piece: both digests of every piece that is not a whole file."""

    by_piece: Mapping[Piece, PartDigest]

    def mode(self, mode: Mode) -> Mapping[Piece, Digest]:
        """Returns the digests of one mode."""
        if mode is Mode.EXACT:
            return {piece: part.exact for piece, part in self.by_piece.items()}
        return {piece: part.code for piece, part in self.by_piece.items()}


def digest_symbols(
    snapshot: Snapshot, store: FactStore, ownership: Ownership, files: Mapping[TreePath, str]
) -> SymbolDigests:
    """Returns the digests of all carved pieces. files: language of each source file."""
    carved: dict[TreePath, list[Piece]] = {}
    for owned in ownership.pieces.values():
        for piece in owned:
            if piece.symbol is not None:
                carved.setdefault(piece.path, []).append(piece)
    symbols: dict[TreePath, list[str]] = {}
    for path, symbol in sorted(ownership.symbols):
        symbols.setdefault(path, []).append(symbol)
    found: dict[Piece, PartDigest] = {}
    for path, pieces in sorted(carved.items()):
        parts, rest = store.parts(files[path], snapshot.entries[path].oid, symbols.get(path, ()))
        found.update({piece: parts[piece.symbol] if piece.symbol else rest for piece in pieces})
    return SymbolDigests(found)
