"""What does one Python blob import?

1. Read the text as Python would (`source`), and parse it.
2. Probe: every byte position of the word `import`, and the way down to it. Statements give imports, and bind names.
3. Probe: every reference to something that loads code by name, through those names (`dynamic`).
4. Quoted text that looks like a path is a candidate for an asset.
5. Where the tree has errors, every line that looks like an import statement counts too.

A probe costs 2 % of the parse, a tree-sitter Query 25 %. **Source:** design 20-graph §1-2.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from tree_sitter import Node, Tree

from git_assay.syntax.context import place_of, type_conditions
from git_assay.syntax.dynamic import judge_code_statement, judge_reference, judge_text
from git_assay.syntax.facts import ImportFacts, ImportKind, OpenImport, WrittenImport
from git_assay.syntax.literals import commands, literal_names, path_literals
from git_assay.syntax.machinery import ANYWHERE, BUILTIN_NAMES, PASSED_ON, STAR, is_machinery, renamed
from git_assay.syntax.parsing import TooDeepError, parse_python, path_to, text_of
from git_assay.syntax.source import read_source
from git_assay.syntax.statements import IMPORT_STATEMENTS, Clause, clauses_of

_TOKEN = re.compile(rb"\bimport\b")
_LOOKS_LIKE_IMPORT = re.compile(
    rb"(?:^|[;:])[ \t\f]*(?:import[ \t\\]+(?P<plain>[\w., \t]+)"
    rb"|from[ \t]*(?P<module>[.\w \t]+?)[ \t]*\bimport\b[ \t]*(?P<names>\([^)]*\)|[^\n;#]+))",
    re.MULTILINE,
)
_SYS_HARMLESS = rb"(?!\s*\.\s*(?!modules\b|path\b|meta_path\b|path_hooks\b|path_importer_cache\b|__dict__\b)\w)"

# What must follow the name of a module that is passed on as an attribute: `engine.builtins` alone is anything.
_USED_ON = {b"sys": _SYS_HARMLESS, b"builtins": rb"(?=\s*\.\s*(?:exec|eval|__\w+__)\b)"}
# After so many places that are nested too deeply, no further one is tried: the text is read instead.
_LOST_LIMIT = 64

Bound = dict[bytes, set[str]]


def python_imports(data: bytes) -> ImportFacts:
    """Returns the imports of a Python blob, sorted by line; never raises."""
    source = read_source(data)
    tree = parse_python(source.text)
    reading = _Reading(source.text, tree)
    reading.read()
    if source.reason is not None:
        reading.opens.append(OpenImport(1, source.reason, False))
    broken = tree.root_node.has_error or reading.too_deep or (not source.utf8 and source.reason is not None)
    if broken:
        reading.read_broken()
    reading.take(path_literals(source.text))
    reading.take(commands(source.text))
    return ImportFacts(tuple(sorted(set(reading.imports))), tuple(sorted(set(reading.opens))), broken)


class _Reading:
    """The state of one extraction."""

    def __init__(self, text: bytes, tree: Tree) -> None:
        self.text = text
        self.tree = tree
        self.imports: list[WrittenImport] = []
        self.opens: list[OpenImport] = []
        self.bound: Bound = {}
        self.lost = 0
        self._line, self._place = 1, 0

    @property
    def too_deep(self) -> bool:
        """Whether some place was nested too deeply to follow: then step 5 reads the text as well."""
        return self.lost > 0

    def read(self) -> None:
        """Steps 2 and 3."""
        self._statements()
        self._references()
        if self.too_deep:
            self.opens.append(OpenImport(1, "nested too deeply to follow", False, True))

    def _way_to(self, offset: int) -> list[Node]:
        """The nodes down to one byte, [] where the tree is too deep to follow: such a file is open and broken."""
        if self.lost > _LOST_LIMIT:
            return []
        try:
            return path_to(self.tree, offset)
        except TooDeepError:
            self.lost += 1
            return []

    def _statements(self) -> None:
        found: dict[int, tuple[list[Node], tuple[Clause, ...]]] = {}
        for match in _TOKEN.finditer(self.text):
            nodes = self._way_to(match.start())
            index = next((i for i, node in enumerate(nodes) if node.type in IMPORT_STATEMENTS), None)
            if index is not None and nodes[index].start_byte not in found:
                found[nodes[index].start_byte] = nodes[: index + 1], tuple(clauses_of(nodes[index]))
        for start, (_, clauses) in found.items():
            for clause in clauses:
                for name, origin in clause.bound:
                    self.bound.setdefault(name, set()).add(origin)
                    if renamed(name.decode(), origin):
                        self.opens.append(OpenImport(self._line_of(start), f"{origin} as {name.decode()}", False, True))
        conditions = type_conditions(self.bound, self.text)
        for start, (nodes, clauses) in found.items():
            place, line = place_of(nodes, conditions), self._line_of(start)
            for clause in clauses:
                self.imports.append(WrittenImport(line, clause.specifier, clause.names, place.kind, place.deferred))

    def _references(self) -> None:
        watched = _watched(self.bound)
        self._line, self._place = 1, 0
        for match in _pattern(watched, self.bound, self.text).finditer(self.text):
            nodes = self._way_to(match.start())
            if not nodes or any(node.type in IMPORT_STATEMENTS for node in nodes):
                continue
            line, deferred = self._line_of(match.start()), place_of(nodes, frozenset()).deferred
            if nodes[-1].type == "identifier" and len(nodes) > 1:
                if text_of(nodes[-1]) == b"pytest_plugins":
                    self.imports.extend(_plugins(nodes, line))
                self.take(judge_reference(nodes, watched, line=line, deferred=deferred))
            elif nodes[-1].type == "exec":
                self.take(judge_code_statement(nodes, line=line, deferred=deferred))
            else:
                self.take(judge_text(nodes, line=line, deferred=deferred))

    def take(self, found: Iterable[WrittenImport | OpenImport]) -> None:
        for item in found:
            if isinstance(item, OpenImport):
                self.opens.append(item)
            else:
                self.imports.append(item)

    def read_broken(self) -> None:
        """Step 5."""
        known = {(item.line, item.specifier) for item in self.imports}
        self._line, self._place = 1, 0
        for match in _LOOKS_LIKE_IMPORT.finditer(self.text):
            line = self._line_of(match.end() if match["plain"] else match.start("module"))
            for specifier, names in _textual(match):
                if (line, specifier) not in known:
                    self.imports.append(WrittenImport(line, specifier, names, ImportKind.LOAD, False))

    def _line_of(self, offset: int) -> int:
        """Line numbers for offsets that mostly grow: each stretch is counted once."""
        if offset < self._place:
            self._line, self._place = 1, 0
        self._line += self.text.count(b"\n", self._place, offset)
        self._place = offset
        return self._line


def _watched(bound: Bound) -> Bound:
    """The names whose references are judged: what imports bind to machinery, and the built-in ones."""
    watched = {name: origins for name, origins in bound.items() if any(is_machinery(origin) for origin in origins)}
    for origin in bound.get(b"*", ()):
        for name, target in STAR.get(origin, {}).items():
            watched.setdefault(name, set()).add(target)
    if b"*" in bound:  # a star may bring any loader, under its own name
        for name, target in {**ANYWHERE, **PASSED_ON}.items():
            if name not in bound:
                watched.setdefault(name, set()).add(target)
    watched.pop(b"*", None)
    return watched


def _pattern(watched: Bound, bound: Bound, text: bytes) -> re.Pattern[bytes]:
    """Returns the pattern of every name that may load code and that stands in the text at all."""
    words = []
    for name in sorted(name for name in {*watched, *ANYWHERE, *BUILTIN_NAMES} if name in text):
        only_sys = watched.get(name) == {"sys"}
        words.append(re.escape(name) + (rb"\b" + _SYS_HARMLESS if only_sys else rb"\b"))
    for name in PASSED_ON:
        if name not in watched and name in text:  # compat.sys.path
            words.append(rb"(?<=\.)" + re.escape(name) + rb"\b" + _USED_ON.get(name, b""))
    if any(origin.partition(".")[0] == "unittest" for origins in bound.values() for origin in origins):
        words.append(rb"(?<=\.)discover\b")
    return re.compile(rb"\b(?:" + b"|".join(words) + rb")" if words else rb"(?!)")


def _plugins(nodes: Sequence[Node], line: int) -> Iterator[WrittenImport]:
    """The modules that `pytest_plugins = ...` names."""
    parent = nodes[-2]
    right = parent.child_by_field_name("right")
    for name in (literal_names(right) if right is not None else None) or ():
        yield WrittenImport(line, name, (), ImportKind.DYNAMIC, False)


def _textual(match: re.Match[bytes]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The specifiers of a line that looks like an import, without a tree."""
    if match["plain"]:
        for part in match["plain"].split(b","):
            words = part.split()
            if words:
                yield words[0].decode("utf-8", "replace"), ()
        return
    module = b"".join(match["module"].split()).decode("utf-8", "replace")
    names = re.sub(rb"#[^\n]*|\\|[()]", b" ", match["names"]).split(b",")
    yield module, tuple(words[0].decode("utf-8", "replace") for words in (name.split() for name in names) if words)
