"""Do the committed vectors hold under the Python that runs this? `python -m tests.cones.portable` exits 1 if not.

Uses nothing but the standard library and those files of the package that do the same, so that every installed
interpreter can run it. It looks at own and cone digests; checks need the decoder of cards.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from git_assay.cones.digests import PieceItem, close, cone_digest, file_item, own_digest
from git_assay.cones.network import Network, build_network
from git_assay.graph.model import Edge, ImportGraph, Loose, Node
from git_assay.syntax.facts import ImportKind
from git_assay.values.digests import Reach
from git_assay.values.ids import Digest, ModuleId, TreePath

VECTORS = Path(__file__).parents[2] / "fixtures" / "vectors"


def path(text: str) -> TreePath:
    return TreePath(text.encode())


def import_graph(case: dict[str, Any]) -> ImportGraph:
    """Returns the graph of a case."""
    edges: dict[TreePath, list[Edge]] = {}
    loose: dict[TreePath, list[Loose]] = {}
    for line, edge in enumerate(case["edges"], 1):
        source, kind, reach = path(edge["source"]), ImportKind(edge["kind"]), Reach(edge["reach"].capitalize())
        if "path" in edge or "hub" in edge:
            target = Node("hub" in edge, (edge.get("path") or edge["hub"]).encode())
            edges.setdefault(source, []).append(Edge(source, target, kind, edge["written"], line, reach))
        else:
            ends = (edge.get("external"), edge.get("unresolved"))
            loose.setdefault(source, []).append(Loose(source, edge["written"], kind, line, reach, *ends))
    return ImportGraph(
        files={path(name): "python" for name in case["sources"]},
        edges={source: tuple(sorted(found)) for source, found in edges.items()},
        loose={source: tuple(found) for source, found in loose.items()},
        hubs={name.encode(): tuple(map(path, sorted(members))) for name, members in case["hubs"].items()},
        opens={},
        accepted=frozenset(),
        broken=frozenset(),
    )


def wrong(document: dict[str, Any]) -> list[str]:
    """Returns which digests of a vector this interpreter computes otherwise."""
    case, found = document["case"], []
    owned = {name: [path(piece["path"]) for piece in _owned(value)] for name, value in case["modules"].items()}
    network = build_network(import_graph(case), {one for paths in owned.values() for one in paths})
    for name, value in case["modules"].items():
        nodes = [network.number[Node(False, one)] for one in owned[name]]
        for mode, expected in document["digests"][name].items():
            pieces = (
                PieceItem(path(piece["path"]), piece["symbol"], case["files"][piece["path"]]["mode"], piece[mode])
                for piece in value["pieces"]
            )
            own = own_digest(ModuleId(name), value["contract"], pieces)
            cones = {
                reach.value: cone_digest(own, close(network, reach, _items(network, case, mode)).reached(nodes))
                for reach in Reach
            }
            if (own, cones) != (expected["own"], expected["cone"]):
                found.append(f"{document['about']} {name} {mode}")
    return found


def _owned(value: dict[str, Any]) -> list[dict[str, Any]]:
    return [piece for piece in value["pieces"] if not piece["asset"]]


def _items(network: Network, case: dict[str, Any], mode: str) -> list[bytes | None]:
    files = case["files"]
    items: list[bytes | None] = []
    for node in network.nodes:
        value = None if node.hub else files[node.name.decode()]
        items.append(value and file_item(TreePath(node.name), value["mode"], Digest(value[mode])))
    return items


if __name__ == "__main__":
    failures = [line for file in sorted(VECTORS.glob("*.json")) for line in wrong(json.loads(file.read_text()))]
    print("\n".join(failures) or f"{sys.version_info[0]}.{sys.version_info[1]} ok")
    sys.exit(1 if failures else 0)
