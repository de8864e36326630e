"""From which directories are Python imports resolved in this tree?

`roots:` in the config, or else everything that is likely to be on `sys.path`, in this order: the root of the tree, each
directory that its build files name, each directory with a build file of its own, each `src` beside one, and each
directory that a test runner adds because a `conftest.py` stands there. Build files are read, never run.
"""

from __future__ import annotations

import configparser
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping

from git_assay.git.snapshot import Snapshot
from git_assay.graph.tree import TreeIndex, join
from git_assay.values.ids import TreePath

_BUILD_FILES = (b"pyproject.toml", b"setup.cfg", b"setup.py", b"pytest.ini", b"tox.ini")
_PROJECT_FILES = (b"pyproject.toml", b"setup.cfg", b"setup.py")
_SIZE_LIMIT = 1 << 20
_SETUP_PY = re.compile(
    rb"""package_dir\s*=\s*\{[^}]*?["']{2}\s*:\s*["']([\w./-]+)["']"""
    rb"""|find_(?:namespace_)?packages\(\s*(?:where\s*=\s*)?["']([\w./-]+)["']"""
)


def python_roots(snapshot: Snapshot, index: TreeIndex, configured: Iterable[str]) -> tuple[bytes, ...]:
    """Returns the roots in their fixed order, b"" for the root of the tree; only directories that exist."""
    explicit = [join(b"", text.encode()) for text in configured]
    if explicit:
        return _existing(explicit, index)
    found: list[bytes | None] = [b"", b"src"]
    named = [path for path in snapshot.entries if path.rpartition(b"/")[2] in _BUILD_FILES]
    files = [path for path in named if snapshot.entries[path].is_file]
    contents = snapshot.read_many(files) if files else {}
    for path in files:
        directory, _, name = path.rpartition(b"/")
        if name in _PROJECT_FILES:
            found += [directory, join(directory, b"src")]
        data = contents[path]
        if len(data) <= _SIZE_LIMIT:
            found += [join(directory, text.encode()) for text in _named_directories(name, data)]
    found += [path.rpartition(b"/")[0] for path in snapshot.entries if path.endswith(b"/conftest.py")]
    return _existing(found, index)


def _existing(directories: Iterable[bytes | None], index: TreeIndex) -> tuple[bytes, ...]:
    present = (path for path in directories if path is not None and index.is_directory(path))
    return tuple(dict.fromkeys(present))


def _named_directories(name: bytes, data: bytes) -> Iterator[str]:
    if name == b"pyproject.toml":
        try:
            document = tomllib.loads(data.decode())
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError):
            return
        yield from _from_pyproject(document)
    elif name == b"setup.py":
        for match in _SETUP_PY.finditer(data):
            yield (match[1] or match[2]).decode()
    else:
        yield from _from_ini(data)


def _from_pyproject(document: Mapping[str, object]) -> Iterator[str]:
    setuptools = _table(document, "tool", "setuptools")
    for prefix, directory in _table(setuptools, "package-dir").items():
        yield from _parent_of(directory, prefix)
    yield from _texts(_table(setuptools, "packages", "find").get("where"))
    for package in _texts(_table(document, "tool", "hatch", "build", "targets", "wheel").get("packages")):
        yield package.rpartition("/")[0]
    yield from _texts(_table(document, "tool", "hatch", "build", "targets", "wheel").get("sources"))
    packages = _table(document, "tool", "poetry").get("packages")
    for package in packages if isinstance(packages, list) else ():
        if isinstance(package, dict):
            yield from _texts(package.get("from"))
    yield from _texts(_table(document, "tool", "pdm", "build").get("package-dir"))
    yield from _texts(_table(document, "tool", "pytest", "ini_options").get("pythonpath"))
    yield from _texts(_table(document, "tool", "uv", "build-backend").get("module-root"))
    yield from _texts(_table(document, "tool", "maturin").get("python-source"))


def _from_ini(data: bytes) -> Iterator[str]:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(data.decode())
    except (configparser.Error, UnicodeDecodeError):
        return
    for line in parser.get("options", "package_dir", fallback="").splitlines():
        prefix, equals, directory = line.partition("=")
        if equals:
            yield from _parent_of(directory.strip(), prefix.strip())
    yield from parser.get("options.packages.find", "where", fallback="").split()
    for section in ("pytest", "tool:pytest"):
        yield from parser.get(section, "pythonpath", fallback="").split()


def _parent_of(directory: object, prefix: str) -> Iterator[str]:
    """`"" = "src"` names a root; `"a.b" = "lib/a/b"` names the root `lib`, when its end is the package."""
    if not isinstance(directory, str):
        return
    if not prefix:
        yield directory
    elif f"/{directory}".endswith("/" + prefix.replace(".", "/")):
        yield directory[: len(directory) - len(prefix)].rstrip("/")


def _table(document: Mapping[str, object], *keys: str) -> Mapping[str, object]:
    for key in keys:
        value = document.get(key)
        if not isinstance(value, dict):
            return {}
        document = value
    return document


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def nearest_base(path: TreePath, index: TreeIndex) -> bytes:
    """Returns the directory that running `path` puts on `sys.path`: the first one above it that is no package.

    **Source:** pytest, "prepend" import mode; for a script outside any package it is the script's own directory.
    """
    directory = path.rpartition(b"/")[0]
    while directory and directory + b"/__init__.py" in index.entries:
        directory = directory.rpartition(b"/")[0]
    return directory
