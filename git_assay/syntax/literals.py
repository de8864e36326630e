"""What does a string literal say, when it says one thing only?

A literal whose value depends on an escape or an interpolation is not plain, and nothing is concluded from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from git_assay.syntax.facts import ImportKind, WrittenImport
from git_assay.syntax.parsing import text_of

# Quoted text that looks like a relative path: with a slash, or a name with an extension (`res/a.json`, `v.sql`).
_PATH_LIKE = re.compile(
    rb"""["']((?:\./|\.\./)*(?:[^\s"'\\/<>|:*?{}()%,;=\[\]$#&!^`~]+/)+[^\s"'\\/<>|:*?{}()%,;=\[\]$#&!^`~]+"""
    rb"""|[^\s"'\\/<>|:*?{}()%,;=\[\]$#&!^`~.]+(?:\.[A-Za-z0-9_-]+)*\.[A-Za-z][A-Za-z0-9]{0,7})["']"""
)
PATH_LENGTH_LIMIT = 240
PATH_COUNT_LIMIT = 20_000


def plain_string(node: Node) -> str | None:
    """Returns the value of a plain string literal, implicit concatenation included; None for anything else."""
    if node.type == "parenthesized_expression" and node.named_child_count == 1:
        return plain_string(node.named_children[0])
    if node.type == "concatenated_string":
        parts = [plain_string(child) for child in node.named_children if child.type != "comment"]
        return None if any(part is None for part in parts) else "".join(part for part in parts if part is not None)
    if node.type != "string":
        return None
    return _plain(text_of(node))


def _plain(literal: bytes) -> str | None:
    match = re.fullmatch(rb"([rRuUfF]{0,2})('''|\"\"\"|'|\")(.*)\2", literal, re.DOTALL)
    if match is None or b"\\" in match[3]:
        return None
    if b"f" in match[1].lower() and (b"{" in match[3] or b"}" in match[3]):
        return None
    try:
        return match[3].decode()
    except UnicodeDecodeError:
        return None


def path_literals(text: bytes) -> Iterator[WrittenImport]:
    """Yields an asset import for each different quoted text that looks like a relative path, where it first stands.

    Quotes in comments count too: a path that is named there and exists is taken for a dependency.
    """
    seen: dict[bytes, int] = {}
    for match in _PATH_LIKE.finditer(text):
        if match[1] not in seen and len(match[1]) <= PATH_LENGTH_LIMIT and len(seen) < PATH_COUNT_LIMIT:
            seen[match[1]] = match.start()
    line, place = 1, 0
    for literal, start in seen.items():
        line, place = line + text.count(b"\n", place, start), start
        yield WrittenImport(line, literal.decode("utf-8", "surrogateescape"), (), ImportKind.ASSET, True)
