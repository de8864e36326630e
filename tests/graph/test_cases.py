"""Does each small tree give the edges that it should?

A case is one file: the tree (`path: source; statement`, `path => link target`), `---`, the expected edges and loose
imports. Every case also gets the laws that hold for all trees.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from git_assay.git.snapshot import MODE_FILE, MODE_LINK, Snapshot
from git_assay.graph.build import build_graph
from git_assay.graph.model import ImportGraph
from git_assay.graph.store import FactStore
from git_assay.syntax.languages import language_of
from tests.snapshots import memory_snapshot

CASES = sorted((Path(__file__).parents[2] / "fixtures" / "graph").glob("*.txt"))


@dataclass(frozen=True)
class Settings:
    roots: tuple[str, ...] = ()


def graph_of(snapshot: Snapshot, *, workers: int = 1, cache: Path | None = None, reverse: bool = False) -> ImportGraph:
    paths = list(snapshot.entries)
    files = {path: name for path in (reversed(paths) if reverse else paths) if (name := language_of(path)) is not None}
    store = FactStore(cache, lambda: snapshot.reader, workers=workers)
    try:
        return build_graph(snapshot, files, Settings(), store=store, dynamic={})
    finally:
        store.close()


def read_case(path: Path) -> tuple[Snapshot, list[str]]:
    tree, _, expected = path.read_text().partition("---\n")
    files: dict[str, str] = {}
    modes: dict[str, int] = {}
    for line in tree.splitlines():
        if " => " in line:
            name, _, target = line.partition(" => ")
            files[name], modes[name] = target, MODE_LINK
        else:
            name, _, source = line.partition(":")
            files[name] = _statements(source.strip())
            modes[name] = MODE_FILE
    return memory_snapshot(files, modes=modes), expected.splitlines()


def _statements(source: str) -> str:
    """`if x: import a` keeps its line; other statements are one to a line."""
    return "\n".join(part.strip() for part in source.split(";")) + "\n" if source else ""


def shown(graph: ImportGraph) -> list[str]:
    edges = [
        f"{edge.source.decode()} -> {edge.target.name.decode()} {edge.kind.value}"
        for found in graph.edges.values()
        for edge in found
    ]
    loose = [
        f"? {item.source.decode()} {item.reason or f'external {item.external}'}"
        for found in graph.loose.values()
        for item in found
    ]
    standard = (
        "external typing",
        "external importlib",
        "external pytest",
        "external io",
        "external os",
        "external sys",
    )
    return sorted({*edges, *(line for line in loose if not line.endswith(standard))})


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_tree_gives_the_expected_edges(path: Path) -> None:
    snapshot, expected = read_case(path)
    assert shown(graph_of(snapshot)) == sorted(expected)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_graph_keeps_the_laws_of_every_tree(path: Path, tmp_path: Path) -> None:
    snapshot, _ = read_case(path)
    graph = graph_of(snapshot)
    for source, edges in graph.edges.items():
        for edge in edges:
            assert edge.source == source
            assert edge.target.name != source
            assert edge.target.name in (graph.hubs if edge.target.hub else snapshot.entries)
    cache = tmp_path / "facts.sqlite"
    for other in (graph_of(snapshot, reverse=True), graph_of(snapshot, cache=cache), graph_of(snapshot, cache=cache)):
        assert (other.edges, other.loose, other.hubs) == (graph.edges, graph.loose, graph.hubs)
