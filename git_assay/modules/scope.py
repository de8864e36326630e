"""Which files of a tree are source files in scope, and of which language?

A pure function of the paths and `config.yml`: links and submodules are never source files, cards and `.assay/` neither.
"""

from __future__ import annotations

from collections.abc import Mapping

from git_assay.git.snapshot import Snapshot
from git_assay.modules.config import Config
from git_assay.modules.patterns import Pattern
from git_assay.syntax.languages import language_of
from git_assay.values.ids import TreePath

CARD_NAME = b"assay.yml"
ASSAY_DIRECTORY = b".assay/"
_ROOT = TreePath(b"")


def source_files(snapshot: Snapshot, config: Config) -> Mapping[TreePath, str]:
    """Returns path -> language of every source file in scope, sorted by path."""
    excluded = [Pattern(text, _ROOT) for text in config.exclude]
    wanted = frozenset(config.languages)
    found: dict[TreePath, str] = {}
    for path, entry in snapshot.entries.items():
        if not entry.is_file or path.startswith(ASSAY_DIRECTORY):
            continue
        language = language_of(path)
        if language is None or (wanted and language not in wanted):
            continue
        if not any(pattern.matches(path) for pattern in excluded):
            found[path] = language
    return dict(sorted(found.items()))


def is_adopted(snapshot: Snapshot) -> bool:
    """Returns whether anything stands under `.assay/` in a tree."""
    return any(path.startswith(ASSAY_DIRECTORY) for path in snapshot.entries)


def is_card(path: TreePath) -> bool:
    """Returns whether a path is where a card file stands."""
    return path.rpartition(b"/")[2] == CARD_NAME and not path.startswith(ASSAY_DIRECTORY)


def is_reserved(path: TreePath) -> bool:
    """Returns whether a path belongs to `.assay` or is a card: never owned by a module as code."""
    return path.startswith(ASSAY_DIRECTORY) or path.rpartition(b"/")[2] == b".gitattributes" or is_card(path)
