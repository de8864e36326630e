"""Who owns a path, a line or a symbol of a tree, and by which word?"""

from __future__ import annotations

import os
import re
from collections import Counter
from typing import TYPE_CHECKING

from git_assay.cli.context import analysis_at, fact_store
from git_assay.cli.session import Session
from git_assay.errors import AssayError, ErrorKind
from git_assay.modules.scope import is_reserved
from git_assay.report.owners import Answer
from git_assay.values.ids import ModuleId, TreePath
from git_assay.values.text import clean, path_text

if TYPE_CHECKING:
    from git_assay.cones.analysis import Analysis
    from git_assay.syntax.facts import Definition

_LINE = re.compile(r"(.+):([1-9][0-9]*)")


class Owners:
    """Answers questions about one tree."""

    def __init__(self, session: Session, name: str) -> None:
        self._session = session
        self._analysis: Analysis = analysis_at(session, name)

    def answers(self, asked: str) -> tuple[Answer, ...]:
        """Returns who owns `PATH`, `PATH:LINE` or `PATH::SYMBOL`; for a directory everybody who owns something in it.

        Raises AssayError where there is no such thing.
        """
        inside = self._inside(self._path(asked))
        return self._directory(asked, inside) if inside else (self._answer(asked),)

    def _inside(self, path: TreePath) -> tuple[TreePath, ...]:
        """Returns the files below a directory that somebody could own; () where the path is none."""
        entries = self._analysis.snapshot.entries
        if path in entries:
            return ()
        folder = b"" if path == b"." else path + b"/"
        return tuple(each for each in entries if each.startswith(folder) and not is_reserved(each))

    def _directory(self, asked: str, inside: tuple[TreePath, ...]) -> tuple[Answer, ...]:
        counts = Counter(self._analysis.ownership.owner.get(path) for path in inside)
        of = f"of {len(inside)} file{'' if len(inside) == 1 else 's'}"
        nobody = counts.pop(None, 0)
        found = [
            Answer(asked, module, self._analysis.declarations.cards[module].card.owners, f"{number} {of}")
            for module, number in sorted(counts.items(), key=lambda item: item[0] or "")
            if module is not None
        ]
        return (*found, *([Answer(asked, None, (), f"no card claims {nobody} {of}")] if nobody else []))

    def _answer(self, asked: str) -> Answer:
        where, double, symbol = asked.partition("::")
        path = self._path(where)
        if double:
            return self._symbol(asked, path, symbol)
        if path not in self._analysis.snapshot.entries and (match := _LINE.fullmatch(where)):
            return self._line(asked, self._path(match[1]), int(match[2]))
        self._require(path, asked)
        return self._file(asked, path)

    def _file(self, asked: str, path: TreePath) -> Answer:
        if is_reserved(path):
            return Answer(asked, None, (), "declares or governs: reviewed as .assay or by the owners on the card")
        module = self._analysis.ownership.owner.get(path)
        if module is None:
            using = [name for name, assets in self._analysis.ownership.assets.items() if path in assets]
            reason = f"an asset of {', '.join(using)}" if using else "no card claims it"
            return Answer(asked, None, (), reason)
        return self._by(asked, module, "claims the file")

    def _symbol(self, asked: str, path: TreePath, symbol: str) -> Answer:
        self._require(path, asked)
        if not any(found.name == symbol for found in self._definitions(path)):
            raise AssayError(f"{path_text(path)} defines no {clean(symbol)}", kind=ErrorKind.USAGE)
        outer = symbol
        while outer:
            module = self._analysis.ownership.symbols.get((path, outer))
            if module is not None:
                return self._by(asked, module, f"claims {outer}")
            outer = outer.rpartition(".")[0]
        return self._file(asked, path)

    def _line(self, asked: str, path: TreePath, line: int) -> Answer:
        self._require(path, asked)
        around = [found for found in self._definitions(path) if found.start_line <= line <= found.end_line]
        if not around:
            return self._file(asked, path)
        innermost = max(around, key=lambda found: (found.start, -found.end))
        return self._symbol(asked, path, innermost.name)

    def _by(self, asked: str, module: ModuleId, how: str) -> Answer:
        card = self._analysis.declarations.cards[module]
        return Answer(asked, module, card.card.owners, f"{path_text(card.path)}:{card.line} {how}")

    def _definitions(self, path: TreePath) -> tuple[Definition, ...]:
        language = self._analysis.graph.files.get(path)
        if language is None:
            return ()
        oid = self._analysis.snapshot.entries[path].oid
        store = fact_store(self._session, self._analysis.snapshot.reader)
        return store.definitions(language, (oid,))[oid].definitions

    def _path(self, written: str) -> TreePath:
        layout = self._session.repository().layout
        place = os.fsencode(written)
        if os.path.isabs(place) and layout.work_tree is not None:
            # As git does: an absolute path is meant from the top. The folder may be reached through a link.
            top = os.path.realpath(os.fsencode(layout.work_tree))
            folder, name = os.path.split(place)
            return TreePath(os.path.relpath(os.path.join(os.path.realpath(folder), name), top))
        return TreePath(os.path.normpath(os.path.join(layout.prefix, place)))

    def _require(self, path: TreePath, asked: str) -> None:
        if path not in self._analysis.snapshot.entries:
            raise AssayError(f"no file {clean(asked)} in this tree", hint="git ls-files", kind=ErrorKind.USAGE)
