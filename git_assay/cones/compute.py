"""What are the digests of all modules of one tree, in one mode?

One linear pass for each reach; modules then share its bit sets. Pure: values in, values out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from git_assay.cones.digests import (
    Closure,
    NamedInputs,
    PieceItem,
    check_digest,
    close,
    cone_digest,
    file_item,
    gov_digest,
    own_digest,
    tree_digest,
)
from git_assay.cones.inputs import InputFinder
from git_assay.cones.model import ModuleDigests
from git_assay.cones.parts import TreeParts
from git_assay.graph.model import Node
from git_assay.modules.card import Check
from git_assay.modules.contract import contract_part, governance
from git_assay.modules.model import LoadedCard, Piece
from git_assay.values.digests import Mode, Reach
from git_assay.values.ids import ASSAY_SUBJECT, Digest, ModuleId, TreePath

_RUN_KINDS = frozenset({"tests", "property", "resource", "explanation", "contract"})
_EXACT_KINDS = frozenset({"static", "build"})


def check_reach(kind: str) -> Reach:
    """Returns the reach of a check's cone; of a kind nobody knows, the larger. **Source:** design 40-gate §1."""
    return Reach.RUN if kind in _RUN_KINDS else Reach.ALL


def check_modes(kind: str) -> tuple[Mode, ...]:
    """Returns the modes in which a check has a digest: linters and compilers read formatting."""
    return (Mode.EXACT,) if kind in _EXACT_KINDS else (Mode.EXACT, Mode.CODE)


class ModeDigester:
    """Makes the digests of one tree in one mode.

    files: the digest of each entry of the tree in this mode.  symbols: of each piece that is not a whole file.
    """

    def __init__(
        self, parts: TreeParts, mode: Mode, files: Mapping[TreePath, Digest], symbols: Mapping[Piece, Digest]
    ) -> None:
        self._parts = parts
        self._mode = mode
        self._symbols = symbols
        self._files = files
        self._items = {path: file_item(path, entry.mode, files[path]) for path, entry in parts.entries.items()}
        self._closures: dict[Reach, Closure] = {}
        self._trees: dict[Reach, Digest] = {}
        self._inputs = InputFinder(parts.entries)

    def all(self) -> dict[ModuleId, ModuleDigests]:
        """Returns the digests of every declared module and of `.assay`."""
        return {module: self._module(module) for module in (*self._parts.cards, ASSAY_SUBJECT)}

    def closure(self, reach: Reach) -> Closure:
        """Returns the components of one reach."""
        if reach not in self._closures:
            nodes = self._parts.network.nodes
            items = [None if node.hub else self._items[TreePath(node.name)] for node in nodes]
            self._closures[reach] = close(self._parts.network, reach, items)
        return self._closures[reach]

    def _module(self, module: ModuleId) -> ModuleDigests:
        loaded = self._parts.cards.get(module)
        contract = None if loaded is None else contract_part(loaded.card)
        own = own_digest(module, contract, map(self._piece_item, self._parts.own_pieces(module)))
        files = self._parts.own_files(module)
        nodes = self._numbers(files)
        cone = {reach: cone_digest(own, self.closure(reach).reached(nodes)) for reach in Reach}
        checks: dict[str, Digest] = {}
        for check in loaded.card.checks if loaded else ():
            if loaded and self._mode in check_modes(check.kind):
                checks[check.name] = self._check(check, loaded, files, cone)
        gov = gov_digest(None if loaded is None else governance(loaded.card, loaded.source))
        return ModuleDigests(self._mode, own, cone, checks, gov)

    def _piece_item(self, piece: Piece) -> PieceItem:
        value = self._files[piece.path] if piece.symbol is None else self._symbols[piece]
        return PieceItem(piece.path, piece.symbol, self._parts.entries[piece.path].mode, value)

    def _check(
        self, check: Check, loaded: LoadedCard, files: tuple[TreePath, ...], cone: Mapping[Reach, Digest]
    ) -> Digest:
        reach = check_reach(check.kind)
        if check.inputs is None:
            return check_digest(cone[reach], check, self._tree(reach))
        found = self._inputs.find(check, loaded, files)
        sources = [path for path in found if path in self._parts.graph.files]
        components = self.closure(reach).of(self._numbers(sources))
        named = NamedInputs(frozenset(self._items[path] for path in found), tuple(components))
        return check_digest(cone[reach], check, named)

    def _tree(self, reach: Reach) -> Digest:
        if reach not in self._trees:
            components = self.closure(reach).of(self._numbers(self._parts.graph.files))
            self._trees[reach] = tree_digest(self._items.values(), components)
        return self._trees[reach]

    def _numbers(self, paths: Iterable[TreePath]) -> list[int]:
        return [self._parts.network.number[Node(False, path)] for path in paths]
