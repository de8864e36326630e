"""What imports what in one tree?

1. The facts of every source file in scope come from the store.
2. Each written import is resolved (`python`); an asset literal counts where it names a path of the tree.
3. `conftest.py` files are implicit imports of the tests below them.
4. An open file leads to the hubs of all roots and of its own directory, and to the whole tree where what it loads need
   not lie in a root (`OpenImport.anywhere`), unless its card says where it leads (`dynamic`) or it is accepted.

`Edge.written` is hashed into cones, so its form is fixed (EXTRACTOR_VERSION): `a.b` for `import a.b`, `.a:b,c` for
`from .a import b, c`, `dynamic:a.b` (and `dynamic:a.b:c` with a from-list), `asset:res/a.json`, `open` for a hub or a
file named by `dynamic:` globs, `conftest`. An ancestor package carries the text of the import that executes it.
**Source:** design 20-graph §2.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from git_assay.git.snapshot import Snapshot
from git_assay.graph.model import Edge, ImportGraph, Loose, Node
from git_assay.graph.python import PythonResolver, holds, hub_roots
from git_assay.graph.roots import nearest_base, python_roots
from git_assay.graph.store import FactStore
from git_assay.graph.tree import TreeIndex, beneath
from git_assay.syntax.facts import ImportFacts, ImportKind, OpenImport, WrittenImport
from git_assay.values.digests import Reach
from git_assay.values.ids import TreePath

# What pytest collects by default, and the plugin files themselves.
_TEST_FILE = re.compile(rb"(?:.*/)?(?:test_[^/]*|[^/]*_test|tests?|conftest)\.py")


class Roots(Protocol):
    """The part of the configuration that resolution needs."""

    @property
    def roots(self) -> tuple[str, ...]:
        """Directories that imports are resolved from; () = found from the tree."""
        ...


def build_graph(
    snapshot: Snapshot,
    files: Mapping[TreePath, str],
    config: Roots,
    *,
    store: FactStore,
    dynamic: Mapping[TreePath, tuple[TreePath, ...]],
    accepted: frozenset[TreePath] = frozenset(),
) -> ImportGraph:
    """Returns the import graph of a tree.

    files: source files in scope, with their language.  dynamic: where the open files of a card lead.
    accepted: files that may be open without a hub edge.
    """
    index = TreeIndex(snapshot)
    paths = {path: language for path, language in sorted(files.items()) if snapshot.entries[path].is_file}
    facts = _facts(snapshot, paths, store)
    roots = python_roots(snapshot, index, config.roots)
    building = _Building(index, PythonResolver(index, roots))
    hubs = _Hubs(paths, roots, index)
    edges: dict[TreePath, tuple[Edge, ...]] = {}
    loose: dict[TreePath, tuple[Loose, ...]] = {}
    for path, found in facts.items():
        own, lost = building.imports(path, found)
        own |= set(building.conftests(path))
        if found.opens and path not in accepted:
            own |= set(_open_edges(path, found.opens, dynamic.get(path), hubs))
        edges[path] = tuple(sorted(own, key=_edge_order))
        loose[path] = tuple(sorted(lost, key=_loose_order))
    return ImportGraph(
        files=paths,
        edges={path: found for path, found in edges.items() if found},
        loose={path: found for path, found in loose.items() if found},
        hubs=hubs.members,
        opens={path: found.opens for path, found in facts.items() if found.opens},
        accepted=frozenset(path for path, found in facts.items() if found.opens and path in accepted),
        broken=frozenset(path for path, found in facts.items() if found.broken),
    )


class _Building:
    """Edges of one file at a time."""

    def __init__(self, index: TreeIndex, resolver: PythonResolver) -> None:
        self._index = index
        self._resolver = resolver

    def imports(self, path: TreePath, facts: ImportFacts) -> tuple[set[Edge], set[Loose]]:
        """Steps 2."""
        edges: set[Edge] = set()
        loose: set[Loose] = set()
        for item in facts.imports:
            if item.kind is ImportKind.ASSET:
                edges |= set(self._assets(path, item))
                continue
            kind, text = _kind(path, item), written_text(item)
            reach = _reach(kind, item.deferred)
            resolution = self._resolver.resolve(path, item)
            for target in resolution.targets:
                if target.path == path:
                    continue
                of_target = ImportKind.TYPE if target.stub else ImportKind.IMPLICIT if target.implicit else kind
                of_target = ImportKind.TYPE if kind is ImportKind.TYPE else of_target
                to_reach = Reach.ALL if of_target is ImportKind.TYPE else reach
                edges.add(Edge(path, Node(False, target.path), of_target, text, item.line, to_reach))
            if resolution.external is not None or resolution.reason is not None:
                lost = Loose(path, text, kind, item.line, reach, resolution.external, resolution.reason)
                loose.add(lost)
        return edges, loose

    def conftests(self, path: TreePath) -> Iterator[Edge]:
        """Step 3."""
        if not _TEST_FILE.fullmatch(path):
            return
        directory: bytes = path
        while directory:
            directory = directory.rpartition(b"/")[0]
            for target in self._index.find(beneath(directory, b"conftest.py")):
                if target != path:
                    yield Edge(path, Node(False, target), ImportKind.IMPLICIT, "conftest", 0, Reach.RUN)

    def _assets(self, path: TreePath, item: WrittenImport) -> Iterator[Edge]:
        for target in self._resolver.asset(path, item.specifier):
            if target != path:
                text = f"asset:{item.specifier}"
                yield Edge(path, Node(False, target), ImportKind.ASSET, text, item.line, Reach.RUN)


def written_text(item: WrittenImport) -> str:
    """Returns the form of an import that is hashed into cones."""
    text = item.specifier + (":" + ",".join(item.names) if item.names else "")
    text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return f"dynamic:{text}" if item.kind is ImportKind.DYNAMIC else text


def _facts(snapshot: Snapshot, files: Mapping[TreePath, str], store: FactStore) -> dict[TreePath, ImportFacts]:
    """Step 1."""
    found: dict[TreePath, ImportFacts] = {}
    for language in sorted(set(files.values())):
        paths = [path for path, name in files.items() if name == language]
        by_oid = store.imports(language, [snapshot.entries[path].oid for path in paths])
        found.update({path: by_oid[snapshot.entries[path].oid] for path in paths})
    return dict(sorted(found.items()))


class _Hubs:
    """members: the files of every hub that is there for a root, or that some open file needs besides."""

    def __init__(self, files: Mapping[TreePath, str], roots: Iterable[bytes], index: TreeIndex) -> None:
        self._python = [path for path, language in files.items() if language == "python"]
        self.index = index
        self._outer = tuple(hub_roots(self._python, tuple(roots)))
        self.members: dict[bytes, tuple[TreePath, ...]] = {}
        for root in self._outer:
            self._add(root)

    def of(self, path: TreePath, opens: Iterable[OpenImport]) -> Iterator[bytes]:
        """Yields the hubs of an open file: the whole tree where it may load anything, else every root and its own."""
        if any(item.anywhere for item in opens):
            yield self._add(b"")
            return
        base = nearest_base(path, self.index)
        own = () if any(holds(root, path) for root in self._outer) else (base,)
        for root in (*self._outer, *own):
            yield self._add(root)

    def _add(self, root: bytes) -> bytes:
        name = b"*python:" + root
        if name not in self.members:
            self.members[name] = tuple(path for path in self._python if holds(root, path))
        return name


def _open_edges(
    path: TreePath, opens: tuple[OpenImport, ...], named: tuple[TreePath, ...] | None, hubs: _Hubs
) -> Iterator[Edge]:
    """Step 4. Only what is open inside functions alone is left to reach RUN."""
    reach = Reach.RUN if all(item.deferred for item in opens) else Reach.LOAD
    line = opens[0].line
    if named is not None:
        targets = [Node(False, target) for target in named if target != path and target in hubs.index.entries]
    else:
        targets = [Node(True, name) for name in hubs.of(path, opens)]
    for target in targets:
        yield Edge(path, target, ImportKind.DYNAMIC, "open", line, reach)


def _kind(path: TreePath, item: WrittenImport) -> ImportKind:
    if path.endswith(b".pyi"):
        return ImportKind.TYPE
    is_package = path.rpartition(b"/")[2] == b"__init__.py"
    return ImportKind.REEXPORT if is_package and item.names and item.kind is ImportKind.LOAD else item.kind


def _reach(kind: ImportKind, deferred: bool) -> Reach:
    if kind in (ImportKind.TYPE, ImportKind.STRING):
        return Reach.ALL
    return Reach.RUN if deferred else Reach.LOAD


def _edge_order(edge: Edge) -> tuple[object, ...]:
    return (edge.target, edge.line, edge.written, edge.kind.value, edge.reach.value)


def _loose_order(item: Loose) -> tuple[object, ...]:
    return (item.line, item.written, item.kind.value, item.reach.value, item.external or "", item.reason or "")
