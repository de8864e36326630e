"""Does the graph of real packages agree with an independent tool?

Grimp's unit is the Python module and it drops implicit ancestors; ours is the file, and a `from p import name` also
leads to `p/__init__.py`. So: every edge of grimp must be ours, and every explicit edge of ours that grimp lacks must be
one that leads to a package's `__init__.py`, to a stub, or that comes from a literal by name or an asset.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from git_assay.syntax.facts import ImportKind
from git_assay.values.ids import TreePath
from tests.graph.test_cases import graph_of
from tests.snapshots import memory_snapshot


@pytest.mark.parametrize("package", ["click", "hypothesis"])
def test_every_edge_of_grimp_is_found_and_the_others_are_explained(package: str) -> None:
    grimp = pytest.importorskip("grimp")
    spec = importlib.util.find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    folder = Path(spec.origin).parent
    paths = {f"{package}/{path.relative_to(folder)}": path for path in folder.rglob("*.py")}
    graph = graph_of(memory_snapshot({name: path.read_bytes() for name, path in paths.items()}))
    theirs_graph = grimp.build_graph(package, cache_dir=None)
    theirs = {
        (_file(one, paths), _file(other, paths))
        for one in theirs_graph.modules
        for other in theirs_graph.find_modules_directly_imported_by(one)
    }
    ours = {
        (edge.source.decode(), edge.target.name.decode()): edge.kind
        for edges in graph.edges.values()
        for edge in edges
        if not edge.target.hub
    }
    assert {pair for pair in theirs if pair[0] != pair[1]} <= set(ours)
    assert len(theirs) > 20
    by_name = (ImportKind.DYNAMIC, ImportKind.ASSET, ImportKind.IMPLICIT)
    extra = {pair for pair, kind in ours.items() if pair not in theirs and kind not in by_name}
    assert {pair for pair in extra if not pair[1].endswith("/__init__.py")} == set()
    assert all(TreePath(pair[1].encode()) in graph.files for pair in extra)


def _file(module: str, paths: dict[str, Path]) -> str:
    place = module.replace(".", "/")
    return f"{place}.py" if f"{place}.py" in paths else f"{place}/__init__.py"
