"""What are the digests of all modules of one tree, in one mode?

One linear pass for each reach; modules then share its bit sets. Pure: values in, values out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

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
from git_assay.cones.network import Network
from git_assay.cones.parts import TreeParts
from git_assay.graph.model import Node
from git_assay.modules.card import Check
from git_assay.modules.model import LoadedCard, Piece
from git_assay.values.canonical import Canonical
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


@dataclass(frozen=True, slots=True)
class CardParts:
    """What of a card is hashed into own(M), and what into gov(M)."""

    contract: Canonical
    governance: Canonical


@dataclass(frozen=True, slots=True, eq=False)
class ContentDigests:
    """The digests of content in one mode.

    files: of each entry of the tree.  symbols: of each piece that is not a whole file.
    """

    mode: Mode
    files: Mapping[TreePath, Digest]
    symbols: Mapping[Piece, Digest]


class ModeDigester:
    """Makes the digests of one tree in one mode.

    network: of the graph and of all that is owned.  cards: the hashed parts of every declared module's card.
    """

    def __init__(
        self, parts: TreeParts, network: Network, cards: Mapping[ModuleId, CardParts], content: ContentDigests
    ) -> None:
        self._parts = parts
        self._network = network
        self._cards = cards
        self._content = content
        files = content.files
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
            nodes = self._network.nodes
            items = [None if node.hub else self._items[TreePath(node.name)] for node in nodes]
            self._closures[reach] = close(self._network, reach, items)
        return self._closures[reach]

    def _module(self, module: ModuleId) -> ModuleDigests:
        loaded = self._parts.cards.get(module)
        card = self._cards.get(module, CardParts(None, None))
        own = own_digest(module, card.contract, map(self._piece_item, self._parts.own_pieces(module)))
        files = self._parts.own_files(module)
        nodes = self._numbers(files)
        cone = {reach: cone_digest(own, self.closure(reach).reached(nodes)) for reach in Reach}
        checks: dict[str, Digest] = {}
        for check in loaded.card.checks if loaded else ():
            if loaded and self._content.mode in check_modes(check.kind):
                checks[check.name] = self._check(check, loaded, files, cone)
        return ModuleDigests(self._content.mode, own, cone, checks, gov_digest(module, card.governance))

    def _piece_item(self, piece: Piece) -> PieceItem:
        value = self._content.files[piece.path] if piece.symbol is None else self._content.symbols[piece]
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
        return [self._network.number[Node(False, path)] for path in paths]
