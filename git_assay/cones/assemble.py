"""How are declarations, ownership and import graph made from one tree?

Apart from `analysis`, because it needs YAML and the grammars, which a tree that is known already does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from git_assay.errors import DocumentProblems
from git_assay.git.snapshot import Snapshot
from git_assay.graph.build import build_graph
from git_assay.graph.model import ImportGraph
from git_assay.graph.store import FactStore
from git_assay.modules.config import Config
from git_assay.modules.load import load_declarations
from git_assay.modules.model import Declarations, Ownership
from git_assay.modules.ownership import map_ownership
from git_assay.modules.patterns import Pattern
from git_assay.modules.scope import source_files
from git_assay.syntax.facts import Definition
from git_assay.syntax.languages import EXTRACTOR_VERSION
from git_assay.values.ids import ModuleId, TreePath


def assemble(snapshot: Snapshot, store: FactStore) -> tuple[Declarations, Ownership, ImportGraph]:
    """Returns what is declared, who owns what, and what imports what.

    Raises NotAdopted without `.assay/`, DocumentProblems when a document is wrong (problems of ownership are carried in
    the map: they are for `check` to tell).
    """
    declarations = load_declarations(snapshot)
    if declarations.problems:
        raise DocumentProblems(declarations.problems)
    config = declarations.config
    files = source_files(snapshot, config)
    ownership = map_ownership(snapshot, declarations, files, _definitions(snapshot, store, files))
    dynamic = _dynamic(declarations, ownership, files)
    accepted = _matching(config.open_accepted, TreePath(b""), files)
    graph = build_graph(snapshot, files, config, store=store, dynamic=dynamic, accepted=frozenset(accepted))
    return declarations, ownership, graph


def undeclared_graph(snapshot: Snapshot, store: FactStore) -> ImportGraph:
    """Returns the import graph of a tree without `.assay/`, by the default configuration."""
    config = Config(format="assay-config/1", repository="", extractor=EXTRACTOR_VERSION)
    return build_graph(snapshot, source_files(snapshot, config), config, store=store, dynamic={})


def _definitions(
    snapshot: Snapshot, store: FactStore, files: Mapping[TreePath, str]
) -> Callable[[TreePath], tuple[Definition, ...]]:
    def definitions(path: TreePath) -> tuple[Definition, ...]:
        oid = snapshot.entries[path].oid
        return store.definitions(files[path], (oid,))[oid].definitions

    return definitions


def _dynamic(
    declarations: Declarations, ownership: Ownership, files: Mapping[TreePath, str]
) -> Mapping[TreePath, tuple[TreePath, ...]]:
    """Returns where the open files of cards with `dynamic` lead. **Source:** design 20-graph §2."""
    named: dict[ModuleId, tuple[TreePath, ...]] = {}
    for module, loaded in declarations.cards.items():
        if loaded.card.dynamic is not None:
            named[module] = _matching(loaded.card.dynamic, loaded.directory, files)
    return {path: named[owner] for path, owner in ownership.owner.items() if owner in named and path in files}


def _matching(texts: Iterable[str], directory: TreePath, paths: Iterable[TreePath]) -> tuple[TreePath, ...]:
    patterns = [Pattern(text, directory) for text in texts]
    return tuple(sorted(path for path in paths if any(pattern.matches(path) for pattern in patterns)))
