"""Which nodes of a graph reach each other, and in which order can a digest be built from its parts?

Tarjan's algorithm with its own stack instead of recursion, so that an import chain of any length is safe. Nodes are
numbers; the caller gives them a fixed order, and the answer depends on that order and on nothing else.
**Source:** R. Tarjan, "Depth-first search and linear graph algorithms", 1972.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Components:
    """members: of each strongly connected component, ascending; a component comes after all that it imports.

    of: the component of each node.  successors: other components that one imports directly, ascending, once each.
    """

    members: Sequence[Sequence[int]]
    of: Sequence[int]
    successors: Sequence[Sequence[int]]


def find_components(targets: Sequence[Sequence[int]]) -> Components:
    """Returns the components of the graph whose node i leads to targets[i]. Linear in nodes and edges."""
    of = [-1] * len(targets)
    members = _tarjan(targets, of)
    successors: list[tuple[int, ...]] = []
    for component, nodes in enumerate(members):
        found = {of[target] for node in nodes for target in targets[node]}
        found.discard(component)
        successors.append(tuple(sorted(found)))
    return Components(members, of, successors)


def _tarjan(targets: Sequence[Sequence[int]], of: list[int]) -> list[tuple[int, ...]]:
    count = len(targets)
    order = [-1] * count  # when a node was first met; -1 = never
    low = [0] * count  # the earliest node still open that it reaches
    following = [0] * count  # how many of its targets were followed
    open_nodes: list[int] = []
    members: list[tuple[int, ...]] = []
    met = 0
    for start in range(count):
        path = [start] if order[start] < 0 else []
        while path:
            node = path[-1]
            if order[node] < 0:
                order[node] = low[node] = met
                met += 1
                open_nodes.append(node)
            if following[node] < len(targets[node]):
                target = targets[node][following[node]]
                following[node] += 1
                if order[target] < 0:
                    path.append(target)
                elif of[target] < 0:  # still open: part of this or an outer component
                    low[node] = min(low[node], order[target])
                continue
            path.pop()
            if path:
                low[path[-1]] = min(low[path[-1]], low[node])
            if low[node] == order[node]:
                members.append(_close(node, open_nodes, of, len(members)))
    return members


def _close(root: int, open_nodes: list[int], of: list[int], component: int) -> tuple[int, ...]:
    found = []
    node = -1
    while node != root:
        node = open_nodes.pop()
        of[node] = component
        found.append(node)
    return tuple(sorted(found))
