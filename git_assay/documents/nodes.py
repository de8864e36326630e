"""Which nodes does a strict YAML text hold, and where? The only file that imports yaml.

Built from the event stream, without recursion, so that depth is bounded before anything walks the result. Refused:
anchors, aliases, tags, merge keys, duplicate keys, keys that are no words, a byte order mark, text that is not UTF-8,
hidden characters, files over a mebibyte, nesting deeper than 32. A key's first value is kept where it stands twice.
**Source:** design 10-modules §2.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import yaml

LIMIT = 1 << 20  # bytes of one file, design 10-modules §2
DEPTH = 32  # deeper than any format here by far
NOTHING = frozenset({"", "~", "null", "Null", "NULL"})  # plain scalars that mean no value
# Control characters (YAML knows none of them), and what YAML counts as line ends while editors and git do not: every
# line after one would be named wrongly.
_REFUSED = re.compile("[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something wrong at a place. line, column: 1-based, 0 for the whole file."""

    line: int
    column: int
    code: str
    message: str


@dataclass(slots=True)
class Node:
    """One YAML node. line, column: 1-based.  plain: an unquoted scalar.

    text: of a scalar.  items: of a sequence.  entries: key text -> (key node, value node) of a mapping.
    """

    kind: Literal["scalar", "sequence", "mapping"]
    line: int
    column: int
    text: str = ""
    plain: bool = False
    items: list[Node] = field(default_factory=list)
    entries: dict[str, tuple[Node, Node]] = field(default_factory=dict)


@dataclass(slots=True)
class Tree:
    """One document. line: where it begins, 1-based.  root is None for an empty document."""

    line: int
    root: Node | None = None


@dataclass(slots=True)
class _Open:
    node: Node
    key: Node | None = None


def read_trees(data: bytes) -> tuple[list[Tree], list[Flaw]]:
    """Returns the documents of a stream and every flaw found; after a syntax error what came before it."""
    if len(data) > LIMIT:
        return [], [Flaw(0, 0, "too-large", f"{len(data)} bytes, and the limit is {LIMIT}")]
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return [], [Flaw(line, 1, "encoding", "not UTF-8")]
    if text.startswith("\ufeff"):
        return [], [Flaw(1, 1, "encoding", "begins with a byte order mark")]
    refused = _REFUSED.search(text)
    if refused is not None:
        escape = f"\\u{ord(refused[0]):04x}"
        return [], [Flaw(*_place(text, refused.start()), "encoding", f"a hidden character: write it as {escape}")]
    builder = _Builder()
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            if not builder.take(event):
                break
    except yaml.MarkedYAMLError as error:
        builder.flaws.append(_syntax(error))
    except yaml.YAMLError as error:
        builder.flaws.append(Flaw(0, 0, "syntax", str(error).splitlines()[0]))
    return builder.trees, builder.flaws


class _Builder:
    """Turns events into nodes."""

    def __init__(self) -> None:
        self.trees: list[Tree] = []
        self.flaws: list[Flaw] = []
        self._stack: list[_Open] = []

    def take(self, event: Any) -> bool:
        """Takes one event; False when reading must stop."""
        line, column = event.start_mark.line + 1, event.start_mark.column + 1
        if isinstance(event, yaml.DocumentStartEvent):
            self.trees.append(Tree(line))
        elif isinstance(event, yaml.AliasEvent):
            self._flaw(line, column, "alias", f"alias *{event.anchor}: write the value out")
            self._place(Node("scalar", line, column, plain=True))
        elif isinstance(event, yaml.SequenceEndEvent | yaml.MappingEndEvent):
            self._stack.pop()
        elif isinstance(event, yaml.NodeEvent):
            return self._node(event, line, column)
        return True

    def _node(self, event: Any, line: int, column: int) -> bool:
        if event.anchor is not None:
            self._flaw(line, column, "anchor", f"anchor &{event.anchor}: write the value out where it is used")
        if event.tag is not None:
            self._flaw(line, column, "tag", f"tag {event.tag}: values have no tags here")
        if isinstance(event, yaml.ScalarEvent):
            self._place(Node("scalar", line, column, text=event.value, plain=event.style in (None, "")))
            return True
        if len(self._stack) == DEPTH:
            self._flaw(line, column, "too-deep", f"nested deeper than {DEPTH}")
            return False
        node = Node("sequence" if isinstance(event, yaml.SequenceStartEvent) else "mapping", line, column)
        self._place(node)
        self._stack.append(_Open(node))
        return True

    def _place(self, node: Node) -> None:
        if not self._stack:
            self.trees[-1].root = node
            return
        top = self._stack[-1]
        if top.node.kind == "sequence":
            top.node.items.append(node)
        elif top.key is None:
            top.key = node
        else:
            self._entry(top.node, top.key, node)
            top.key = None

    def _entry(self, mapping: Node, key: Node, value: Node) -> None:
        if key.kind != "scalar" or (key.plain and key.text in NOTHING):
            self._flaw(key.line, key.column, "key", "a key must be a word")
        elif key.plain and key.text == "<<":
            self._flaw(key.line, key.column, "merge-key", "merge key <<: write the keys out")
        elif key.text in mapping.entries:
            first = mapping.entries[key.text][0]
            self._flaw(key.line, key.column, "duplicate-key", f"{key.text!r} already stands in line {first.line}")
        else:
            mapping.entries[key.text] = (key, value)

    def _flaw(self, line: int, column: int, code: str, message: str) -> None:
        self.flaws.append(Flaw(line, column, code, message))


def _place(text: str, offset: int) -> tuple[int, int]:
    """Returns line and column (1-based) of an offset in characters."""
    start = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, start) + 1, offset - start + 1


def _syntax(error: yaml.MarkedYAMLError) -> Flaw:
    mark = error.problem_mark or error.context_mark
    words = " ".join(word for word in (error.context, error.problem) if word)
    return Flaw(mark.line + 1 if mark else 0, mark.column + 1 if mark else 0, "syntax", words or "not YAML")


def walk(node: Node) -> Iterator[Node]:
    """Yields the node and everything below it."""
    todo = [node]
    while todo:
        found = todo.pop()
        yield found
        todo += found.items
        todo += [value for _, value in found.entries.values()]
