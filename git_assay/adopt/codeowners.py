"""Whom does CODEOWNERS name for a directory? The last line whose pattern matches, as GitHub reads it.

Sections and exclusions of other hosts, and the drift check, are not here. **Source:** GitHub's "About code owners".
"""

from __future__ import annotations

from dataclasses import dataclass

from git_assay.git.snapshot import Snapshot
from git_assay.modules.patterns import Pattern
from git_assay.values.ids import TreePath

_PLACES = (b".github/CODEOWNERS", b"CODEOWNERS", b"docs/CODEOWNERS", b".gitlab/CODEOWNERS")
_ROOT = TreePath(b"")


@dataclass(frozen=True, slots=True)
class CodeOwners:
    """lines: (pattern, owners), in the order of the file."""

    lines: tuple[tuple[Pattern, tuple[str, ...]], ...] = ()

    def of(self, path: TreePath) -> tuple[str, ...]:
        """Returns the owners of a file, () when nobody is named."""
        owners: tuple[str, ...] = ()
        for pattern, named in self.lines:
            if pattern.matches(path):
                owners = named
        return owners


def read_codeowners(snapshot: Snapshot) -> CodeOwners:
    """Returns the first CODEOWNERS of a tree that is a file; without one nobody is named."""
    for place in _PLACES:
        path = TreePath(place)
        if path in snapshot.entries and snapshot.entries[path].is_file:
            return _parse(snapshot.read(path).decode("utf-8", "replace"))
    return CodeOwners()


def _parse(text: str) -> CodeOwners:
    lines = []
    for line in text.splitlines():
        words = line.split("#", 1)[0].split()
        if not words or words[0].startswith(("[", "^[", "!")):
            continue
        lines.append((Pattern(words[0], _ROOT), tuple(word for word in words[1:] if "@" in word)))
    return CodeOwners(tuple(lines))
