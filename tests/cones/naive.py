"""The digests of docs/formats/digests.md, computed the slow and obvious way, from that page alone.

This file shares nothing with the package: its own encoder, components by mutual reachability, closures by recursion.
Its input and output are plain JSON values (see `Case`), so that the vectors it writes can be checked in any language.
"""

from __future__ import annotations

import hashlib
from typing import Any

Case = dict[str, Any]
REACHES = {"Load": ("load",), "Run": ("load", "run"), "All": ("load", "run", "all")}
RUN_KINDS = ("tests", "property", "resource", "explanation", "contract")


def enc(value: Any) -> bytes:
    """Encodes None, int, str, bytes and lists."""
    if value is None:
        return b"n"
    if isinstance(value, list | tuple):
        return b"l" + len(value).to_bytes(8, "big") + b"".join(enc(item) for item in value)
    tag, data = {
        int: (b"i", str(value).encode()),
        str: (b"s", value.encode() if isinstance(value, str) else b""),
        bytes: (b"b", value if isinstance(value, bytes) else b""),
    }[type(value)]
    return tag + len(data).to_bytes(8, "big") + data


def H(*parts: Any) -> str:  # noqa: N802 - the name that the page gives it
    return hashlib.sha256(enc(list(parts))).hexdigest()


def as_set(items: Any) -> list[Any]:
    """Removes repeats and sorts by encoding."""
    return [item for _, item in sorted({enc(item): item for item in items}.items())]


class Tree:
    """One case at one reach and mode."""

    def __init__(self, case: Case, reach: str, mode: str) -> None:
        self.case, self.reach, self.mode = case, reach, mode
        self.known: dict[str, str] = {}

    def arrows(self, node: str) -> list[tuple[Any, str | None]]:
        """Returns (edge item, node that it leads to or None) for each edge of a node, a hub's name beginning `hub:`."""
        if node.startswith("hub:"):
            hub = node[4:].encode()
            members = self.case["hubs"][node[4:]]
            return [([["hub", hub], "", "hub", ["path", path.encode()]], "file:" + path) for path in members]
        found: list[tuple[Any, str | None]] = []
        for edge in self.case["edges"]:
            if "file:" + edge["source"] == node and edge["reach"] in REACHES[self.reach]:
                written = [edge["source"].encode(), edge["written"], edge["kind"]]
                found.append(([*written, self.target(edge)], self.leads_to(edge)))
        return found

    def target(self, edge: Case) -> Any:
        for kind in ("path", "hub"):
            if kind in edge:
                return [kind, edge[kind].encode()]
        return ["external", edge["external"]] if "external" in edge else ["unresolved", edge["unresolved"]]

    def leads_to(self, edge: Case) -> str | None:
        if "path" in edge:
            return "file:" + str(edge["path"])
        return "hub:" + str(edge["hub"]) if "hub" in edge else None

    def reached(self, node: str) -> set[str]:
        """Returns the nodes that a node reaches, itself only when it is on a cycle."""
        found: set[str] = set()

        def walk(at: str) -> None:
            for _, target in self.arrows(at):
                if target is not None and target not in found:
                    found.add(target)
                    walk(target)

        walk(node)
        return found

    def component(self, node: str) -> list[str]:
        return sorted({node, *(other for other in self.reached(node) if node in self.reached(other))})

    def scc(self, node: str) -> str:
        component = self.component(node)
        if component[0] not in self.known:
            arrows = [arrow for member in component for arrow in self.arrows(member)]
            outside = {target for _, target in arrows if target is not None and target not in component}
            self.known[component[0]] = H(
                "assay-scc/1",
                as_set(self.item(member[5:]) for member in component if member.startswith("file:")),
                as_set(edge for edge, _ in arrows),
                as_set(self.scc(target) for target in outside),
            )
        return self.known[component[0]]

    def item(self, path: str) -> Any:
        file = self.case["files"][path]
        return [path.encode(), file["mode"], file[self.mode]]

    def own(self, name: str) -> str:
        module = self.case["modules"][name]
        contract = module["contract"]
        return H(
            "assay-own/1",
            name,
            None if contract is None else H("assay-contract/1", contract),
            as_set(
                [piece["path"].encode(), piece["symbol"], self.case["files"][piece["path"]]["mode"], piece[self.mode]]
                for piece in module["pieces"]
            ),
        )

    def cone(self, name: str) -> str:
        starts = ["file:" + piece["path"] for piece in self.case["modules"][name]["pieces"] if not piece["asset"]]
        nodes = {*starts, *(node for start in starts for node in self.reached(start))}
        return H("assay-cone/1", self.own(name), as_set(self.scc(node) for node in nodes))

    def check(self, name: str, check: Case) -> str:
        sources = self.case["sources"]
        if check["inputs"] is None:
            items = as_set(self.item(path) for path in self.case["files"])
            last: list[Any] = [H("assay-tree/1", items, as_set(self.scc("file:" + path) for path in sources)), None]
        else:
            found = check["found"]
            last = [
                as_set(self.item(path) for path in found),
                as_set(self.scc("file:" + path) for path in found if path in sources),
            ]
        written = [check["kind"], check["run"], check["inputs"], [check["retry"], check["fatal"]], check["scope"]]
        return H("assay-check/1", self.cone(name), *written, *last)


def digests(case: Case) -> Case:
    """Returns {module: {mode: {"own", "cone": {reach}, "checks": {name}, "gov"}}} ; modes: exact, code."""
    return {
        name: {mode: module_digests(case, name, mode) for mode in ("exact", "code")} for name in sorted(case["modules"])
    }


def module_digests(case: Case, name: str, mode: str) -> Case:
    module = case["modules"][name]
    checks = {}
    for check in module["checks"]:
        if mode == "exact" or check["kind"] not in ("static", "build"):
            reach = "Run" if check["kind"] in RUN_KINDS else "All"
            checks[check["name"]] = Tree(case, reach, mode).check(name, check)
    return {
        "own": Tree(case, "Run", mode).own(name),
        "cone": {reach: Tree(case, reach, mode).cone(name) for reach in REACHES},
        "checks": checks,
        "gov": H("assay-gov/1", name, module["governance"]),
    }
