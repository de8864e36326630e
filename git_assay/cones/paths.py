"""Which paths of a tree lie beneath a directory, match a pattern, or configure what happens there?

One sorted list for all checks of a tree. A pattern is tried only on the paths beneath its literal beginning.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from git_assay.modules.patterns import Pattern
from git_assay.values.ids import TreePath

# Files whose presence or content can make the same command mean something else: configuration of test runners and
# linters, build files, locks, and what Python runs unasked (the packages around a file, `sitecustomize`).
# **Source:** design 10-modules §2; file names from the manuals of pytest, tox, nox, coverage, ruff, mypy, flake8,
# pylint, pyright, setuptools, pip, uv, poetry, pdm, pipenv, make, just, task and npm.
_CONFIGURES = re.compile(
    rb"conftest\.py|\.?pytest\.(?:ini|toml)|tox\.(?:ini|toml)|noxfile\.py|\.?coveragerc|\.coveragerc\.toml"
    rb"|pyproject\.toml|setup\.(?:cfg|py)|MANIFEST\.in|\.python-version"
    rb"|\.?ruff\.toml|\.?mypy\.ini|\.flake8|\.?pylintrc(?:\.toml)?|pyrightconfig\.json|\.pre-commit-config\.yaml"
    rb"|requirements[^/]*\.(?:txt|in)|constraints[^/]*\.txt|Pipfile|uv\.toml|[^/]*\.lock"
    rb"|GNUmakefile|[mM]akefile|[jJ]ustfile|CMakeLists\.txt|[tT]askfile(?:\.dist)?\.ya?ml|package\.json|\.env"
    rb"|__init__\.py|(?:site|user)customize\.py"
)
_SPECIAL = re.compile(r"[*?\[\\%]")


class TreePaths:
    """The paths of one tree, sorted. Immutable to its users; answers are kept."""

    def __init__(self, paths: Iterable[TreePath]) -> None:
        self._sorted: Sequence[TreePath] = sorted(paths)
        self._known = frozenset(self._sorted)
        self._configuring: dict[bytes, list[TreePath]] = {}
        self._patterns: dict[tuple[str, bytes], tuple[TreePath, ...]] = {}
        for path in self._sorted:
            directory, _, name = path.rpartition(b"/")
            if _CONFIGURES.fullmatch(name):
                self._configuring.setdefault(directory, []).append(path)

    def __contains__(self, path: object) -> bool:
        return path in self._known

    def __iter__(self) -> Iterator[TreePath]:
        return iter(self._sorted)

    def beneath(self, directory: bytes) -> Sequence[TreePath]:
        """Returns all paths beneath a directory (b"" is the root), sorted; nothing when there is no such directory."""
        if not directory:
            return self._sorted
        low = bisect_left(self._sorted, directory + b"/")
        return self._sorted[low : bisect_left(self._sorted, directory + b"0", low)]  # `0` follows `/`

    def ending(self, *endings: bytes) -> Iterator[TreePath]:
        """Yields the paths of which the last parts are one of `endings`, sorted."""
        deeper = tuple(b"/" + ending for ending in endings)
        yield from (path for path in self._sorted if path in endings or path.endswith(deeper))

    def matching(self, text: str, directory: TreePath) -> tuple[TreePath, ...]:
        """Returns the paths that a card's pattern matches, sorted."""
        key = (text, directory)
        if key not in self._patterns:
            pattern = Pattern(text, directory)
            self._patterns[key] = tuple(filter(pattern.matches, self._candidates(text, directory)))
        return self._patterns[key]

    def configuring(self, directories: Iterable[bytes]) -> frozenset[TreePath]:
        """Returns the configuration, build and lock files in these directories and all above them."""
        found: set[TreePath] = set()
        seen: set[bytes] = set()
        for directory in directories:
            while directory not in seen:
                seen.add(directory)
                found.update(self._configuring.get(directory, ()))
                directory = directory.rpartition(b"/")[0]
        return frozenset(found)

    def _candidates(self, text: str, directory: TreePath) -> Sequence[TreePath]:
        base = b"" if text.startswith("/") else directory
        words = text.strip("/")
        if "/" not in words and not text.startswith("/"):
            return self.beneath(base)  # a lone name matches at any depth
        special = _SPECIAL.search(words)
        literal = words if special is None else words[: special.start()].rpartition("/")[0]
        start = b"/".join(filter(None, (base, literal.encode())))
        return (TreePath(start), *self.beneath(start)) if start in self else self.beneath(start)
