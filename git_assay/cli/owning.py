"""Who owns a path, a line or a symbol of a tree, and by which word?"""

from __future__ import annotations

import os
import re
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

    def answer(self, asked: str) -> Answer:
        """Returns who owns `PATH`, `PATH:LINE` or `PATH::SYMBOL`. Raises AssayError where there is no such thing."""
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
        prefix = self._session.repository().layout.prefix
        joined = os.path.normpath(os.path.join(prefix, os.fsencode(written)))
        return TreePath(joined)

    def _require(self, path: TreePath, asked: str) -> None:
        if path not in self._analysis.snapshot.entries:
            raise AssayError(f"no file {clean(asked)} in this tree", hint="git ls-files", kind=ErrorKind.USAGE)
