"""By which imports does a change reach a module, and how far away is it?

One breadth-first walk against the imports, from everything that changed, gives each file its distance (in imports) and
the next file towards the change; so all modules of a tree are answered in one linear pass. It runs on the result's
graph, and on the base's graph for what the result no longer has. **Source:** design 40-gate §2.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from git_assay.graph.model import Edge, ImportGraph, Node
from git_assay.values.ids import TreePath


@dataclass(frozen=True, slots=True, eq=False)
class Carriers:
    """step: the import that leads from a file one step nearer to the change; None where the file itself changed.

    distance: in imports, 0 for a file that changed.
    """

    step: Mapping[TreePath, Edge | None]
    distance: Mapping[TreePath, int]

    def chain(self, path: TreePath) -> tuple[Edge, ...]:
        """Returns the shortest chain from `path` to something that changed, () when it changed itself.

        Raises KeyError when no chain exists.
        """
        chain: list[Edge] = []
        step = self.step[path]
        while step is not None:
            chain.append(step)
            step = self.step[TreePath(step.target.name)]
        return tuple(chain)


def find_carriers(graph: ImportGraph, changed: Iterable[TreePath]) -> Carriers:
    """Returns the nearest change of every file that reaches one. An edge to a hub leads to all of the hub's members."""
    importers, openers = _importers(graph)
    hubs = [(hub, frozenset(members)) for hub, members in sorted(graph.hubs.items())]
    step: dict[TreePath, Edge | None] = dict.fromkeys(sorted(changed))
    distance = dict.fromkeys(step, 0)
    queue = deque(step)
    opened: set[bytes] = set()
    while queue:
        path = queue.popleft()
        edges = sorted(importers[path]) if path in importers else []
        for hub, members in hubs:
            if hub not in opened and path in members:
                opened.add(hub)
                edges += [_through(edge, path) for edge in sorted(openers.get(hub, ()))]
        for edge in edges:
            if edge.source not in step:
                step[edge.source] = edge
                distance[edge.source] = distance[path] + 1
                queue.append(edge.source)
    return Carriers(step, distance)


def _through(edge: Edge, path: TreePath) -> Edge:
    """Returns an open file's edge as one to the member of the hub that changed, so that the chain can be followed."""
    return Edge(edge.source, Node(False, path), edge.kind, edge.written, edge.line, edge.reach)


def _importers(graph: ImportGraph) -> tuple[Mapping[bytes, list[Edge]], Mapping[bytes, list[Edge]]]:
    """Returns the edges to each file and to each hub; only those that the walk comes to are sorted, when it does."""
    files: defaultdict[bytes, list[Edge]] = defaultdict(list)
    hubs: defaultdict[bytes, list[Edge]] = defaultdict(list)
    for edges in graph.edges.values():
        for edge in edges:
            hub, name = edge.target
            (hubs if hub else files)[name].append(edge)
    return files, hubs
