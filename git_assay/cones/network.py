"""Which number has each node of an import graph, and what is written on its edges?

Digests are made over numbers and over bytes that were encoded once: an edge is part of up to six digests (three
reaches, two modes), and its encoding is the same in all of them.

An encoded edge is (source, import as written, kind, target). source: the path, or ["hub", name]. target: ["path",
path], ["hub", name], ["external", package] or ["unresolved", reason]. An edge from a hub to a member has kind `hub` and
"" as what is written. Lines are not part of it: a comment above an import must not change a code digest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from git_assay.graph.model import Edge, ImportGraph, Loose, Node
from git_assay.syntax.facts import ImportKind
from git_assay.values.canonical import Canonical, encode, encode_sequence
from git_assay.values.digests import Reach
from git_assay.values.ids import TreePath

RANK: Mapping[Reach, int] = {Reach.LOAD: 0, Reach.RUN: 1, Reach.ALL: 2}
"""A cone of some reach follows the edges of its rank and below. **Source:** design 20-graph §2, load ⊂ run ⊂ all."""

_KINDS = {kind: encode(kind.value) for kind in ImportKind}
_HUB_EDGE = encode("") + encode("hub")


@dataclass(frozen=True, slots=True)
class Arrow:
    """One edge. target: number of the node, None for an import that leaves the tree.  encoded: what is hashed."""

    target: int | None
    rank: int
    encoded: bytes


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """nodes: every file of the graph, every target, every other path asked for, and the hubs; sorted.

    number: the index of each node.  arrows: of each node.
    """

    nodes: Sequence[Node]
    number: Mapping[Node, int]
    arrows: Sequence[Sequence[Arrow]]

    def targets(self, reach: Reach) -> list[list[int]]:
        """Returns where each node leads at this reach, ascending."""
        rank = RANK[reach]
        return [
            sorted({arrow.target for arrow in arrows if arrow.rank <= rank and arrow.target is not None})
            for arrows in self.arrows
        ]

    def written(self, node: int, reach: Reach) -> list[bytes]:
        """Returns the encoded edges of one node at this reach, in no order, repeats included."""
        rank = RANK[reach]
        return [arrow.encoded for arrow in self.arrows[node] if arrow.rank <= rank]


def build_network(graph: ImportGraph, paths: Iterable[TreePath]) -> Network:
    """Returns the numbered graph; `paths` (files without imports that someone owns) become nodes too."""
    nodes = {Node(False, path) for path in (*graph.files, *paths)}
    nodes.update(edge.target for edges in graph.edges.values() for edge in edges)
    for hub, members in graph.hubs.items():
        nodes.add(Node(True, hub))
        nodes.update(Node(False, path) for path in members)
    nodes.update(Node(False, source) for source in (*graph.edges, *graph.loose))
    ordered = sorted(nodes)
    number = {node: index for index, node in enumerate(ordered)}
    encoded = [_target(node) for node in ordered]
    return Network(ordered, number, [_arrows(graph, node, number, encoded) for node in ordered])


def _arrows(graph: ImportGraph, node: Node, number: Mapping[Node, int], encoded: Sequence[bytes]) -> tuple[Arrow, ...]:
    if node.hub:
        source = encode(["hub", node.name]) + _HUB_EDGE
        members = (number[Node(False, path)] for path in graph.hubs.get(node.name, ()))
        return tuple(Arrow(member, 0, _edge_bytes(source, encoded[member])) for member in members)
    path = TreePath(node.name)
    source = encode(path)
    arrows = [_inside(source, edge, number, encoded) for edge in graph.edges.get(path, ())]
    arrows += [_outside(source, loose) for loose in graph.loose.get(path, ())]
    return tuple(arrows)


def _inside(source: bytes, edge: Edge, number: Mapping[Node, int], encoded: Sequence[bytes]) -> Arrow:
    target = number[edge.target]
    written = source + encode(edge.written) + _KINDS[edge.kind]
    return Arrow(target, RANK[edge.reach], _edge_bytes(written, encoded[target]))


def _outside(source: bytes, loose: Loose) -> Arrow:
    target: Canonical = ["unresolved", loose.reason] if loose.external is None else ["external", loose.external]
    written = source + encode(loose.written) + _KINDS[loose.kind]
    return Arrow(None, RANK[loose.reach], _edge_bytes(written, encode(target)))


def _edge_bytes(start: bytes, target: bytes) -> bytes:
    """Returns the sequence of four items of which `start` holds the first three."""
    return _FOUR + start + target


_FOUR = encode_sequence((b"", b"", b"", b""))


def _target(node: Node) -> bytes:
    return encode(["hub" if node.hub else "path", node.name])
