"""Which inputs of a check differ between two trees, and what that they import?

The inputs are what the card names, what the command names, and configuration and build files (cones/inputs); a check
without `inputs` has the whole tree. **Source:** design 10-modules §2, 20-graph §3 (`check`).
"""

from __future__ import annotations

from collections.abc import Mapping

from git_assay.cones.analysis import Analysis
from git_assay.cones.chains import find_chains
from git_assay.cones.inputs import InputFinder
from git_assay.graph.model import Edge
from git_assay.modules.card import Check
from git_assay.status.model import Carried
from git_assay.values.digests import Reach
from git_assay.values.ids import ModuleId, TreePath

Ways = Mapping[TreePath, tuple[Edge, ...]]


def changed_inputs(
    module: ModuleId, check: Check, reach: Reach, *, now: Analysis, then: Analysis
) -> tuple[Carried, ...]:
    """Returns the inputs that entered, left or changed since `then`, nearest first; `check` is the one of `now`."""
    old, new = _inputs(then, module, check, reach), _inputs(now, module, check, reach)
    before, after = then.snapshot.entries, now.snapshot.entries
    found = [Carried(path, "entered", way, True) for path, way in new.items() if path not in old]
    found += [Carried(path, "left", way, True) for path, way in old.items() if path not in new]
    found += [
        Carried(path, "changed", way, True)
        for path, way in new.items()
        if path in old and before.get(path) != after.get(path)
    ]
    return tuple(sorted(found, key=lambda each: (len(each.chain), each.path)))


def _inputs(side: Analysis, module: ModuleId, check: Check, reach: Reach) -> Ways:
    """Returns every file in the check's digest beside the cone: inputs (way ()) and what they reach."""
    loaded = side.declarations.cards[module]
    if check.inputs is None:
        return dict.fromkeys(side.snapshot.entries, ())
    own = [piece.path for piece in side.ownership.pieces[module]]
    named = InputFinder(side.snapshot.entries).find(check, loaded, own)
    chains = find_chains(side.graph, [path for path in named if path in side.graph.files], reach)
    ways: dict[TreePath, tuple[Edge, ...]] = dict.fromkeys(named, ())
    ways.update({path: chains.to(path) for path in chains.files if path not in ways})
    return ways
