"""What does one import statement name, and which local names does it bind to what?"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from git_assay.syntax.parsing import text_of

IMPORT_STATEMENTS = frozenset({"import_statement", "import_from_statement", "future_import_statement"})


@dataclass(frozen=True, slots=True)
class Clause:
    """specifier and names: as in WrittenImport.  bound: (local name, what it is bound to, dotted)."""

    specifier: str
    names: tuple[str, ...]
    bound: tuple[tuple[bytes, str], ...]


def clauses_of(statement: Node) -> Iterator[Clause]:
    """Yields what one import statement imports: one clause for each `import a, b` name, one for a `from`."""
    if statement.type == "import_statement":
        for child in statement.children_by_field_name("name"):
            specifier, alias = _name_and_alias(child)
            local = alias or specifier.partition(".")[0]
            yield Clause(specifier, (), ((local.encode(), specifier if alias else local),))
        return
    specifier = "__future__" if statement.type == "future_import_statement" else _module_name(statement)
    pairs = [_name_and_alias(child) for child in statement.children_by_field_name("name")]
    if any(child.type == "wildcard_import" for child in statement.named_children):
        yield Clause(specifier, ("*",), ((b"*", specifier),))
        return
    bound = tuple(((alias or name).encode(), f"{specifier}.{name}") for name, alias in pairs)
    yield Clause(specifier, tuple(name for name, _ in pairs), bound)


def _module_name(statement: Node) -> str:
    module = statement.child_by_field_name("module_name")
    if module is None:
        return ""
    if module.type != "relative_import":
        return _dotted(module)
    dots = name = ""
    for child in module.named_children:
        if child.type == "import_prefix":
            dots = "." * text_of(child).count(b".")
        elif child.type == "dotted_name":
            name = _dotted(child)
    return dots + name


def _name_and_alias(node: Node) -> tuple[str, str | None]:
    if node.type != "aliased_import":
        return _dotted(node), None
    name, alias = node.child_by_field_name("name"), node.child_by_field_name("alias")
    return (_dotted(name) if name else ""), (_identifier(alias) if alias else None)


def _dotted(node: Node) -> str:
    """The identifiers alone: white space, comments and continued lines may stand between them."""
    if node.type == "identifier":
        return _identifier(node)
    return ".".join(_identifier(child) for child in node.named_children if child.type == "identifier")


def _identifier(node: Node) -> str:
    """The identifier as Python compares it. **Source:** PEP 3131 (NFKC)."""
    text = text_of(node)
    if text.isascii():
        return text.decode()
    return unicodedata.normalize("NFKC", text.decode("utf-8", "replace"))
