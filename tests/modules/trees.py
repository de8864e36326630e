"""What do these files declare, and who owns them? Trees in memory for the tests of modules."""

from __future__ import annotations

from collections.abc import Mapping

from git_assay.git.snapshot import Snapshot
from git_assay.modules.load import load_declarations
from git_assay.modules.model import Declarations, Ownership
from git_assay.modules.ownership import map_ownership
from git_assay.modules.scope import source_files
from git_assay.syntax.facts import Definition
from git_assay.syntax.languages import EXTRACTOR_VERSION, get
from git_assay.values.ids import TreePath
from git_assay.values.text import path_text
from tests.snapshots import memory_snapshot

CONFIG = f"format: assay-config/1\nrepository: {'a' * 32}\nextractor: {EXTRACTOR_VERSION}\n"


def card(module: str, *lines: str) -> str:
    """Returns the YAML of a card."""
    return "\n".join(["format: assay-card/1", f"module: {module}", f"goal: Do {module}.", *lines]) + "\n"


def tree(files: Mapping[str, str | bytes], *, modes: Mapping[str, int] | None = None) -> Snapshot:
    """Returns a tree with a sound configuration, if the files hold none, and these files."""
    return memory_snapshot({".assay/config.yml": CONFIG, **files}, modes=modes)


def definitions_of(snapshot: Snapshot, path: TreePath) -> tuple[Definition, ...]:
    return get("python").definitions(snapshot.read(path)).definitions


def owned(
    files: Mapping[str, str | bytes], *, modes: Mapping[str, int] | None = None
) -> tuple[Snapshot, Declarations, Ownership]:
    """Returns tree, declarations (which must be sound) and ownership."""
    snapshot = tree(files, modes=modes)
    declarations = load_declarations(snapshot)
    assert declarations.problems == ()
    scope = source_files(snapshot, declarations.config)
    ownership = map_ownership(snapshot, declarations, scope, lambda path: definitions_of(snapshot, path))
    return snapshot, declarations, ownership


def owner_of(ownership: Ownership) -> dict[str, str]:
    """Returns path -> module, as text."""
    return {path_text(path): str(module) for path, module in ownership.owner.items()}
