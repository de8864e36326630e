"""Which files of the tree are the inputs of a check that declares `inputs`?

1. what its patterns match,
2. what its command line names,
3. configuration, build and lock files in the directories of 1, 2 and of the module, and in all directories above.

**Source:** design 10-modules §2, "With `inputs`, the tool always adds …".
"""

from __future__ import annotations

from collections.abc import Iterable

from git_assay.cones.commands import named_files
from git_assay.cones.paths import TreePaths
from git_assay.modules.card import Check
from git_assay.modules.model import LoadedCard
from git_assay.values.ids import TreePath


class InputFinder:
    """Finds the inputs of the checks of one tree; answers that checks share are kept."""

    def __init__(self, paths: Iterable[TreePath]) -> None:
        self._paths = TreePaths(paths)
        self._named: dict[str, frozenset[TreePath]] = {}

    def find(self, check: Check, loaded: LoadedCard, own: Iterable[TreePath]) -> frozenset[TreePath]:
        """Returns the inputs of one check with `inputs`. own: the files that contain something the module owns."""
        found: set[TreePath] = set()
        for pattern in check.inputs or ():  # 1
            found.update(self._paths.matching(pattern, loaded.directory))
        if check.run not in self._named:  # 2
            self._named[check.run] = named_files(check.run, self._paths)
        found |= self._named[check.run]
        directories = {path.rpartition(b"/")[0] for path in (*found, *own)}  # 3
        return frozenset(found | self._paths.configuring({*directories, loaded.directory}))
