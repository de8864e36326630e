"""How far does the graph agree with grimp, an independent tool, on real packages?

    python -m benchmarks.truth_python click hypothesis django=PATH/django

A package is an installed one by its name, or `name=DIRECTORY` of its sources. Prints one row for each: files, edges of
grimp, edges of ours that it can know, recall (grimp's edges that are ours), precision (ours that are grimp's), and the
rest by reason. Grimp knows modules, so file edges are compared as (importing module, imported module).
"""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import grimp

from git_assay.git.snapshot import Snapshot
from git_assay.graph.build import build_graph
from git_assay.graph.model import Edge, ImportGraph
from git_assay.graph.store import FactStore
from git_assay.syntax.facts import ImportKind
from git_assay.syntax.languages import language_of
from tests.snapshots import memory_snapshot

Pair = tuple[str, str]
# Other kinds of dependency than an import statement, which grimp does not look for.
_NO_STATEMENT = {ImportKind.DYNAMIC: "by name", ImportKind.ASSET: "asset", ImportKind.IMPLICIT: "ancestor package"}


class TreeRoot:
    """A configuration whose only root is the top of the tree."""

    roots: tuple[str, ...] = ("",)


def main(arguments: list[str]) -> None:
    print("package        files   grimp    ours  recall  precision  only ours, by reason")
    for argument in arguments:
        name, _, place = argument.partition("=")
        directory = Path(place) if place else installed(name)
        sys.path.insert(0, str(directory.parent))
        report(name, directory)
        sys.path.pop(0)


def installed(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise SystemExit(f"no package {name} is installed")
    return Path(spec.origin).parent


def report(name: str, directory: Path) -> None:
    files = {f"{name}/{path.relative_to(directory)}": path.read_bytes() for path in directory.rglob("*.py")}
    ours = statements(graph_of(memory_snapshot(files)))
    theirs = set(grimp_pairs(name, files))
    missing, extra = theirs - set(ours), set(ours) - theirs
    recall, precision = 1 - len(missing) / len(theirs), 1 - len(extra) / len(ours)
    reasons = Counter(reason(pair, ours[pair], files) for pair in extra)
    shown = ", ".join(f"{count} {what}" for what, count in reasons.most_common())
    print(f"{name:12} {len(files):7} {len(theirs):7} {len(ours):7} {recall:7.2%} {precision:9.2%}   {shown or '-'}")
    for source, target in sorted(missing):
        print(f"    only grimp: {source} -> {target}")


def graph_of(snapshot: Snapshot) -> ImportGraph:
    files = {path: name for path in snapshot.entries if (name := language_of(path)) is not None}
    store = FactStore(None, lambda: snapshot.reader)
    return build_graph(snapshot, files, TreeRoot(), store=store, dynamic={})


def statements(graph: ImportGraph) -> dict[Pair, Edge]:
    """Edges that stand as an import statement, by the pair of paths."""
    edges = (edge for found in graph.edges.values() for edge in found)
    return {(edge.source.decode(), edge.target.name.decode()): edge for edge in edges if edge.kind not in _NO_STATEMENT}


def grimp_pairs(name: str, files: dict[str, bytes]) -> Iterator[Pair]:
    graph = grimp.build_graph(name, cache_dir=None)
    for one in graph.modules:
        for other in graph.find_modules_directly_imported_by(one):
            pair = path_of(one, files), path_of(other, files)
            if pair[0] != pair[1]:
                yield pair


def path_of(module: str, files: dict[str, bytes]) -> str:
    place = module.replace(".", "/")
    return f"{place}.py" if f"{place}.py" in files else f"{place}/__init__.py"


def reason(pair: Pair, edge: Edge, files: dict[str, bytes]) -> str:
    parent = pair[1].rpartition("/")[0].replace("/", ".")
    if pair[1].endswith("/__init__.py") and ":" in edge.written:
        return "package of an imported submodule"
    if pair[0].rpartition("/")[0].rpartition("/")[2] and not _is_package(pair[0], files):
        return "importing file outside any package"
    return f"other ({parent})"


def _is_package(path: str, files: dict[str, bytes]) -> bool:
    directory = path.rpartition("/")[0]
    while directory:
        if f"{directory}/__init__.py" not in files:
            return False
        directory = directory.rpartition("/")[0]
    return True


if __name__ == "__main__":
    main(sys.argv[1:])
