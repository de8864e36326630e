"""Which paths of a tree does one path name, symbolic links resolved inside the tree?

Following a link gives the link **and** what it leads to, since a change of either changes what is loaded. Links that
leave the tree, dangle or turn in a circle lead nowhere further. Submodules are leaves. **Source:** design 20-graph §3.
"""

from __future__ import annotations

from git_assay.git.snapshot import Snapshot
from git_assay.values.ids import TreePath

# Linux follows 40 links (path_resolution(7)).
_LINK_LIMIT = 40


class TreeIndex:
    """Files and directories of one snapshot by path."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.entries = snapshot.entries
        self.directories: set[bytes] = {b""}
        for path in self.entries:
            parent = path.rpartition(b"/")[0]
            while parent and parent not in self.directories:
                self.directories.add(parent)
                parent = parent.rpartition(b"/")[0]
        links = [path for path, entry in self.entries.items() if entry.is_link]
        texts = snapshot.read_many(links) if links else {}
        self._links: dict[bytes, bytes] = {path: texts[path] for path in links}

    def find(self, path: bytes) -> tuple[TreePath, ...]:
        """Returns the entries that `path` names: () when there is none, links on the way before what they lead to."""
        if path in self.entries and path not in self._links:
            return (TreePath(path),)
        if not self._links:
            return ()
        trail, end = self._follow(path)
        return (*trail, TreePath(end)) if end is not None and end in self.entries else tuple(trail if end else ())

    def is_directory(self, path: bytes) -> bool:
        """Returns whether `path` names a directory, through links or not."""
        if path in self.directories:
            return True
        if not self._links:
            return False
        end = self._follow(path)[1]
        return end is not None and end in self.directories

    def _follow(self, path: bytes) -> tuple[list[TreePath], bytes | None]:
        """Returns the links on the way and the final path, None when it leaves the tree or never ends."""
        trail: list[TreePath] = []
        for _ in range(_LINK_LIMIT):
            link = self._first_link(path)
            if link is None:
                return trail, path
            trail.append(TreePath(link))
            followed = join(link.rpartition(b"/")[0], self._links[link] + path[len(link) :])
            if followed is None:
                return trail, None
            path = followed
        return trail, None

    def _first_link(self, path: bytes) -> bytes | None:
        end = path.find(b"/")
        while end != -1:
            if path[:end] in self._links:
                return path[:end]
            end = path.find(b"/", end + 1)
        return path if path in self._links else None


def join(directory: bytes, relative: bytes) -> bytes | None:
    """Returns the normal form of `directory/relative`; None when it is absolute or leaves the tree."""
    if relative.startswith(b"/"):
        return None
    parts = directory.split(b"/") if directory else []
    for part in relative.split(b"/"):
        if part == b"..":
            if not parts:
                return None
            parts.pop()
        elif part not in (b"", b"."):
            parts.append(part)
    return b"/".join(parts)


def beneath(directory: bytes, name: bytes) -> bytes:
    """Returns the path of `name` in `directory`, the root being b""."""
    return directory + b"/" + name if directory else name
