"""What is an import graph?

Nodes are source files (tree paths) and *hubs*. A hub is a virtual node, named `*<language>:<root>`, that stands for
every in-scope file of that language under that root; an open file has one edge to the hubs of its roots. No tree path
starts with `*` in a hub's form, since hub names are compared as (is_hub, name).

What a graph has by the ten thousand (nodes, edges, loose imports) are named tuples and no data classes: they are made,
compared, hashed and sorted without running Python code for each.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from git_assay.syntax.facts import ImportKind, OpenImport
from git_assay.values.digests import Reach
from git_assay.values.ids import TreePath


class Node(NamedTuple):
    """A file of the tree, or a hub. name: the path, or `*python:src` for a hub."""

    hub: bool
    name: bytes


class Edge(NamedTuple):
    """source imports target. written: the import as written (`from .a import b` is `.a:b`), hashed into cones.

    line: 1-based, 0 where nothing is written (implicit edges).  reach: the smallest cone reach that follows it.
    """

    source: TreePath
    target: Node
    kind: ImportKind
    written: str
    line: int
    reach: Reach


class Loose(NamedTuple):
    """An import that leads to no file of the tree.

    external: top-level package name when it is taken to be outside the tree, else None.
    reason: why it is unresolved (`beyond root`, `no such file in package p`, ...), else None. Exactly one is set.
    """

    source: TreePath
    written: str
    kind: ImportKind
    line: int
    reach: Reach
    external: str | None
    reason: str | None


@dataclass(frozen=True, slots=True, eq=False)
class ImportGraph:
    """files: in-scope source files of known languages, with their language.

    edges, loose: by source path, sorted.  hubs: the members of each hub (sorted paths).
    opens: files that are open, with why; `accepted` are those listed in `open_accepted` (no hub edge).
    dynamic: edges of open files that a card's `dynamic:` globs replaced the hub with are ordinary edges.
    """

    files: Mapping[TreePath, str]
    edges: Mapping[TreePath, tuple[Edge, ...]]
    loose: Mapping[TreePath, tuple[Loose, ...]]
    hubs: Mapping[bytes, tuple[TreePath, ...]]
    opens: Mapping[TreePath, tuple[OpenImport, ...]]
    accepted: frozenset[TreePath]
    broken: frozenset[TreePath]
