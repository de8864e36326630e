"""Into which parts does a tree fall, as its packages and directories say?

1. every Python package that no other contains is an area; so is every other top-level directory with source files;
2. a directory of tests, documentation, examples or benchmarks outside a package is one area, whatever lies in it;
3. a package of more than 40 source files is divided: each directory right beneath it with source files is an area, too;
4. what is left at the root is one area of its own.

Existing cards are respected: an area whose directory already has one is not proposed. Ids are dotted paths without a
leading `src`. **Source:** design 10-modules §7.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from git_assay.values.ids import ModuleId, TreePath, is_module_id

LARGE = 40  # source files: one card a package stays readable up to about this size
# Not products: their packages are many and alike (Django's tests are 208), and nobody answers for one of them.
_UNDIVIDED = frozenset(
    {b"tests", b"test", b"testing", b"testsuite", b"docs", b"doc", b"examples", b"example", b"benchmarks", b"benchmark"}
)
_PACKAGE = (b"__init__.py", b"__init__.pyi")
_ID_LIMIT = 64


@dataclass(frozen=True, slots=True)
class Area:
    """A directory that deserves a card. directory: b"" for the root.  parent: directory of the area around it."""

    id: ModuleId
    directory: TreePath
    parent: TreePath | None
    sources: int


def find_areas(files: Iterable[TreePath], *, taken: frozenset[ModuleId] = frozenset()) -> tuple[Area, ...]:
    """Returns the areas of a set of source files, sorted by directory; ids are unique and none of `taken`."""
    paths = sorted(files)
    counts = _counts(paths)
    known = frozenset(paths)
    tops = {top for path in paths if (top := _top(path, known)) is not None}
    chosen: dict[TreePath, TreePath | None] = {TreePath(b""): None}
    for top in sorted(tops):
        chosen[top] = TreePath(b"")
        package = any(TreePath(top + b"/" + name) in known for name in _PACKAGE)
        if package and counts[top] > LARGE and not is_undivided(top):
            chosen.update(dict.fromkeys(_children(top, counts), top))
    used = set(taken)
    areas = []
    for directory, parent in sorted(chosen.items()):
        areas.append(Area(_unused_id(directory, used), directory, parent, counts.get(directory, 0)))
        used.add(areas[-1].id)
    return tuple(areas)


def _counts(paths: Iterable[TreePath]) -> Mapping[TreePath, int]:
    counts: dict[TreePath, int] = {}
    for path in paths:
        directory: bytes = path
        while directory:
            directory = directory.rpartition(b"/")[0]
            counts[TreePath(directory)] = counts.get(TreePath(directory), 0) + 1
    return counts


def _top(path: TreePath, known: frozenset[TreePath]) -> TreePath | None:
    """Returns the outermost package or undivided directory, else the top-level one; None for a file at the root."""
    parts = path.split(b"/")[:-1]
    for depth in range(1, len(parts) + 1):
        directory = b"/".join(parts[:depth])
        if is_undivided(directory) or any(TreePath(directory + b"/" + name) in known for name in _PACKAGE):
            return TreePath(directory)
    return TreePath(parts[0]) if parts else None


def is_undivided(directory: bytes) -> bool:
    """Returns whether a directory is one of tests, documentation, examples or benchmarks, by its name."""
    return directory.rpartition(b"/")[2].lower() in _UNDIVIDED


def _children(top: TreePath, counts: Mapping[TreePath, int]) -> Iterable[TreePath]:
    inside = top + b"/"
    return (TreePath(d) for d in counts if d.startswith(inside) and b"/" not in d[len(inside) :])


def _unused_id(directory: TreePath, used: set[ModuleId]) -> ModuleId:
    words = [_word(part) for part in directory.decode("utf-8", "replace").split("/")]
    if len(words) > 1 and words[0] == "src":
        words = words[1:]
    text = ".".join(word for word in words if word)[:_ID_LIMIT].rstrip(".-") or "root"
    candidate, number = text, 2
    while candidate in used or not is_module_id(candidate):
        candidate = f"{text[: _ID_LIMIT - 6]}-{number}" if is_module_id(text) else f"m{number}"
        number += 1
    return ModuleId(candidate)


def _word(part: str) -> str:
    cleaned = re.sub(r"[^a-z0-9]+", "-", part.lower()).strip("-")
    return f"m{cleaned}" if cleaned[:1].isdigit() else cleaned
