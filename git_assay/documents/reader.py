"""Which value does a YAML document hold, and what is wrong with it, all at once, each with its place?

The wanted type decides how a scalar is read: where text is wanted, `yes`, `1.0` and `2026-01-01` are the text that was
written; a number must look like one; only a plain `true`/`false` is a truth value and only a plain `null`, `~` or
nothing is absent. Types are msgspec structs; every field is decoded on its own, so that all problems are found.
"""

from __future__ import annotations

import difflib
import functools
import math
import re
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

from msgspec import inspect

from git_assay.documents.nodes import NOTHING, Flaw, Node, read_trees
from git_assay.errors import Problem
from git_assay.values.ids import TreePath
from git_assay.values.text import clean, path_text

T = TypeVar("T")
_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,17})")
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?")
_SHOWN = 60  # characters of a found value that a message repeats
_SUGGESTED = 100  # problems after which no word is guessed: that is the costly part, and a hostile file has 200,000


@functools.cache  # looking at a type costs as much as reading a card of it
def _type_info(type: object) -> inspect.Type:
    return inspect.type_info(type)


@dataclass(frozen=True, slots=True)
class Document(Generic[T]):
    """One document of a stream. value: None when it has problems.  line: where it begins.  source: its own bytes."""

    value: T | None
    line: int
    source: bytes


def decode(data: bytes, *, path: TreePath, type: type[T]) -> tuple[T | None, tuple[Problem, ...]]:
    """Returns the value of the one document in `data`, or None and every problem. Never raises for bad input."""
    documents, problems = decode_stream(data, path=path, type=type)
    if len(documents) > 1:
        extra = Flaw(documents[1].line, 1, "several-documents", "one document is expected here")
        problems = (*problems, _problem(path, extra))
    if not documents and not problems:
        problems = (_problem(path, Flaw(0, 0, "empty", "an empty document")),)
    return (documents[0].value if documents and not problems else None), problems


def decode_stream(data: bytes, *, path: TreePath, type: type[T]) -> tuple[tuple[Document[T], ...], tuple[Problem, ...]]:
    """Returns the documents of a stream and every problem of all of them. Never raises for bad input."""
    trees, flaws = read_trees(data)
    broken = bool(flaws)
    lines = data.splitlines(keepends=True)
    starts = [tree.line for tree in trees] + [len(lines) + 1]
    info = _type_info(cast("Hashable", type))  # mypy 2.4 takes type[T] for unhashable
    found: list[Document[T]] = []
    for place, tree in enumerate(trees):
        decoder = _Decoder(flaws)
        before = len(flaws)
        if tree.root is None or (tree.root.kind == "scalar" and tree.root.text == ""):
            flaws.append(Flaw(tree.line, 1, "empty", "an empty document"))
            continue
        value = decoder.value(tree.root, info, "document")
        good = len(flaws) == before and not broken
        source = b"".join(lines[starts[place] - 1 : starts[place + 1] - 1])
        found.append(Document(value if good else None, tree.line, source))
    return tuple(found), tuple(sorted(_problem(path, flaw) for flaw in flaws))


def _problem(path: TreePath, flaw: Flaw) -> Problem:
    return Problem(path_text(path), flaw.line, flaw.column, flaw.code, clean(flaw.message))


class _Decoder:
    """Walks nodes and type together; appends to the list of flaws and answers None for what is wrong."""

    def __init__(self, flaws: list[Flaw]) -> None:
        self._flaws = flaws

    def value(self, node: Node, info: inspect.Type, where: str) -> Any:
        """Returns the decoded value. Recursion is bounded by the depth that `nodes` admits."""
        if isinstance(info, inspect.UnionType):
            return self._union(node, info, where)
        if isinstance(info, inspect.StructType):
            return self._struct(node, info, where)
        if isinstance(info, inspect.VarTupleType | inspect.ListType):
            return self._sequence(node, info, where)
        if isinstance(info, inspect.DictType):
            return self._mapping(node, info, where)
        return self._scalar(node, info, where)

    def _union(self, node: Node, info: inspect.UnionType, where: str) -> Any:
        kinds: dict[str, list[inspect.Type]] = {"scalar": [], "sequence": [], "mapping": []}
        for member in info.types:
            kinds[_kind_of(member)].append(member)
        nullable = any(isinstance(member, inspect.NoneType) for member in info.types)
        if nullable and node.kind == "scalar" and node.plain and node.text in NOTHING:
            return None
        members = [member for member in kinds[node.kind] if not isinstance(member, inspect.NoneType)]
        if not members:
            return self._wrong(node, where, " or ".join(_words(member) for member in info.types))
        if len(members) == 1:
            return self.value(node, members[0], where)
        for member in members:  # several scalar types: the first that reads it
            attempt = _Decoder([])
            value = attempt.value(node, member, where)
            if not attempt._flaws:
                return value
        return self._wrong(node, where, " or ".join(_words(member) for member in members))

    def _struct(self, node: Node, info: inspect.StructType, where: str) -> Any:
        if node.kind != "mapping":
            return self._wrong(node, where, "a mapping")
        known = {field.encode_name: field for field in info.fields}
        for key, (key_node, _) in node.entries.items():
            if key not in known:
                near = _near(key, known) if len(self._flaws) < _SUGGESTED else ""
                self._add(key_node, "unknown-key", f"unknown key {key!r} in {where}{near}")
        before = len(self._flaws)
        values: dict[str, Any] = {}
        for name, field in known.items():
            if name in node.entries:
                values[field.name] = self.value(node.entries[name][1], field.type, f"'{name}'")
            elif field.required:
                self._add(node, "missing-key", f"{where} needs the key {name!r}")
        return info.cls(**values) if len(self._flaws) == before else None

    def _sequence(self, node: Node, info: inspect.VarTupleType | inspect.ListType, where: str) -> Any:
        if node.kind != "sequence":
            return self._wrong(node, where, "a list")
        return tuple(self.value(item, info.item_type, f"an item of {where}") for item in node.items)

    def _mapping(self, node: Node, info: inspect.DictType, where: str) -> Any:
        if node.kind != "mapping":
            return self._wrong(node, where, "a mapping")
        return {key: self.value(value, info.value_type, f"'{key}'") for key, (_, value) in node.entries.items()}

    def _scalar(self, node: Node, info: inspect.Type, where: str) -> Any:
        if node.kind != "scalar" or (node.plain and node.text in NOTHING):
            return self._wrong(node, where, _words(info))
        if isinstance(info, inspect.LiteralType):
            if node.text not in info.values:
                near = _near(node.text, {str(value): None for value in info.values})
                return self._wrong(node, where, _words(info), near)
            return node.text
        if isinstance(info, inspect.BoolType):
            truth = {"true": True, "false": False}.get(node.text) if node.plain else None
            return truth if truth is not None else self._wrong(node, where, "true or false")
        if isinstance(info, inspect.IntType | inspect.FloatType):
            return self._number(node, info, where)
        if isinstance(info, inspect.StrType):
            return node.text
        raise TypeError(f"no YAML reading for {type(info).__name__}")

    def _number(self, node: Node, info: inspect.IntType | inspect.FloatType, where: str) -> Any:
        whole = isinstance(info, inspect.IntType)
        if not node.plain or not (_INTEGER if whole else _NUMBER).fullmatch(node.text):
            return self._wrong(node, where, _words(info))
        number: int | float = int(node.text) if whole else float(node.text)
        low, high = info.ge, info.le
        if not math.isfinite(number) or (low is not None and number < low) or (high is not None and number > high):
            return self._wrong(node, where, _words(info))
        if info.gt is not None and number <= info.gt:
            return self._wrong(node, where, f"a number above {info.gt}")
        return number

    def _wrong(self, node: Node, where: str, wanted: str, hint: str = "") -> None:
        self._add(node, "wrong-value", f"{where} must be {wanted}, found {_found(node)}{hint}")

    def _add(self, node: Node, code: str, message: str) -> None:
        self._flaws.append(Flaw(node.line, node.column, code, message))


def _kind_of(info: inspect.Type) -> str:
    if isinstance(info, inspect.StructType | inspect.DictType):
        return "mapping"
    return "sequence" if isinstance(info, inspect.VarTupleType | inspect.ListType) else "scalar"


def _found(node: Node) -> str:
    if node.kind != "scalar":
        return "a list" if node.kind == "sequence" else "a mapping"
    if node.plain and node.text in NOTHING:
        return "nothing"
    return repr(node.text[:_SHOWN]) + (" ..." if len(node.text) > _SHOWN else "")


def _words(info: inspect.Type) -> str:
    if isinstance(info, inspect.LiteralType):
        return " or ".join(str(value) for value in info.values)
    if isinstance(info, inspect.IntType | inspect.FloatType):
        limits = [
            f"{word} {limit}" for word, limit in (("at least", info.ge), ("at most", info.le)) if limit is not None
        ]
        noun = "a whole number" if isinstance(info, inspect.IntType) else "a number"
        return " ".join([noun, *limits])
    names: Mapping[type[inspect.Type], str] = {
        inspect.StrType: "text",
        inspect.BoolType: "true or false",
        inspect.NoneType: "nothing",
        inspect.VarTupleType: "a list",
        inspect.ListType: "a list",
    }
    return names.get(type(info), "a mapping")


def _near(word: str, known: Mapping[str, object]) -> str:
    near = difflib.get_close_matches(word, known, n=1)
    return f": did you mean {near[0]!r}?" if near else ""


def place_of(source: bytes, keys: Iterable[str | int], *, first_line: int = 1) -> tuple[int, int]:
    """Returns line and column (1-based) of what `keys` lead to in a document, or of the deepest part that exists.

    source: the document's own bytes.  first_line: where it begins in its file.  For messages only.
    """
    trees, _ = read_trees(source)
    node = trees[0].root if trees else None
    if node is None:
        return first_line, 1
    for key in keys:
        if isinstance(key, int) and key < len(node.items):
            node = node.items[key]
        elif isinstance(key, str) and key in node.entries:
            node = node.entries[key][1]
        else:
            break
    return node.line + first_line - 1, node.column
