"""Which files that are not in the commit could change what a check runs?

A file of a language that the tool knows, or one that an interpreter loads by itself, under a root that imports resolve
from. Left out are `__pycache__` (checks run with another cache directory) and virtual environments (their code is
installed, wherever the environment stands). **Source:** design 30-evidence §5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from git_assay.graph.model import ImportGraph
from git_assay.values.ids import TreePath

# What CPython's import system and `site` load beside source: extension modules, sourceless bytecode, path files.
_SUFFIXES = (b".so", b".pyd", b".dylib", b".dll", b".pyc", b".pth", b".egg-link")
# Files that steer a test runner or an interpreter without being source. pytest and tox read these names from any
# directory above the tests.
_NAMES = frozenset({b"pytest.ini", b".pytest.ini", b"tox.ini", b"setup.cfg", b"pyproject.toml", b"pyvenv.cfg"})


def roots_of(graph: ImportGraph) -> tuple[bytes, ...]:
    """Returns the directories that imports resolve from, b"" for the top: those that the graph's hubs are named by."""
    return tuple(sorted({name.partition(b":")[2] for name in graph.hubs} or {b""}))


def loadable_test(suffixes: Iterable[bytes], roots: Iterable[bytes], work_tree: Path) -> Callable[[TreePath], bool]:
    """Returns the question "may an interpreter load this path?" for untracked and ignored files.

    suffixes: of the known languages, with the dot.
    """
    endings = tuple(suffixes) + _SUFFIXES
    beneath = tuple(root + b"/" if root not in (b"", b".") else b"" for root in roots)
    environments: dict[bytes, bool] = {}

    def in_environment(directory: bytes) -> bool:
        if directory not in environments:
            above = directory.rpartition(b"/")[0]
            environments[directory] = bool(directory) and (
                _is_environment(work_tree, directory) or in_environment(above)
            )
        return environments[directory]

    def loadable(path: TreePath) -> bool:
        directory, _, name = path.rpartition(b"/")
        if not (name.endswith(endings) or name in _NAMES) or b"__pycache__" in directory.split(b"/"):
            return False
        return any(path.startswith(root) for root in beneath) and not in_environment(directory)

    return loadable


def _is_environment(work_tree: Path, directory: bytes) -> bool:
    """Returns whether a directory is a virtual environment: PEP 405's file and an interpreter in its place."""
    place = work_tree / Path(directory.decode("utf-8", "surrogateescape"))
    return (place / "pyvenv.cfg").is_file() and any(
        (place / name).exists() for name in ("bin/python", "bin/python3", "Scripts/python.exe")
    )
