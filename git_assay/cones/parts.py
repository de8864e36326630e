"""What of one tree do digests and cones need, whatever the mode?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from git_assay.git.snapshot import Entry
from git_assay.graph.model import ImportGraph
from git_assay.modules.model import LoadedCard, Ownership, Piece
from git_assay.values.ids import ASSAY_SUBJECT, ModuleId, TreePath


@dataclass(frozen=True, slots=True, eq=False)
class TreeParts:
    """What the digests of one tree are made of, whatever the mode. assay: the paths of the subject `.assay`."""

    entries: Mapping[TreePath, Entry]
    cards: Mapping[ModuleId, LoadedCard]
    ownership: Ownership
    graph: ImportGraph
    assay: tuple[TreePath, ...]

    def own_pieces(self, module: ModuleId) -> tuple[Piece, ...]:
        """Returns the pieces and assets of a module or of `.assay`; a path that is both is one piece."""
        if module == ASSAY_SUBJECT:
            return tuple(Piece(path) for path in self.assay)
        assets = (Piece(path) for path in self.ownership.assets.get(module, ()))
        return tuple(dict.fromkeys((*self.ownership.pieces.get(module, ()), *assets)))

    def own_files(self, module: ModuleId) -> tuple[TreePath, ...]:
        """Returns the files that contain something the module owns, sorted: where its cone begins."""
        return tuple(sorted({piece.path for piece in self.ownership.pieces.get(module, ())}))
