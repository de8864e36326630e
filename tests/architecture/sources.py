"""What do the sources of one package say about themselves? Parsed once, judged by `rules`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path


@dataclass(frozen=True)
class Source:
    """One file. name: dotted module name.  place: path below the package, for messages."""

    package: str
    name: str
    place: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, self.place)

    @property
    def folder(self) -> str:
        """The concept a file belongs to: the first folder, or its own stem at the top of the package."""
        first = self.place.split("/")[0]
        return first.removesuffix(".py")

    def imports(self) -> Iterator[tuple[str, int]]:
        """Yields (absolute dotted name, line) of every import, deferred and type-only ones too."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from ((alias.name, node.lineno) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                base = self._base(node)
                yield base, node.lineno
                yield from ((f"{base}.{alias.name}", node.lineno) for alias in node.names)

    def _base(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = self.name.split(".")
        kept = parts[: len(parts) - node.level + (1 if self.place.endswith("__init__.py") else 0)]
        return ".".join([*kept, node.module] if node.module else kept)


def read_package(root: Path) -> tuple[Source, ...]:
    """Returns every Python file below `root`, whose folder name is the package's name, sorted by place."""
    found = []
    for path in sorted(root.rglob("*.py")):
        place = path.relative_to(root).as_posix()
        dotted = ".".join([root.name, *Path(place).with_suffix("").parts]).removesuffix(".__init__")
        found.append(Source(root.name, dotted, place, path.read_text(encoding="utf-8")))
    return tuple(found)
