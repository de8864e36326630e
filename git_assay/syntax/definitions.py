"""Which functions, methods and classes does one Python blob define, and where?

Definitions inside a function are local, not named units, and are not listed. Those under `if`, `try`, `with` and the
like are, each time they stand: a name defined twice is listed twice.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from git_assay.syntax.facts import Definition, DefinitionKind
from git_assay.syntax.parsing import text_of

# Statements whose blocks are searched; expressions cannot hold a definition.
_HOLDERS = frozenset(
    {"module", "block", "if_statement", "elif_clause", "else_clause", "try_statement", "except_clause", "ERROR"}
    | {"except_group_clause", "finally_clause", "with_statement", "for_statement", "while_statement"}
    | {"match_statement", "case_clause"}
)
_DEFINITIONS = frozenset({"function_definition", "class_definition"})
_NESTING_LIMIT = 200


def definitions_in(root: Node) -> Iterator[Definition]:
    """Yields the definitions beneath a node, nested classes included; no recursion."""
    waiting: list[tuple[Node, str, bool, int]] = [(root, "", False, 0)]
    while waiting:
        node, prefix, in_class, depth = waiting.pop()
        for child in node.named_children:
            if child.type in _HOLDERS and depth < _NESTING_LIMIT:
                waiting.append((child, prefix, in_class, depth + 1))
                continue
            inner = child.child_by_field_name("definition") if child.type == "decorated_definition" else child
            if inner is None or inner.type not in _DEFINITIONS:
                continue
            definition = _definition(child, inner, prefix, in_class)
            if definition is None:
                continue
            yield definition
            body = inner.child_by_field_name("body")
            if inner.type == "class_definition" and body is not None and depth < _NESTING_LIMIT:
                waiting.append((body, definition.name + ".", True, depth + 1))


def _definition(outer: Node, inner: Node, prefix: str, in_class: bool) -> Definition | None:
    name = inner.child_by_field_name("name")
    if name is None or not text_of(name):
        return None
    is_class = inner.type == "class_definition"
    kind = DefinitionKind.CLASS if is_class else DefinitionKind.METHOD if in_class else DefinitionKind.FUNCTION
    return Definition(
        start=outer.start_byte,
        end=outer.end_byte,
        name=prefix + text_of(name).decode("utf-8", "replace"),
        kind=kind,
        start_line=outer.start_point.row + 1,
        end_line=outer.end_point.row + 1,
        parameters=None if is_class else positional_parameters(inner.child_by_field_name("parameters")),
    )


def positional_parameters(parameters: Node | None) -> tuple[str, ...]:
    """Returns the names that can be given by position, in order: not `*args`, not keyword-only ones, not `**kw`."""
    names: list[str] = []
    for child in parameters.named_children if parameters is not None else ():
        if child.type in ("list_splat_pattern", "keyword_separator", "dictionary_splat_pattern"):
            break
        name = child.child_by_field_name("name") or child
        if child.type == "typed_parameter":
            name = child.named_children[0]
            if name.type in ("list_splat_pattern", "dictionary_splat_pattern"):
                break
        if name.type == "identifier":
            names.append(text_of(name).decode("utf-8", "replace"))
        elif name.type == "tuple_pattern":
            names.append("".join(text_of(name).decode("utf-8", "replace").split()))
    return tuple(names)
