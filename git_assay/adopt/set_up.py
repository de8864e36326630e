"""Which check does the test set-up of a tree offer for an area?

Only pytest is known. Tests count for `src/shop/tax` when they lie in `src/shop/tax/tests/`, `tests/tax/` or
`tests/test_tax.py`; for the only package of a tree, when it has none of its own, all of `tests/` does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from git_assay.adopt.areas import Area, is_undivided
from git_assay.adopt.cards import ProposedCheck
from git_assay.git.snapshot import Snapshot
from git_assay.values.ids import TreePath

_SIGNS = (b"pytest.ini", b"conftest.py", b"tests/conftest.py")
_CONFIGURATIONS = (b"pyproject.toml", b"setup.cfg", b"tox.ini")
_HARMLESS = re.compile(r"[\w./-]+")  # the command goes through a shell


class SetUp:
    """How one tree is tested."""

    def __init__(self, snapshot: Snapshot, areas: Iterable[Area]) -> None:
        self._snapshot = snapshot
        self._pytest = _uses_pytest(snapshot)
        packages = [area.directory for area in areas if self._is_outer_package(area)]
        self._only = packages[0] if len(packages) == 1 else None

    def check_of(self, area: Area) -> ProposedCheck | None:
        """Returns the check of an area, None where no tests are found for it."""
        if not self._pytest or not area.directory or is_undivided(area.directory):
            return None
        words = [place.decode("utf-8", "replace") for place in self._places(area) if self._has_tests(place)]
        if not words or not all(_HARMLESS.fullmatch(word) for word in words):
            return None
        inputs = tuple(f"/{word}" if word.endswith(".py") else f"/{word}/**" for word in words)
        return ProposedCheck("unit", "tests", f"python -m pytest -q {' '.join(words)}", inputs)

    def _places(self, area: Area) -> tuple[bytes, ...]:
        own = area.directory + b"/tests"
        inner = area.directory.removeprefix(b"src/").partition(b"/")[2]
        if inner:
            return own, b"tests/" + inner, b"tests/test_" + inner.replace(b"/", b"_") + b".py"
        alone = area.directory == self._only and not self._has_tests(own)
        return (b"tests",) if alone else (own,)

    def _is_outer_package(self, area: Area) -> bool:
        init = TreePath(area.directory + b"/__init__.py")
        return area.parent == b"" and init in self._snapshot.entries and not is_undivided(area.directory)

    def _has_tests(self, place: bytes) -> bool:
        if place.endswith(b".py"):
            return TreePath(place) in self._snapshot.entries
        start = place + b"/"
        paths = (path for path in self._snapshot.entries if path.startswith(start))
        return any(path.rpartition(b"/")[2].startswith(b"test_") for path in paths)


def _uses_pytest(snapshot: Snapshot) -> bool:
    if any(TreePath(name) in snapshot.entries for name in _SIGNS):
        return True
    for name in _CONFIGURATIONS:
        path = TreePath(name)
        if path in snapshot.entries and snapshot.entries[path].is_file and b"pytest" in snapshot.read(path):
            return True
    return False
