"""Which rules does the design set for sources, and where are they broken?

Each rule takes the sources of a package and returns its violations as text; an empty tuple means that it holds.
**Source:** design 00-overview "Architecture", style "Size", "Names", "Errors".
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import TypeAlias

from tests.architecture.sources import Source

Violations: TypeAlias = tuple[str, ...]
Rule: TypeAlias = Callable[[tuple[Source, ...]], Violations]

# Top to bottom; folders of one row are siblings that may not import each other. Every folder stands in exactly one row.
LAYERS: tuple[frozenset[str], ...] = tuple(
    frozenset(row.split())
    for row in (
        "__main__",
        "cli",
        "report",
        "adopt",
        "gate attest",
        "status",
        "checks evidence",
        "cones",
        "graph modules signing",
        "git syntax",
        "documents",
        "values",
        "errors",
        "__init__",
    )
)

# Foreign library -> the folders that may import it. What is not listed and not in the standard library is not allowed.
DOORS: Mapping[str, frozenset[str]] = {
    "click": frozenset({"cli"}),
    "cryptography": frozenset({"signing"}),
    "pygit2": frozenset({"git"}),
    "tree_sitter": frozenset({"syntax"}),
    "tree_sitter_python": frozenset({"syntax"}),
    "yaml": frozenset({"documents"}),
}
EVERYWHERE = frozenset({"msgspec"})
# Standard modules with a door: processes are started by git's, ssh-keygen's and the checks' doors, and by the editor.
STANDARD_DOORS: Mapping[str, frozenset[str]] = {
    "subprocess": frozenset({"git", "signing", "checks", "cli"}),
    "sqlite3": frozenset({"graph", "evidence"}),
}

FILE_LINES = 400
FUNCTION_LINES = 50
BANNED_NAMES = frozenset({"utils", "util", "helpers", "helper", "common", "core", "manager", "misc"})

# Where a defect may become a value instead of an exception, with the reason.
BROAD_EXCEPT: Mapping[str, str] = {
    "cli/boundary.py": "the boundary: a defect becomes a report file and exit code 70",
    "evidence/verify.py": "a record on which verification fails is refused, it does not stop the reading of others",
}


def layers(sources: tuple[Source, ...]) -> Violations:
    """A file imports its own folder and rows below its own."""
    rank = {folder: row for row, folders in enumerate(LAYERS) for folder in folders}
    found = [f"{source.place}: folder {source.folder} stands in no layer" for source in _unplaced(sources, rank)]
    for source in sources:
        for target, line in _own_imports(source, sources):
            if target == source.folder or source.folder not in rank or target not in rank:
                continue
            if rank[target] <= rank[source.folder]:
                found.append(f"{source.place}:{line}: {source.folder} may not import {target}")
    return _sorted(found)


def doors(sources: tuple[Source, ...]) -> Violations:
    """A foreign library is imported by the folder that is its door, and nowhere else."""
    found = []
    for source in sources:
        for name, line in source.imports():
            top = name.split(".")[0]
            allowed = DOORS.get(top) or STANDARD_DOORS.get(top)
            if allowed is not None and source.folder not in allowed:
                found.append(f"{source.place}:{line}: {top} belongs to {', '.join(sorted(allowed))}")
            elif allowed is None and not _is_known(top, source.package):
                found.append(f"{source.place}:{line}: {top} has no door")
    return _sorted(found)


def cycles(sources: tuple[Source, ...]) -> Violations:
    """No file imports itself through others; deferred imports count, imports for type checking do not."""
    names = {source.name for source in sources}
    graph: dict[str, set[str]] = {}
    for source in sources:
        typed = _type_only_lines(source)
        wanted = {_nearest(name, names) for name, line in source.imports() if line not in typed}
        # `from package import module` also names the package, whose __init__ imports nothing here.
        graph[source.name] = {name for name in wanted if name is not None and name != source.name}
    try:
        tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        return (" imports ".join(reversed(error.args[1])),)
    return ()


def sizes(sources: tuple[Source, ...]) -> Violations:
    """Files of at most 400 lines, functions of at most 50."""
    found = []
    for source in sources:
        lines = source.text.count("\n")
        if lines > FILE_LINES:
            found.append(f"{source.place}: {lines} lines")
        for node in _functions(source):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > FUNCTION_LINES:
                found.append(f"{source.place}:{node.lineno}: {node.name} has {length} lines")
    return _sorted(found)


def names(sources: tuple[Source, ...]) -> Violations:
    """No file or folder has a name that says nothing."""
    found = []
    for source in sources:
        for part in source.place.removesuffix(".py").split("/"):
            if BANNED_NAMES & set(part.split("_")):
                found.append(f"{source.place}: {part} says nothing about what it answers")
    return _sorted(found)


def questions(sources: tuple[Source, ...]) -> Violations:
    """Every file says in its docstring what it answers."""
    return _sorted(f"{source.place}: no docstring" for source in sources if not ast.get_docstring(source.tree))


def surroundings(sources: tuple[Source, ...]) -> Violations:
    """Outside cli nothing prints, asks, exits or reads the environment."""
    found = []
    for source in sources:
        if source.folder in ("cli", "__main__"):
            continue
        for node in ast.walk(source.tree):
            written = _touches_surroundings(node)
            if written:
                found.append(f"{source.place}:{getattr(node, 'lineno', 0)}: {written} outside cli")
    return _sorted(found)


def excepts(sources: tuple[Source, ...]) -> Violations:
    """A handler of everything raises again or translates, except where a reason is listed."""
    found = []
    for source in sources:
        if source.place in BROAD_EXCEPT:
            continue
        for node in ast.walk(source.tree):
            if isinstance(node, ast.ExceptHandler) and _is_broad(node.type) and not _raises(node):
                found.append(f"{source.place}:{node.lineno}: catches everything and goes on")
    return _sorted(found)


def import_time(sources: tuple[Source, ...]) -> Violations:
    """Importing a file defines things and does nothing else."""
    quiet = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign)
    found = []
    for source in sources:
        if source.folder == "__main__":
            continue
        for node in source.tree.body:
            if isinstance(node, quiet) or _is_docstring(node) or _is_type_checking(node):
                continue
            found.append(f"{source.place}:{node.lineno}: runs when it is imported")
    return _sorted(found)


RULES: tuple[Rule, ...] = (layers, doors, cycles, sizes, names, questions, surroundings, excepts, import_time)


def _unplaced(sources: Iterable[Source], rank: Mapping[str, int]) -> Iterator[Source]:
    seen: set[str] = set()
    for source in sources:
        if source.folder not in rank and source.folder not in seen:
            seen.add(source.folder)
            yield source


def _own_imports(source: Source, sources: tuple[Source, ...]) -> Iterator[tuple[str, int]]:
    folders = {other.folder for other in sources}
    for name, line in source.imports():
        parts = name.split(".")
        if parts[0] == source.package and len(parts) > 1 and parts[1] in folders:
            yield parts[1], line


def _is_known(top: str, package: str) -> bool:
    return top in sys.stdlib_module_names or top in EVERYWHERE or top == package


def _nearest(name: str, names: set[str]) -> str | None:
    return name if name in names else None


def _type_only_lines(source: Source) -> frozenset[int]:
    return frozenset(
        line
        for node in source.tree.body
        if _is_type_checking(node)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    )


def _functions(source: Source) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(source.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def _touches_surroundings(node: ast.AST) -> str | None:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("print", "input", "exit"):
        return f"{node.func.id}()"
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        written = f"{node.value.id}.{node.attr}"
        if written in ("os.environ", "os.environb", "os.getenv", "sys.exit", "sys.stdout", "sys.stderr", "sys.argv"):
            return written
    return None


def _is_broad(caught: ast.expr | None) -> bool:
    if caught is None:
        return True
    kinds = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    return any(isinstance(kind, ast.Name) and kind.id in ("Exception", "BaseException") for kind in kinds)


def _raises(handler: ast.ExceptHandler) -> bool:
    return any(isinstance(node, ast.Raise) for statement in handler.body for node in ast.walk(statement))


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _is_type_checking(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _sorted(found: Iterable[str]) -> Violations:
    return tuple(sorted(set(found)))
