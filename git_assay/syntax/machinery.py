"""Which names of the standard library load code by name, and which of their neighbours are harmless?

A table, so that an addition is one line. A name that is not known to be harmless opens the file.

Other files may take a loader from the one that imports it: under its own name it is known wherever it stands, under
another name (`import_module as load`) the file that renames it is open, and with it every cone that holds it.
Not followed: code objects made by hand, walks over `object.__subclasses__()`, unpickling of data that is not written in
the source (data is input; a data file that is named by a literal is an asset), commands made of computed text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Machinery:
    """safe: attributes that load nothing.  unsafe: when not None, only these load, and all others are harmless."""

    safe: frozenset[str] = frozenset()
    unsafe: frozenset[str] | None = None

    def is_harmless(self, attribute: str) -> bool:
        if self.unsafe is None:
            return attribute in self.safe
        return attribute not in self.unsafe and attribute.encode() not in {**ANYWHERE, **PASSED_ON}


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_BUILTINS = Machinery(
    unsafe=_words("__import__ exec eval execfile __dict__ __loader__ __spec__ __path__ pytest_plugins")
)
MODULES: Mapping[str, Machinery] = {
    "importlib": Machinery(_words("invalidate_caches reload __name__ __doc__ __file__")),
    "importlib.abc": Machinery(unsafe=frozenset()),
    "importlib.resources": Machinery(unsafe=frozenset()),
    "importlib.metadata": Machinery(unsafe=_words("EntryPoint EntryPoints entry_points __dict__")),
    "importlib.util": Machinery(
        _words("cache_from_source source_from_cache MAGIC_NUMBER resolve_name decode_source source_hash")
    ),
    "importlib.machinery": Machinery(
        _words("SOURCE_SUFFIXES EXTENSION_SUFFIXES BYTECODE_SUFFIXES all_suffixes ModuleSpec")
    ),
    "runpy": Machinery(),
    "imp": Machinery(_words("reload get_suffixes get_magic get_tag cache_from_source acquire_lock release_lock")),
    "zipimport": Machinery(_words("ZipImportError")),
    "pkgutil": Machinery(_words("get_data extend_path iter_modules ModuleInfo")),
    "builtins": _BUILTINS,
    "__builtin__": _BUILTINS,
    "__builtins__": _BUILTINS,
    "sys": Machinery(unsafe=_words("modules path meta_path path_hooks path_importer_cache __dict__")),
    "pydoc": Machinery(unsafe=_words("locate safeimport importfile resolve render_doc doc")),
    "code": Machinery(),
    "marshal": Machinery(unsafe=_words("load loads")),
    "pickle": Machinery(unsafe=_words("load loads Unpickler __dict__")),
    "unittest": Machinery(unsafe=_words("discover loadTestsFromNames __dict__")),
    "lazy_loader": Machinery(),
    "apipkg": Machinery(),
    "site": Machinery(unsafe=_words("addsitedir addpackage addsitepackages main")),
}

BUILTIN_NAMES: Mapping[bytes, str] = {
    b"__import__": "builtins.__import__",
    b"exec": "builtins.exec",
    b"eval": "builtins.eval",
    b"execfile": "builtins.execfile",
    b"__builtins__": "builtins",
    b"__loader__": "builtins.__loader__",
    b"__spec__": "builtins.__spec__",
    b"__path__": "builtins.__path__",
    b"pytest_plugins": "builtins.pytest_plugins",
}

# Called with a literal they import what it names; the value is the position of the literal's package, if any.
LOADERS: frozenset[str] = frozenset(
    {
        "importlib.import_module",
        "importlib.__import__",
        "importlib.util.find_spec",
        "importlib.find_loader",
        "builtins.__import__",
        "pytest.importorskip",
        "runpy.run_module",
        "pkgutil.resolve_name",
        "pkgutil.get_loader",
        "pkgutil.find_loader",
        "pydoc.locate",
        "import_string",
        "loadTestsFromName",
    }
)
# When their target is computed, it is still a module by name, so it lies in a root.
BY_NAME: frozenset[str] = (LOADERS | {"sys.modules", "pytest_plugins", "lazy_loader.attach"}) - {"pydoc.locate"}

# Under whatever object they stand, since another file may pass them on.
ANYWHERE: Mapping[bytes, str] = {
    b"import_module": "importlib.import_module",
    b"importorskip": "pytest.importorskip",
    b"__import__": "builtins.__import__",
    b"spec_from_file_location": "importlib.util.spec_from_file_location",
    b"module_from_spec": "importlib.util.module_from_spec",
    b"exec_module": "importlib.machinery.exec_module",
    b"load_module": "importlib.machinery.load_module",
    b"load_source": "imp.load_source",
    b"run_module": "runpy.run_module",
    b"run_path": "runpy.run_path",
    b"__builtins__": "builtins",
    b"__path__": "builtins.__path__",
    b"SourceFileLoader": "importlib.machinery.SourceFileLoader",
    b"zipimporter": "zipimport.zipimporter",
    b"addsitedir": "site.addsitedir",
    b"import_string": "import_string",
    b"loadTestsFromName": "loadTestsFromName",
    b"loadTestsFromNames": "unittest.loadTestsFromNames",
}

# Modules that a file may take from another one that imports them: `from compat import sys`, `compat.sys.path`.
PASSED_ON: Mapping[bytes, str] = {
    name.encode(): name for name in ("importlib", "sys", "builtins", "runpy", "pkgutil", "imp", "zipimport", "marshal")
}

PASSED_ON_NAMES = frozenset(PASSED_ON.values()) | {"importlib.util", "importlib.machinery"}

STAR: Mapping[str, Mapping[bytes, str]] = {
    "importlib": {b"import_module": "importlib.import_module", b"__import__": "importlib.__import__"},
    "sys": {b"modules": "sys.modules", b"path": "sys.path", b"meta_path": "sys.meta_path"},
    "runpy": {b"run_module": "runpy.run_module", b"run_path": "runpy.run_path"},
}


def split(qualified: str) -> tuple[str, tuple[str, ...]] | None:
    """Returns (module of the table, the attributes after it) of a dotted name; None when it is no machinery."""
    parts = qualified.split(".")
    for count in range(min(2, len(parts)), 0, -1):
        module = ".".join(parts[:count])
        if module in MODULES:
            return module, tuple(parts[count:])
    return None


def passed_on(origin: str) -> str:
    """Returns what a name is that another module passes on: it is what it is called."""
    name = origin.rpartition(".")[2].encode()
    if name in ANYWHERE:
        return ANYWHERE[name]
    return PASSED_ON[name] if "." in origin and name in PASSED_ON else origin


def renamed(local: str, origin: str) -> bool:
    """Returns whether `local` is a loader, or a module with loaders, under a name that hides it from other files."""
    name = origin.rpartition(".")[2]
    if local in (name, origin) or not is_machinery(origin):
        return False
    return origin in PASSED_ON_NAMES or name.encode() in ANYWHERE


def is_machinery(origin: str) -> bool:
    """Returns whether a name bound to `origin` must be watched."""
    origin = passed_on(origin)
    if origin in LOADERS:
        return True
    found = split(origin)
    if found is None:
        return False
    module, rest = found
    return not rest or not MODULES[module].is_harmless(rest[0])
