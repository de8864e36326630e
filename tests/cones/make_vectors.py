"""Writes fixtures/vectors/*.json with the naive implementation: `python -m tests.cones.make_vectors`."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cones.cases import check, empty_case, file, module, piece
from tests.cones.naive import Case, digests

DIRECTORY = Path(__file__).parents[2] / "fixtures" / "vectors"


def edge(source: str, target: str, *, kind: str = "load", reach: str = "load") -> Case:
    return {"source": source, "path": target, "written": target[:-3], "kind": kind, "reach": reach}


def chain() -> Case:
    """a imports b, b imports c inside a function, c imports d for types only."""
    case = empty_case({path: file(path) for path in ("a.py", "b.py", "c.py", "d.py")})
    case["edges"] = [
        edge("a.py", "b.py"),
        edge("b.py", "c.py", kind="lazy", reach="run"),
        edge("c.py", "d.py", kind="type", reach="all"),
    ]
    module(case, "top", [piece(case, "a.py")])
    return case


def cycle() -> Case:
    """a and b import each other, and b imports c."""
    case = empty_case({path: file(path) for path in ("a.py", "b.py", "c.py")})
    case["edges"] = [edge("a.py", "b.py"), edge("b.py", "a.py"), edge("b.py", "c.py")]
    module(case, "left", [piece(case, "a.py")])
    module(case, "right", [piece(case, "b.py")])
    return case


def hub() -> Case:
    """An open file leads to the hub of its root, so to every file there, itself included."""
    case = empty_case({path: file(path) for path in ("src/a.py", "src/b.py", "src/c.py", "x.py")})
    open_edge = {"source": "src/a.py", "hub": "*python:src", "written": "import_module(name)"}
    case["edges"] = [{**open_edge, "kind": "dynamic", "reach": "run"}, edge("src/c.py", "x.py")]
    case["hubs"] = {"*python:src": ["src/a.py", "src/b.py", "src/c.py"]}
    module(case, "open", [piece(case, "src/a.py")])
    module(case, "closed", [piece(case, "src/b.py")])
    return case


def loose() -> Case:
    """What leaves the tree is hashed as well: an external package and an import that resolves to nothing."""
    case = empty_case({"a.py": file("a.py")})
    written = {"source": "a.py", "kind": "load", "reach": "load"}
    case["edges"] = [
        {**written, "written": "numpy", "external": "numpy"},
        {**written, "written": "...x", "unresolved": "beyond root"},
    ]
    module(case, "only", [piece(case, "a.py")])
    return case


def parts() -> Case:
    """A symbol carved out of a file, the rest of it, an asset, an executable file, a link and the `.assay` subject."""
    case = empty_case(
        {
            "a.py": file("a.py", comment="# why"),
            "run.py": file("run.py", mode=0o100755),
            "link.py": file("link.py", mode=0o120000),
            "page.html": file("page.html"),
            ".assay/config.yml": file(".assay/config.yml"),
        }
    )
    case["edges"] = [edge("run.py", "link.py"), edge("link.py", "a.py", kind="implicit")]
    module(case, "carved", [piece(case, "a.py", "Money.round")])
    module(case, "rest", [piece(case, "a.py", ""), piece(case, "run.py"), piece(case, "page.html", asset=True)])
    return case


def checks() -> Case:
    """Checks over the whole tree and over named inputs, of kinds with different reach and modes."""
    case = empty_case({path: file(path) for path in ("a.py", "b.py", "test_a.py", "data.txt")})
    case["edges"] = [edge("test_a.py", "a.py"), edge("a.py", "b.py", kind="type", reach="all")]
    named = ["/test_a.py", "/data.txt"]
    kinds = [("unit", "tests", named), ("lint", "static", None), ("smoke", "smoke", named), ("all", "tests", None)]
    module(case, "checked", [piece(case, "a.py")], [check(*words) for words in kinds])
    return case


def vectors() -> dict[str, Case]:
    """Returns the document of each vector file by file name."""
    found = {}
    for make in (chain, cycle, hub, loose, parts, checks):
        case = make()
        about = (make.__doc__ or "").strip()
        document = {"format": "assay-digest-vector/1", "about": about, "case": case, "digests": digests(case)}
        found[f"{make.__name__}.json"] = document
    return found


def main() -> None:
    """Writes every vector."""
    DIRECTORY.mkdir(parents=True, exist_ok=True)
    for name, document in vectors().items():
        (DIRECTORY / name).write_text(json.dumps(document, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main()
