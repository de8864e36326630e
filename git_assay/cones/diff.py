"""What entered, left and changed in a module's cone between two trees?

Each file comes with the chain that carries it: in the result's graph, and for what left, in the base's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from git_assay.cones.analysis import Analysis
from git_assay.cones.network import RANK
from git_assay.graph.model import Edge, ImportGraph
from git_assay.modules.unknown import UnknownModule
from git_assay.values.digests import Mode, Reach
from git_assay.values.ids import ModuleId, TreePath


@dataclass(frozen=True, slots=True)
class Carried:
    """A member of a cone and the shortest chain that brings it in, () for a file of the module itself."""

    path: TreePath
    chain: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class ConeDiff:
    """All lists are nearest first, then by path.

    changed: in both cones with other bytes or another mode.  rewired: same content, but its imports resolve otherwise.
    own: own(M) differs, by its content or by the contract on its card.  cone: cone(M) differs.
    """

    module: ModuleId
    reach: Reach
    entered: tuple[Carried, ...]
    left: tuple[Carried, ...]
    changed: tuple[Carried, ...]
    rewired: tuple[Carried, ...]
    own: bool
    cone: bool


def diff_cones(base: Analysis, result: Analysis, module: ModuleId, reach: Reach = Reach.RUN) -> ConeDiff:
    """Returns the difference of one cone. Raises AssayError for a module that neither tree declares."""
    sides = [side for side in (base, result) if module in side.declarations.cards]
    if not sides:
        raise UnknownModule(module, {*base.modules, *result.modules}, where=" in either tree")
    old = base.members(module, reach) if base in sides else frozenset()
    new = result.members(module, reach) if result in sides else frozenset()
    both = old & new
    changed = {path for path in both if base.snapshot.entries[path] != result.snapshot.entries[path]}
    rewired = {path for path in both - changed if _leads(base.graph, path, reach) != _leads(result.graph, path, reach)}
    digests = [side.digests(module, Mode.EXACT) if side in sides else None for side in (base, result)]
    return ConeDiff(
        module=module,
        reach=reach,
        entered=_carried(result, module, reach, new - old),
        left=_carried(base, module, reach, old - new),
        changed=_carried(result, module, reach, changed),
        rewired=_carried(result, module, reach, rewired),
        own=len({digest and digest.own for digest in digests}) > 1,
        cone=len({digest and digest.cone[reach] for digest in digests}) > 1,
    )


def _leads(graph: ImportGraph, path: TreePath, reach: Reach) -> frozenset[tuple[object, ...]]:
    rank = RANK[reach]
    inside = ((edge.target, edge.written, edge.kind) for edge in graph.edges.get(path, ()) if RANK[edge.reach] <= rank)
    outside = (
        (loose.external, loose.reason, loose.written, loose.kind)
        for loose in graph.loose.get(path, ())
        if RANK[loose.reach] <= rank
    )
    return frozenset((*inside, *outside))


def _carried(side: Analysis, module: ModuleId, reach: Reach, paths: Iterable[TreePath]) -> tuple[Carried, ...]:
    found = [Carried(path, side.chain(module, path, reach)) for path in paths]
    return tuple(sorted(found, key=lambda carried: (len(carried.chain), carried.path)))
