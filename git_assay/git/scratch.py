"""Where do objects go that must not be written into the user's repository?

Into a temporary directory that lives as long as whoever holds it. Git reads the repository's own objects through the
alternates variable, so nothing is copied and a read-only repository is enough.
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from pathlib import Path

from git_assay.git.layout import Layout
from git_assay.git.process import Git

_ALTERNATES = "GIT_ALTERNATE_OBJECT_DIRECTORIES"


class Scratch:
    """A temporary directory that is removed when the last holder lets go of it."""

    __slots__ = ("__weakref__", "path")

    def __init__(self) -> None:
        import shutil  # both are costly to import, and most commands read only
        import tempfile

        self.path = Path(tempfile.mkdtemp(prefix="git-assay-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


def object_environment(git: Git, layout: Layout, objects: Path) -> Mapping[str, str]:
    """Returns variables under which git writes to `objects` and still reads all that the repository reads."""
    return {"GIT_OBJECT_DIRECTORY": str(objects), _ALTERNATES: alternates(git, layout)}


def alternates(git: Git, layout: Layout) -> str:
    """Returns the object directories of the repository as git's variable wants them, quoted."""
    inherited = git.env.get(_ALTERNATES, "")
    own = _quoted(str(layout.objects))
    # In a quarantine the objects of the repository itself are already among the inherited alternates.
    return f"{own}:{inherited}" if inherited else own


def _quoted(path: str) -> str:
    """**Source:** git(1), GIT_ALTERNATE_OBJECT_DIRECTORIES: double-quoted paths use C-style escapes."""
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
