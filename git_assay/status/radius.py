"""What does a change reach, through which imports?

    radius(base, result) = { M : own, cone or gov differs between base and result, or M exists on one side only }

1. compare the exact digests of every module of either tree, cones at every reach (evidence of each kind has its own);
2. find, on the result's graph and for what is gone on the base's, the shortest chain from each module to the change;
3. report files that newly open together with what their imports no longer name (*reach lost*);
4. order: nearest first, then by id.

**Source:** design 40-gate §2, 20-graph §2 ("reach lost").
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from git_assay.cones.analysis import Analysis
from git_assay.graph.model import Edge
from git_assay.status.carriers import Carriers, find_carriers
from git_assay.status.changes import Changes, find_changes, find_renames
from git_assay.values.digests import Mode, Reach
from git_assay.values.ids import ASSAY_SUBJECT, ModuleId, TreePath


class Touch(Enum):
    """How a change touches a module."""

    ADDED = "added"
    REMOVED = "removed"
    DIRECT = "direct"
    GOV = "gov"
    THROUGH = "through"


@dataclass(frozen=True, slots=True)
class Reached:
    """One module of the radius.

    touches: every way, in the order of `Touch`.  distance: in imports, 0 = its own content, None = no chain is known.
    chain: the imports that carry the change, from the module's file to the changed one; () at distance 0.
    origin: the changed path at the end of the chain.  reaches: cones that differ.  pieces: its own that changed.
    """

    module: ModuleId
    touches: tuple[Touch, ...]
    distance: int | None
    chain: tuple[Edge, ...]
    origin: TreePath | None
    reaches: frozenset[Reach]
    pieces: tuple[str, ...]
    owners: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ReachLost:
    """A file that newly imports what cannot be known, and what its imports named before and now do not."""

    path: TreePath
    written: tuple[str, ...]
    lost: tuple[TreePath, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Radius:
    """modules: nearest first.  assay: whether `.assay` itself changed.  renames: (old, new) paths of the same bytes."""

    base: Analysis
    result: Analysis
    changes: Changes
    modules: tuple[Reached, ...]
    lost: tuple[ReachLost, ...]
    assay: bool
    renames: tuple[tuple[TreePath, TreePath], ...]

    @property
    def ids(self) -> frozenset[ModuleId]:
        """Returns the modules of the radius."""
        return frozenset(reached.module for reached in self.modules)


def find_radius(base: Analysis, result: Analysis, *, changes: Changes | None = None) -> Radius:
    """Returns the radius of the change from `base` to `result`; linear in the two graphs."""
    changes = find_changes(base, result) if changes is None else changes
    carriers = _Carried(base, result, changes)
    known = sorted(base.declarations.cards.keys() | result.declarations.cards.keys())
    found = [reached for module in known if (reached := _reached(base, result, module, changes, carriers))]
    found.sort(key=lambda reached: (reached.distance is None, reached.distance or 0, reached.module))
    assay = bool(changes.of(ASSAY_SUBJECT))
    renames = find_renames(base, result, changes.paths)
    return Radius(base, result, changes, tuple(found), _reach_lost(base, result), assay, renames)


def _reached(
    base: Analysis, result: Analysis, module: ModuleId, changes: Changes, carriers: _Carried
) -> Reached | None:
    touches, reaches = _touches(base, result, module)
    if not touches:
        return None
    distance, chain, origin = carriers.nearest(module)
    if Touch.THROUGH not in touches:
        distance, chain, origin = 0, (), None
    side = result if module in result.declarations.cards else base
    owners = side.declarations.cards[module].card.owners
    pieces = changes.subjects.get(module, ())
    return Reached(module, touches, distance, chain, origin, reaches, pieces, owners)


def _touches(base: Analysis, result: Analysis, module: ModuleId) -> tuple[tuple[Touch, ...], frozenset[Reach]]:
    """Returns how the digests differ; THROUGH only where nothing of the module itself does."""
    if module not in base.declarations.cards:
        return (Touch.ADDED,), frozenset(Reach)
    if module not in result.declarations.cards:
        return (Touch.REMOVED,), frozenset(Reach)
    old, new = base.digests(module, Mode.EXACT), result.digests(module, Mode.EXACT)
    reaches = frozenset(reach for reach in Reach if old.cone.get(reach) != new.cone.get(reach))
    touches: list[Touch] = []
    if old.own != new.own:
        touches.append(Touch.DIRECT)
    if old.gov != new.gov:
        touches.append(Touch.GOV)
    if reaches and Touch.DIRECT not in touches:
        touches.append(Touch.THROUGH)
    return tuple(touches), reaches


class _Carried:
    """Both walks of one change, made when a module that is reached through imports first asks."""

    def __init__(self, base: Analysis, result: Analysis, changes: Changes) -> None:
        self._sides = (result, base)
        self._changes = changes
        self._walks: tuple[Carriers, ...] | None = None

    def nearest(self, module: ModuleId) -> tuple[int | None, tuple[Edge, ...], TreePath | None]:
        """Returns distance, chain and changed path, on whichever side the change is nearer."""
        best: tuple[int, TreePath, Carriers] | None = None
        for side, walk in zip(self._sides, self._made(), strict=True):
            for path in _code_paths(side, module):
                distance = walk.distance.get(path)
                if distance is not None and (best is None or (distance, path) < best[:2]):
                    best = (distance, path, walk)
        if best is None:
            return None, (), None
        chain = best[2].chain(best[1])
        return best[0], chain, TreePath(chain[-1].target.name) if chain else best[1]

    def _made(self) -> tuple[Carriers, ...]:
        if self._walks is None:
            seeds = {*self._changes.paths, *self._rewired_alone()}
            self._walks = tuple(find_carriers(side.graph, seeds) for side in self._sides)
        return self._walks

    def _rewired_alone(self) -> Iterable[TreePath]:
        """Rewired files that no changed path explains: one that came or went carries the change by the import of it."""
        changed = set(self._changes.paths)
        for path in dict.fromkeys(_rewired(self._sides[1], self._sides[0])):
            if all(changed.isdisjoint(_targets(side, path)) for side in self._sides):
                yield path


def _rewired(base: Analysis, result: Analysis) -> Iterable[TreePath]:
    """Yields files whose own bytes did not change but whose imports lead elsewhere (a build file, a new file)."""
    for path, edges in result.graph.edges.items():
        if base.graph.edges.get(path, ()) != edges:
            yield path
    for path, loose in result.graph.loose.items():
        if base.graph.loose.get(path, ()) != loose:
            yield path


def _code_paths(analysis: Analysis, module: ModuleId) -> Iterable[TreePath]:
    yield from dict.fromkeys(piece.path for piece in analysis.ownership.pieces.get(module, ()))
    yield from analysis.ownership.assets.get(module, ())


def _reach_lost(base: Analysis, result: Analysis) -> tuple[ReachLost, ...]:
    found = []
    for path, opens in sorted(result.graph.opens.items()):
        before = {entry.written for entry in base.graph.opens.get(path, ())}
        written = tuple(entry.written for entry in opens if entry.written not in before)
        lost = tuple(sorted(_targets(base, path) - _targets(result, path))) if written else ()
        if written and path in base.graph.files:
            found.append(ReachLost(path, written, lost))
    return tuple(found)


def _targets(analysis: Analysis, path: TreePath) -> frozenset[TreePath]:
    found: set[TreePath] = set()
    for edge in analysis.graph.edges.get(path, ()):
        if edge.target.hub:
            found.update(analysis.graph.hubs.get(edge.target.name, ()))
        else:
            found.add(TreePath(edge.target.name))
    return frozenset(found)


def by_module(radius: Radius) -> Mapping[ModuleId, Reached]:
    """Returns the radius by module id."""
    return {reached.module: reached for reached in radius.modules}
