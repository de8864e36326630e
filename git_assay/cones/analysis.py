"""What is declared, what imports what, and which digests follow, for one tree?

Everything that depends on the tree alone comes from here: declarations, ownership, import graph and digests. The
digests of code mode need every file parsed in full, so they are made when first asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from git_assay import __version__
from git_assay.cones.chains import Chains, find_chains
from git_assay.cones.digests import CONE_VERSION
from git_assay.cones.model import ModuleDigests
from git_assay.cones.parts import TreeParts
from git_assay.cones.symbols import SymbolDigests, digest_symbols
from git_assay.cones.tree_cache import TreeCache
from git_assay.errors import AssayError
from git_assay.git.snapshot import Snapshot
from git_assay.graph.model import Edge, ImportGraph
from git_assay.modules.config import Config
from git_assay.modules.model import Declarations, LoadedCard, Ownership, Piece
from git_assay.modules.unknown import UnknownModule
from git_assay.syntax.facts import OpenImport
from git_assay.syntax.languages import EXTRACTOR_VERSION, facts_version, known
from git_assay.values.digests import Mode, Reach
from git_assay.values.ids import ASSAY_SUBJECT, Digest, ModuleId, ObjectId, TreePath
from git_assay.values.text import clean, path_text

if TYPE_CHECKING:
    from git_assay.cones.network import Network
    from git_assay.graph.store import FactStore


T = TypeVar("T")

# Sections of the cache.
_CONFIG, _DECLARATIONS, _OWNERSHIP, _GRAPH, _DIGESTS = "config", "declarations", "ownership", "graph", "digests"


class Analysis:
    """All answers about one tree. Immutable to its users; what is costly is made on first use and kept."""

    def __init__(self, snapshot: Snapshot, store: FactStore, trees: TreeCache) -> None:
        self.snapshot = snapshot
        self._store = store
        self._trees = trees
        self._digests: dict[Mode, Mapping[ModuleId, ModuleDigests]] = {}
        self._chains: dict[tuple[ModuleId, Reach], Chains] = {}

    @cached_property
    def declarations(self) -> Declarations:
        """What the cards and the configuration say. Raises NotAdopted and DocumentProblems, as `analyze` does."""
        return self._kept(_DECLARATIONS, Declarations) or self._assembled[0]

    @cached_property
    def ownership(self) -> Ownership:
        """Who owns what."""
        return self._kept(_OWNERSHIP, Ownership) or self._assembled[1]

    @cached_property
    def graph(self) -> ImportGraph:
        """What imports what."""
        return self._kept(_GRAPH, ImportGraph) or self._assembled[2]

    @property
    def tree(self) -> ObjectId:
        """The id of the tree."""
        return self.snapshot.tree

    @property
    def modules(self) -> tuple[ModuleId, ...]:
        """The declared modules, in order of id (the reserved subjects are not among them)."""
        return tuple(self.declarations.cards)

    def card(self, module: ModuleId) -> LoadedCard:
        """Returns the card of a declared module. Raises UnknownModule otherwise."""
        loaded = self.declarations.cards.get(module)
        if loaded is None:
            raise UnknownModule(module, self.modules)
        return loaded

    def digests(self, module: ModuleId, mode: Mode) -> ModuleDigests:
        """Returns the digests of a module or of `.assay`. Raises AssayError for an unknown module."""
        self._known(module)
        if mode not in self._digests:
            section = f"{_DIGESTS}-{mode.value.lower()}"
            kept = self._kept(section, dict[ModuleId, ModuleDigests])
            self._digests[mode] = self._compute(mode) if kept is None else kept
            if kept is None:
                self._trees.save(self.tree, section, self._digests[mode])
        return self._digests[mode][module]

    def members(self, module: ModuleId, reach: Reach = Reach.RUN) -> frozenset[TreePath]:
        """Returns the files of the module's cone, its own files included. Raises AssayError for an unknown module."""
        return self.chains(module, reach).files

    def chain(self, module: ModuleId, path: TreePath, reach: Reach = Reach.RUN) -> tuple[Edge, ...]:
        """Returns the shortest chain of imports from the module's own files to `path`, () for an own file.

        A step through an open file is one edge, from it to the member that is reached. Raises AssayError when the path
        is not in the cone.
        """
        try:
            return self.chains(module, reach).to(path)
        except KeyError:
            raise AssayError(f"{path_text(path)} is not in the {reach.value.lower()} cone of {clean(module)}") from None

    def chains(self, module: ModuleId, reach: Reach = Reach.RUN) -> Chains:
        """Returns the shortest chains to all members of the module's cone."""
        self._known(module)
        key = (module, reach)
        if key not in self._chains:
            self._chains[key] = find_chains(self.graph, self._parts.own_files(module), reach)
        return self._chains[key]

    def pieces(self, module: ModuleId) -> Mapping[str, Digest]:
        """Returns piece text -> exact digest of what the module owns and of its assets, sorted.

        For `.assay`: every file under `.assay/` and every `.gitattributes`.
        """
        self._known(module)
        owned = self._parts.own_pieces(module)
        files = self.exact({piece.path for piece in owned if piece.symbol is None})
        carved = self._symbols.by_piece
        texts = {
            piece_text(piece): files[piece.path] if piece.symbol is None else carved[piece].exact for piece in owned
        }
        return dict(sorted(texts.items()))

    def piece_owner(self, path: TreePath) -> ModuleId | None:
        """Returns the module that owns the file at `path` (`.assay` included), else the first that has it as asset."""
        if is_assay_path(path):
            return ASSAY_SUBJECT
        return self.ownership.owner.get(path) or self._asset_owner.get(path)

    def exact(self, paths: Iterable[TreePath]) -> Mapping[TreePath, Digest]:
        """Returns SHA-256 of the bytes of each path (of a submodule: its commit id). Missing paths raise KeyError."""
        entries = {path: self.snapshot.entries[path] for path in paths}
        known = self._store.exact(dict.fromkeys(entry.oid for entry in entries.values() if not entry.is_submodule))
        return {path: Digest(entry.oid) if entry.is_submodule else known[entry.oid] for path, entry in entries.items()}

    def parts_of(self, path: TreePath, oid: ObjectId, symbols: Iterable[str]) -> Mapping[str, Digest]:
        """Returns piece text -> exact digest of what a blob (this tree's or a past one) has of these symbols at `path`.

        The rest of the blob without them is the piece `path::`. Raises KeyError for what is no source file here.
        """
        parts, rest = self._store.parts(self.graph.files[path], oid, symbols)
        found = {piece_text(Piece(path, symbol)): part.exact for symbol, part in parts.items()}
        return {**found, piece_text(Piece(path, "")): rest.exact}

    def code_pieces(self, module: ModuleId, reach: Reach | None = None) -> Mapping[Piece, Digest]:
        """Returns the code digest of each owned piece and asset and, with a reach, of every other file of the cone.

        What is not a source file has its exact digest. Costs a full parse of what the cache does not know.
        """
        self._known(module)
        owned = self._parts.own_pieces(module)
        found = {piece: digest for piece, digest in self._symbols.mode(Mode.CODE).items() if piece in owned}
        mine = {piece.path for piece in owned}
        reached = () if reach is None else self.members(module, reach) - mine
        whole = {piece.path for piece in owned if piece.symbol is None}.union(reached)
        files = {**self.exact(whole), **self._code(whole & self.graph.files.keys())}
        return found | {Piece(path): digest for path, digest in files.items()}

    def opens(self, module: ModuleId, reach: Reach = Reach.RUN) -> Mapping[TreePath, tuple[OpenImport, ...]]:
        """Returns the open files of the module's cone with their open imports, by path.

        `graph.accepted` says which of them were not widened.
        """
        members = self.members(module, reach)
        return {path: opens for path, opens in sorted(self.graph.opens.items()) if path in members}

    def _kept(self, section: str, kind: type[T]) -> T | None:
        """Returns what an earlier run kept; nothing once this run has read the tree itself."""
        return None if "_assembled" in self.__dict__ else self._trees.load(self.tree, section, kind)

    def _known(self, module: ModuleId) -> None:
        if module != ASSAY_SUBJECT:
            self.card(module)

    def _compute(self, mode: Mode) -> Mapping[ModuleId, ModuleDigests]:
        from git_assay.cones.compute import CardParts, ContentDigests, ModeDigester
        from git_assay.modules.contract import contract_part, governance

        files = dict(self.exact(self.snapshot.entries))
        if mode is Mode.CODE:
            files.update(self._code(self.graph.files))
        cards = {
            module: CardParts(contract_part(loaded.card), governance(loaded.card))
            for module, loaded in self.declarations.cards.items()
        }
        return ModeDigester(
            self._parts, self._network, cards, ContentDigests(mode, files, self._symbols.mode(mode))
        ).all()

    def _code(self, wanted: Iterable[TreePath]) -> Mapping[TreePath, Digest]:
        by_language: dict[str, list[TreePath]] = {}
        for path in wanted:
            by_language.setdefault(self.graph.files[path], []).append(path)
        found: dict[TreePath, Digest] = {}
        for language, paths in sorted(by_language.items()):
            oids = {path: self.snapshot.entries[path].oid for path in paths}
            facts = self._store.definitions(language, dict.fromkeys(oids.values()))
            found.update({path: facts[oid].code for path, oid in oids.items()})
        return found

    @cached_property
    def _assembled(self) -> tuple[Declarations, Ownership, ImportGraph]:
        from git_assay.cones.assemble import assemble

        made = assemble(self.snapshot, self._store)
        for section, value in zip((_DECLARATIONS, _OWNERSHIP, _GRAPH), made, strict=True):
            self._trees.save(self.tree, section, value)
        return made

    @cached_property
    def _parts(self) -> TreeParts:
        return TreeParts(
            entries=self.snapshot.entries,
            cards=self.declarations.cards,
            ownership=self.ownership,
            graph=self.graph,
            assay=tuple(sorted(filter(is_assay_path, self.snapshot.entries))),
        )

    @cached_property
    def _network(self) -> Network:
        from git_assay.cones.network import build_network

        return build_network(self.graph, (piece.path for pieces in self.ownership.pieces.values() for piece in pieces))

    @cached_property
    def _symbols(self) -> SymbolDigests:
        return digest_symbols(self.snapshot, self._store, self.ownership, self.graph.files)

    @cached_property
    def _asset_owner(self) -> Mapping[TreePath, ModuleId]:
        owners: dict[TreePath, ModuleId] = {}
        for module, paths in sorted(self.ownership.assets.items()):
            for path in paths:
                owners.setdefault(path, module)
        return owners


def is_assay_path(path: TreePath) -> bool:
    """Returns whether a path belongs to the reserved subject `.assay`. **Source:** design 40-gate §3."""
    return path.startswith(b".assay/") or path == b".assay" or path.rpartition(b"/")[2] == b".gitattributes"


def piece_text(piece: Piece) -> str:
    """Returns the form of a piece in records: `path`, `path::Name.inner`, or `path::` for the rest of a file."""
    return path_text(piece.path) if piece.symbol is None else f"{path_text(piece.path)}::{piece.symbol}"


def analyze(snapshot: Snapshot, store: FactStore, *, trees: TreeCache | None = None) -> Analysis:
    """Returns the analysis of one tree. trees: what earlier runs kept, None for nothing.

    Raises NotAdopted without `.assay/`, DocumentProblems when cards are wrong.
    """
    analysis = Analysis(snapshot, store, trees or TreeCache(None, ""))
    _ = analysis.declarations  # wrong cards are an error now, not at some later question
    return analysis


def config_of(snapshot: Snapshot, trees: TreeCache) -> Config:
    """Returns the configuration of a tree, from what an earlier run kept where it did. Raises as `load_config` does."""
    declared = trees.load(snapshot.tree, _DECLARATIONS, Declarations)
    config = trees.load(snapshot.tree, _CONFIG, Config) if declared is None else declared.config
    if config is None:
        from git_assay.modules.load import load_config

        config = load_config(snapshot)
        trees.save(snapshot.tree, _CONFIG, config)
    return config


def open_tree_cache(folder: Path) -> TreeCache:
    """Returns the cache of trees in `folder`, for this version of everything that an analysis is made with."""
    versions = (__version__, EXTRACTOR_VERSION, CONE_VERSION, *((name, facts_version(name)) for name in known()))
    return TreeCache(folder, " ".join(map(str, versions)))
