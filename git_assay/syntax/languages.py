"""Which language is a file in, and what can be asked of that language?

The table names the built-in languages; their modules, and tree-sitter with them, are imported when something must be
parsed. Other packages add languages through the entry point group `git_assay.languages`: each entry is a `Language`.
A suffix of the built-in table cannot be taken over by a plug-in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from git_assay.errors import AssayError
from git_assay.syntax.entry_points import may_declare
from git_assay.syntax.facts import DefinitionFacts, ImportFacts, PartDigest
from git_assay.values.ids import TreePath

EXTRACTOR_VERSION = 1
"""Changes whenever any blob's facts or any resolution could change. **Source:** design 20-graph §1."""

ENTRY_POINT_GROUP = "git_assay.languages"

Parts = tuple[Mapping[str, PartDigest], PartDigest]


@dataclass(frozen=True, slots=True)
class Language:
    """What one language can say about a blob. All three functions are pure and never raise for any bytes.

    suffixes: of source files.  loadable: of every file that the language's run time can load (byte code included).
    parts: digests of the named symbols that the file defines (others are left out), and of the rest without them.
    """

    name: str
    suffixes: tuple[bytes, ...]
    loadable: tuple[bytes, ...]
    imports: Callable[[bytes], ImportFacts]
    definitions: Callable[[bytes], DefinitionFacts]
    parts: Callable[[bytes, Iterable[str]], Parts]


_PYTHON_SUFFIXES = (b".py", b".pyi", b".pyw")
_PYTHON_LOADABLE = (b".py", b".pyw", b".pyc", b".so", b".pyd", b".pth", b".zip", b".egg")


def _python() -> Language:
    from git_assay.syntax.code_digest import python_definitions, python_parts
    from git_assay.syntax.imports import python_imports

    return Language(
        "python",
        _PYTHON_SUFFIXES,
        _PYTHON_LOADABLE,
        python_imports,
        python_definitions,
        python_parts,
    )


_BUILT_IN: dict[str, Callable[[], Language]] = {"python": _python}
_SUFFIXES: dict[bytes, str] = dict.fromkeys(_PYTHON_SUFFIXES, "python")


def language_of(path: TreePath) -> str | None:
    """Returns the name of the language of the file at `path`, None when no known language has its suffix."""
    name = path.rpartition(b"/")[2]
    dot = name.rfind(b".")
    if dot <= 0:
        return None
    suffix = name[dot:]
    return _SUFFIXES.get(suffix) or _plugin_suffixes().get(suffix)


@cache
def get(name: str) -> Language:
    """Returns a language by name, loading its parser. Raises AssayError for an unknown one."""
    if name in _BUILT_IN:
        return _BUILT_IN[name]()
    plugin = _plugins().get(name)
    if plugin is None:
        raise AssayError(f"unknown language {name}; known are {', '.join(known())}")
    return plugin.language


def known() -> tuple[str, ...]:
    """Returns the names of all languages, plug-ins included, sorted."""
    return tuple(sorted({*_BUILT_IN, *_plugins()}))


def facts_version(name: str) -> str:
    """Returns what the facts of a language are made with: for a plug-in, also the version of its distribution."""
    plugin = _plugins().get(name)
    return f"{EXTRACTOR_VERSION}" if plugin is None else f"{EXTRACTOR_VERSION}+{plugin.version}"


@cache
def loadable_suffixes() -> tuple[bytes, ...]:
    """Returns the suffixes of every file that some known language can load, sorted."""
    plugins = (suffix for plugin in _plugins().values() for suffix in plugin.language.loadable)
    return tuple(sorted({*_PYTHON_SUFFIXES, *_PYTHON_LOADABLE, *plugins}))


@dataclass(frozen=True, slots=True)
class _Plugin:
    """version: of the distribution that it comes from, "" where that is unknown."""

    language: Language
    version: str


@cache
def _plugins() -> Mapping[str, _Plugin]:
    if not may_declare(ENTRY_POINT_GROUP):
        return {}
    from importlib.metadata import entry_points

    found: dict[str, _Plugin] = {}
    for entry in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda entry: (entry.name, entry.value)):
        try:
            language = entry.load()
        except (ImportError, AttributeError) as error:
            raise AssayError(f"language plug-in {entry.name} ({entry.value}) cannot be loaded: {error}") from error
        if not isinstance(language, Language):
            raise AssayError(f"language plug-in {entry.name} ({entry.value}) is not a Language")
        if language.name not in _BUILT_IN:
            found.setdefault(language.name, _Plugin(language, entry.dist.version if entry.dist is not None else ""))
    return found


@cache
def _plugin_suffixes() -> Mapping[bytes, str]:
    plugins = reversed([plugin.language for plugin in _plugins().values()])
    return {suffix: language.name for language in plugins for suffix in language.suffixes}
