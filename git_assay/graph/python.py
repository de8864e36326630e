"""Which files does a written Python import lead to, in this tree and nothing but this tree?

A pure function of the tree's paths and build files. Every possible target is taken: all roots that hold the module, a
package and a module of one name, the stub beside it, byte code and extension modules that would be loaded instead.

1. A relative import starts in the file's package directory, an absolute one in every root and in the file's own base,
   unless Python never looks for it there.
2. The parts of the name are walked down; packages on the way are executed too (IMPLICIT).
3. A name imported from a package may be a submodule: then it is a target as well. So are stubs that stand apart.
4. What is not found is *unresolved* where its first part is in the tree, *external* otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from git_assay.graph.roots import nearest_base
from git_assay.graph.tree import TreeIndex, beneath, join
from git_assay.syntax.facts import WrittenImport
from git_assay.values.ids import TreePath

_SOURCES = (b".py", b".pyw", b".pyx")
_BINARY = (b".so", b".pyd", b".pyc", b".dylib")
# The separate package of stubs beside `p` is `p-stubs` (PEP 561).
_STUBS = b"-stubs"
# Built in, or loaded before the first line of any program, so never looked for on `sys.path`.
# **Source:** `sys.builtin_module_names` and `python -I -c "import sys; print(*sys.modules)"`, CPython 3.8 to 3.13.
_NEVER_SEARCHED = frozenset((b"abc", b"builtins", b"codecs", b"io", b"marshal", b"os", b"stat", b"sys", b"time"))


@dataclass(frozen=True, slots=True)
class Target:
    """A file that an import leads to. implicit: an ancestor package.  stub: only for type checkers, code exists too."""

    path: TreePath
    implicit: bool
    stub: bool


@dataclass(frozen=True, slots=True)
class Resolution:
    """targets: sorted by path.  external, reason: as in Loose; both None when all was found."""

    targets: tuple[Target, ...]
    external: str | None = None
    reason: str | None = None


@dataclass(slots=True)
class _Found:
    """What one walk down from one directory met. depth: parts of the name that were found."""

    packages: list[TreePath]
    last: tuple[TreePath, ...]
    depth: int
    directory: bytes | None
    has_file: bool


class PythonResolver:
    """Resolves written imports of one tree."""

    def __init__(self, index: TreeIndex, roots: Sequence[bytes]) -> None:
        self._index = index
        self._roots = tuple(roots)
        self._binaries = _binaries(index.entries)
        self._python_directories = _python_directories(index.entries)
        self._has_stub_packages = any(path.endswith(_STUBS) for path in self._python_directories)
        self._files_of: dict[bytes, tuple[TreePath, ...]] = {}
        self._walks: dict[tuple[bytes, tuple[bytes, ...]], _Found] = {}
        self._absolute: dict[tuple[bytes, str, tuple[str, ...]], Resolution] = {}

    def resolve(self, path: TreePath, written: WrittenImport) -> Resolution:
        """Returns where one import of the file at `path` leads. Self edges are left to the caller."""
        name = written.specifier.lstrip(".")
        level = len(written.specifier) - len(name)
        parts = tuple(_raw(part) for part in name.split(".")) if name else ()
        if any(not part for part in parts) or not (parts or level):
            return Resolution((), reason="not a module name")
        if level:
            return self._relative(path, level, parts, written.names)
        if parts[0] in _NEVER_SEARCHED:
            return Resolution((), external=_text(parts[0]))
        base = nearest_base(path, self._index)
        key = (base, written.specifier, written.names)
        if key not in self._absolute:
            bases = tuple(dict.fromkeys((*self._roots, base)))
            self._absolute[key] = self._in_bases(bases, parts, written.names, absolute=True)
        return self._absolute[key]

    def asset(self, path: TreePath, literal: str) -> tuple[TreePath, ...]:
        """Returns the existing paths that a literal names, from the file's directory or the root of the tree."""
        raw = _raw(literal)
        found: list[TreePath] = []
        for directory in dict.fromkeys((path.rpartition(b"/")[0], b"")):
            candidate = join(directory, raw)
            if candidate:
                found.extend(self._index.find(candidate))
        return tuple(sorted(set(found)))

    def _relative(self, path: TreePath, level: int, parts: tuple[bytes, ...], names: tuple[str, ...]) -> Resolution:
        directory: bytes = path.rpartition(b"/")[0]
        for _ in range(level - 1):
            if not directory:
                return Resolution((), reason="beyond root")
            directory = directory.rpartition(b"/")[0]
        return self._in_bases((directory,), parts, names, absolute=False)

    def _in_bases(
        self, bases: Iterable[bytes], parts: tuple[bytes, ...], names: tuple[str, ...], *, absolute: bool
    ) -> Resolution:
        """Step 1 and 4: all directories in which the whole name is found, else those in which most of it is."""
        walks = [self._walk(base, parts) for base in bases]
        walks = [walk for walk in walks if walk.depth or not parts]
        whole = [walk for walk in walks if walk.depth == len(parts)]
        chosen = whole or [walk for walk in walks if walk.depth == max(walk.depth for walk in walks)]
        implicit: set[TreePath] = set()
        direct: set[TreePath] = set()
        missing: set[str] = set()
        for walk in chosen:
            implicit.update(walk.packages)
            direct.update(walk.last)
            if walk in whole:
                found, absent = self._submodules(walk, names)
                direct |= found
                missing |= absent
        separate = self._stub_packages(bases, parts) if absolute and self._has_stub_packages else []
        for walk in separate:
            implicit.update(filter(_is_stub, walk.packages))
            direct.update(filter(_is_stub, walk.last))
            if walk.depth == len(parts):
                direct.update(filter(_is_stub, self._submodules(walk, names)[0]))
        targets = self._targets(direct, implicit - direct)
        loaded = any(not target.stub or not absolute for target in targets)
        stubs = _two_stubs([*whole, *separate])
        if whole and loaded and not missing:
            return Resolution(targets, reason=stubs)
        top = _text(parts[0]) if parts else ""
        if absolute and not loaded:
            return Resolution(targets, external=top)
        return Resolution(targets, reason=_reason(parts, chosen, missing, bool(whole)))

    def _stub_packages(self, bases: Iterable[bytes], parts: tuple[bytes, ...]) -> list[_Found]:
        """`p.q` in the packages of stubs that stand apart from the code: `p-stubs/q.pyi`."""
        walks = [self._walk(base, (parts[0] + _STUBS, *parts[1:])) for base in bases]
        return [walk for walk in walks if walk.depth]

    def _submodules(self, walk: _Found, names: tuple[str, ...]) -> tuple[set[TreePath], set[str]]:
        """Step 3. Names that are not found are attributes, unless there is no code that could have attributes."""
        found: set[TreePath] = set()
        absent: set[str] = set()
        for name in names:
            files: tuple[TreePath, ...] = ()
            if name != "*" and walk.directory is not None:
                files = self._module_files(beneath(walk.directory, _raw(name)))
                found.update(files)
            if not files and not walk.has_file and name != "*":
                absent.add(name)
        return found, absent

    def _walk(self, base: bytes, parts: tuple[bytes, ...]) -> _Found:
        key = (base, parts)
        if key not in self._walks:
            self._walks[key] = self._walk_down(base, parts)
        return self._walks[key]

    def _walk_down(self, base: bytes, parts: tuple[bytes, ...]) -> _Found:
        """Step 2."""
        last = self._module_files(base, package_only=True) if not parts else ()
        found = _Found([], last, 0, base, bool(last))
        for part in parts:
            if found.directory is None:
                break
            place = beneath(found.directory, part)
            files = self._module_files(place)
            is_package = place in self._python_directories or (self._index.is_directory(place) and bool(files))
            if not files and not is_package:
                break
            found.packages.extend(found.last)
            found.last, found.has_file = files, bool(files)
            found.directory = place if is_package or self._index.is_directory(place) else None
            found.depth += 1
        return found

    def _module_files(self, place: bytes, *, package_only: bool = False) -> tuple[TreePath, ...]:
        """Returns every file that could be the module at `place`, a path without suffix."""
        key = place + b"/" if package_only else place
        if key not in self._files_of:
            found: list[TreePath] = []
            bases = [beneath(place, b"__init__")] if package_only else [place, beneath(place, b"__init__")]
            for base in bases:
                for suffix in (*_SOURCES, b".pyi"):
                    found.extend(self._index.find(base + suffix))
                found.extend(self._binaries.get(base, ()))
            if not package_only and self._index.entries.get(TreePath(place)) is not None:
                entry = self._index.entries[TreePath(place)]
                if entry.is_submodule:
                    found.append(TreePath(place))
            self._files_of[key] = tuple(dict.fromkeys(found))
        return self._files_of[key]

    def _targets(self, direct: set[TreePath], implicit: set[TreePath]) -> tuple[Target, ...]:
        code = any(not _is_stub(path) for path in direct)
        found = [Target(path, False, _is_stub(path) and (code or _is_separate_stub(path))) for path in direct]
        found += [Target(path, True, _is_stub(path)) for path in implicit]
        return tuple(sorted(found, key=lambda target: target.path))


def _reason(parts: tuple[bytes, ...], chosen: Sequence[_Found], missing: set[str], whole: bool) -> str:
    if whole and missing:
        package = ".".join(map(_text, parts)) or "this package"
        return f"no module {', '.join(sorted(missing))} in {package}"
    depth = max((walk.depth for walk in chosen), default=0)
    package = ".".join(_text(part) for part in parts[:depth]) or "this package"
    return f"no module {_text(parts[depth]) if depth < len(parts) else ''} in {package}".replace(
        "module  in", "code in"
    )


def _two_stubs(walks: Iterable[_Found]) -> str | None:
    """Returns why one module of one root is ambiguous: type checkers take one of two stubs."""
    for walk in walks:
        stubs = sorted(path for path in walk.last if _is_stub(path))
        if len(stubs) > 1:
            return f"two stubs of one module: {', '.join(map(_text, stubs))}"
    return None


def _is_stub(path: bytes) -> bool:
    return path.endswith(b".pyi")


def _is_separate_stub(path: bytes) -> bool:
    return b"-stubs/" in path


def _binaries(paths: Iterable[TreePath]) -> dict[bytes, tuple[TreePath, ...]]:
    """Byte code and extension modules by the path of the module that they would be loaded as."""
    found: dict[bytes, list[TreePath]] = {}
    for path in paths:
        if path.endswith(_BINARY):
            directory, _, name = path.rpartition(b"/")
            if directory == b"__pycache__" or directory.endswith(b"/__pycache__"):
                directory = directory.rpartition(b"/")[0]
            found.setdefault(beneath(directory, name.partition(b".")[0]), []).append(path)
    return {place: tuple(sorted(files)) for place, files in found.items()}


def _python_directories(paths: Iterable[TreePath]) -> frozenset[bytes]:
    """Directories with Python code somewhere beneath: they can be namespace packages (PEP 420)."""
    found: set[bytes] = set()
    for path in paths:
        if path.endswith((b".py", b".pyi", *_BINARY)):
            directory: bytes = path.rpartition(b"/")[0]
            while directory and directory not in found:
                found.add(directory)
                directory = directory.rpartition(b"/")[0]
    return frozenset(found)


def _raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def hub_roots(paths: Iterable[TreePath], roots: Sequence[bytes]) -> Iterator[bytes]:
    """Yields the roots that hold some file and lie in no other one: what an open file may reach."""
    outer = [root for root in roots if not any(other != root and holds(other, root) for other in roots)]
    files = tuple(paths)
    for root in sorted(set(outer)):
        if any(holds(root, path) for path in files):
            yield root


def holds(directory: bytes, path: bytes) -> bool:
    """Returns whether `path` lies in `directory`, b"" being the root of the tree."""
    return not directory or path.startswith(directory + b"/")
