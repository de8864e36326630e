"""When does the code at one place run: at load, later, perhaps, or only for a type checker?

TYPE is the one answer that takes an import out of what can execute, so it is given only where `TYPE_CHECKING` is
certain to be `typing`'s own: imported from there under that name, and never bound to anything else in the file; or
where nothing binds the name at all, so that to ask for it at run time fails.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import pairwise

from tree_sitter import Node

from git_assay.syntax.facts import ImportKind
from git_assay.syntax.parsing import text_of

_PERHAPS = frozenset({"try_statement", "match_statement"})
TYPE_CHECKING = "TYPE_CHECKING"
_MODULES = frozenset({"typing", "typing_extensions"})
_FLAGS = frozenset({f"{module}.{TYPE_CHECKING}" for module in _MODULES})
# `TYPE_CHECKING = False` as the only binding, which type checkers know too.
_ALWAYS_FALSE = re.compile(rb"(?m)^TYPE_CHECKING[ \t]*=[ \t]*False[ \t]*(?:#.*)?$")

# Every mention of the name is a condition, so nothing in the file can bind it.
_CONDITION = re.compile(rb"(?m)^[ \t]*(?:el)?if[ \t(]+(?:not[ \t]+)?TYPE_CHECKING\b(?=[ \t)]*(?::|and\b))")


@dataclass(frozen=True, slots=True)
class Place:
    """kind: TYPE, LAZY, CONDITIONAL or LOAD.  deferred: inside a function body."""

    kind: ImportKind
    deferred: bool


def place_of(nodes: Sequence[Node], type_conditions: frozenset[bytes]) -> Place:
    """Returns when the last of `nodes` (a way down from the root) runs."""
    deferred = perhaps = False
    for node, child in pairwise(nodes):
        if node.type == "function_definition":
            deferred = deferred or child.type == "block"
        elif node.type == "lambda":
            deferred = deferred or child == node.child_by_field_name("body")
        elif node.type in _PERHAPS:
            perhaps = True
        elif node.type in ("if_statement", "elif_clause"):
            if _is_type_branch(node, child, type_conditions):
                return Place(ImportKind.TYPE, deferred)
            perhaps = True
    if deferred:
        return Place(ImportKind.LAZY, True)
    return Place(ImportKind.CONDITIONAL if perhaps else ImportKind.LOAD, False)


def type_conditions(bound: Mapping[bytes, AbstractSet[str]], text: bytes) -> frozenset[bytes]:
    """Returns the expressions of this file that are typing's TYPE_CHECKING for certain.

    bound: local name -> everything that imports bind it to; `*` for star imports, which may bind anything.
    """
    flag = TYPE_CHECKING.encode()
    if flag not in text or b"*" in bound:
        return frozenset()
    found: set[bytes] = set()
    for name, origins in bound.items():
        if origins <= _MODULES and not _is_rebound(name, text) and not _is_rebound(flag, text):
            found.add(name + b"." + flag)
        elif origins <= _FLAGS and not _is_rebound(name, text):
            found.add(name)
    if flag not in bound and (_is_unbound(text) or (not _is_rebound(flag, text) and _ALWAYS_FALSE.search(text))):
        found.add(flag)
    return frozenset(found)


def _is_type_branch(node: Node, child: Node, conditions: frozenset[bytes]) -> bool:
    if not conditions:
        return False
    condition = node.child_by_field_name("condition")
    if condition is None or child == condition:
        return False
    positive = child == node.child_by_field_name("consequence")
    return _implies(condition, conditions) if positive else _is_negated(condition, conditions)


def _implies(condition: Node, conditions: frozenset[bytes]) -> bool:
    """Whether the condition is TYPE_CHECKING itself, in parentheses or first in an `and`."""
    for _ in range(20):
        if condition.type == "parenthesized_expression" and condition.named_child_count == 1:
            condition = condition.named_children[0]
        elif condition.type == "boolean_operator" and any(child.type == "and" for child in condition.children):
            left = condition.child_by_field_name("left")
            if left is None:
                return False
            condition = left
        else:
            break
    return condition.type in ("identifier", "attribute") and text_of(condition) in conditions


def _is_negated(condition: Node, conditions: frozenset[bytes]) -> bool:
    argument = condition.child_by_field_name("argument") if condition.type == "not_operator" else None
    return argument is not None and argument.type != "boolean_operator" and _implies(argument, conditions)


def _is_unbound(text: bytes) -> bool:
    return len(_CONDITION.findall(text)) == text.count(TYPE_CHECKING.encode())


def _is_rebound(name: bytes, text: bytes) -> bool:
    """Whether anything but an import may bind the name. Errs towards yes, which only widens the cone."""
    word = rb"\b" + re.escape(name) + rb"\b"
    assigned = (
        word + rb"\s*(?!=\s*False[ \t]*(?:#.*)?$)(?:=(?!=)|:=|\+=|\|=|,[^()\n]*=(?!=)|[)\]]\s*=(?!=)|:[^\n=]+=(?!=))"
    )
    bound = rb"\b(?:for|def|class|del|global|nonlocal)\s+" + word + rb"|" + word + rb"""["']"""
    return re.search(assigned + rb"|" + bound, text, re.MULTILINE) is not None
