"""Which imports bring a file into a cone, by the shortest way?

Breadth first from the module's own files; of several shortest chains the one whose files come first in byte order, so
that two machines print the same. A step through a hub is shown as one edge, from the open file to the member.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from git_assay.cones.network import RANK
from git_assay.graph.model import Edge, ImportGraph, Node
from git_assay.values.digests import Reach
from git_assay.values.ids import TreePath


@dataclass(frozen=True, slots=True, eq=False)
class Chains:
    """Shortest ways to everything reached. step: the edge that met each node first, None for a start."""

    step: Mapping[Node, Edge | None]

    @property
    def files(self) -> frozenset[TreePath]:
        """All files reached, the starts included."""
        return frozenset(TreePath(node.name) for node in self.step if not node.hub)

    def to(self, path: TreePath) -> tuple[Edge, ...]:
        """Returns the chain from a start to `path`, () for a start. Raises KeyError when it is not reached."""
        chain: list[Edge] = []
        step = self.step[Node(False, path)]
        while step is not None:
            chain.append(step)
            step = self.step[Node(False, step.source)]
        return tuple(reversed(chain))


def find_chains(graph: ImportGraph, starts: Iterable[TreePath], reach: Reach) -> Chains:
    """Returns the shortest chains from `starts` to all that they reach. Linear in the edges met."""
    step: dict[Node, Edge | None] = dict.fromkeys(Node(False, path) for path in sorted(starts))
    level = list(step)
    while level:
        found: dict[Node, Edge] = {}
        for node in level:
            for edge in _edges(graph, TreePath(node.name), reach, step):
                if edge.target not in step:
                    found.setdefault(edge.target, edge)
        step.update(found)
        level = [node for node in found if not node.hub]
    return Chains(step)


def _edges(graph: ImportGraph, path: TreePath, reach: Reach, step: dict[Node, Edge | None]) -> Iterable[Edge]:
    """Yields the edges of one file; one to a hub becomes one to each member, the first time the hub is met."""
    rank = RANK[reach]
    for edge in graph.edges.get(path, ()):
        if RANK[edge.reach] > rank:
            continue
        if not edge.target.hub:
            yield edge
        elif edge.target not in step:
            step[edge.target] = edge
            for member in graph.hubs.get(edge.target.name, ()):
                yield Edge(path, Node(False, member), edge.kind, edge.written, edge.line, edge.reach)
