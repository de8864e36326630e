"""How is the import graph of a tree shown: every source file to source file edge, and everything that is none?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from git_assay.graph.model import Edge, ImportGraph, Loose
from git_assay.values.ids import ObjectId, TreePath
from git_assay.values.text import clean, path_text

FORMAT = "assay-file-graph/1"


def graph_text(graph: ImportGraph) -> str:
    """Returns one line for each edge, and in the end what the graph does not know."""
    lines = [
        f"{path_text(edge.source)}:{edge.line} -> {path_text(TreePath(edge.target.name))} ({edge.kind.value})"
        for edge in _file_edges(graph)
    ]
    return "\n".join([*lines, *_doubts(graph)]) or "no imports"


def doubts_text(graph: ImportGraph) -> str:
    """Returns what the graph does not know, one line each, after a line of numbers."""
    loose = sum(1 for each in _loose(graph) if each.reason is not None)
    edges = sum(1 for _ in _file_edges(graph))
    numbers = f"{len(graph.files)} files, {edges} edges (--files), {loose} unresolved, {len(graph.opens)} open"
    return "\n".join([numbers, *_doubts(graph)])


def _doubts(graph: ImportGraph) -> list[str]:
    lines = []
    for loose in _loose(graph):
        if loose.reason is not None:
            lines.append(f"{path_text(loose.source)}:{loose.line} -> ? {clean(loose.written)} ({clean(loose.reason)})")
    for path, hubs in _open_hubs(graph):
        for each in graph.opens[path]:
            targets = ", ".join(hubs) or ("nowhere: accepted" if path in graph.accepted else "as its card says")
            lines.append(f"{path_text(path)}:{each.line} -> {targets} {clean(each.written)} (open)")
    return lines


def graph_document(graph: ImportGraph, tree: ObjectId) -> Mapping[str, object]:
    """Returns the JSON form. An edge leads from file to file; what an open file may reach stands under its hubs."""
    return {
        "format": FORMAT,
        "tree": tree,
        "files": [path_text(path) for path in sorted(graph.files)],
        "edges": [
            {
                "from": path_text(edge.source),
                "to": path_text(TreePath(edge.target.name)),
                "kind": edge.kind.value,
                "line": edge.line,
                "written": edge.written,
                "reach": edge.reach.value.lower(),
            }
            for edge in _file_edges(graph)
        ],
        "unresolved": [_loose_object(each, "reason", each.reason) for each in _loose(graph) if each.reason is not None],
        "external": [
            _loose_object(each, "package", each.external) for each in _loose(graph) if each.external is not None
        ],
        "open": [
            {
                "from": path_text(path),
                "line": each.line,
                "written": each.written,
                "accepted": path in graph.accepted,
                "hubs": hubs,
            }
            for path, hubs in _open_hubs(graph)
            for each in graph.opens[path]
        ],
        "hubs": {
            path_text(TreePath(name)): [path_text(path) for path in members]
            for name, members in sorted(graph.hubs.items())
        },
    }


def graph_items(graph: ImportGraph) -> Iterator[bytes]:
    """Yields from, to, kind and line of each edge, four items for one edge, for `-z`."""
    for edge in _file_edges(graph):
        yield from (edge.source, edge.target.name, edge.kind.value.encode(), b"%d" % edge.line)


def _file_edges(graph: ImportGraph) -> Iterable[Edge]:
    return [edge for _, edges in sorted(graph.edges.items()) for edge in edges if not edge.target.hub]


def _loose(graph: ImportGraph) -> Iterable[Loose]:
    return [each for _, found in sorted(graph.loose.items()) for each in found]


def _loose_object(each: Loose, word: str, value: str | None) -> dict[str, object]:
    return {
        "from": path_text(each.source),
        "written": each.written,
        "kind": each.kind.value,
        "line": each.line,
        word: value,
    }


def _open_hubs(graph: ImportGraph) -> Iterator[tuple[TreePath, list[str]]]:
    for path in sorted(graph.opens):
        hubs = sorted({edge.target for edge in graph.edges.get(path, ()) if edge.target.hub})
        yield path, [path_text(TreePath(hub.name)) for hub in hubs]
