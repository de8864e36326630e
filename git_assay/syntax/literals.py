"""What does a string literal say, when it says one thing only?

A literal whose value depends on an escape or an interpolation is not plain, and nothing is concluded from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from git_assay.syntax.facts import ImportKind, OpenImport, WrittenImport
from git_assay.syntax.parsing import text_of

# Quoted text that looks like a relative path: with a slash, or a name with an extension (`res/a.json`, `v.sql`).
_PATH_LIKE = re.compile(
    rb"""["']((?:\./|\.\./)*(?:[^\s"'\\/<>|:*?{}()%,;=\[\]$#&!^`~]+/)+[^\s"'\\/<>|:*?{}()%,;=\[\]$#&!^`~]+"""
    rb"""|[^\s"'\\/<>|:*?{}()%,;=\[\]$#&!^`~.]+(?:\.[A-Za-z0-9_-]+)*\.[A-Za-z][A-Za-z0-9]{0,7})["']"""
)
PATH_LENGTH_LIMIT = 4096  # PATH_MAX: no longer one can be opened
PATH_COUNT_LIMIT = 20_000
# What a command line runs: `python a/b.py`, `python -m a.b`, and `[sys.executable, "-m", "a.b"]`.
_COMMAND = re.compile(
    rb"""\bpy(?:thon|py)?[0-9.]*(?:\.exe)?[ \t]+(?:-(?!m\b|c\b)\w+[ \t]+)*"""
    rb"""(?:-m[ \t]+(?P<module>[A-Za-z_][\w.]*)|(?P<script>[\w./-]+\.pyw?)\b)"""
    rb"""|(?:sys\.executable|["']py(?:thon|py)?[0-9.]*["'])\s*,\s*(?:["']-(?!m["'])\w+["']\s*,\s*)*["']-m["']\s*,"""
    rb"""\s*(?:["'](?P<argument>[A-Za-z_][\w.]*)["']|(?P<computed>[A-Za-z_f]))"""
)


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


def literal_names(node: Node) -> tuple[str, ...] | None:
    """Returns the strings of a literal string, list or tuple of strings; None for anything else."""
    single = plain_string(node)
    if single is not None:
        return (single,)
    if node.type not in ("list", "tuple", "set", "expression_list"):
        return None
    values = [plain_string(child) for child in node.named_children if child.type != "comment"]
    return None if any(value is None for value in values) else tuple(value for value in values if value)


def commands(text: bytes) -> Iterator[WrittenImport | OpenImport]:
    """Yields what literal command lines run: modules as DYNAMIC imports, scripts as assets, a computed one as open."""
    if b"-m" not in text and b".py" not in text:
        return  # every match holds one of them, and to look for a word costs a tenth of the pattern
    line, place = 1, 0
    for match in _COMMAND.finditer(text):
        line, place = line + text.count(b"\n", place, match.start()), match.start()
        module = match["module"] or match["argument"]
        if module:
            yield WrittenImport(line, module.decode().rstrip("."), (), ImportKind.DYNAMIC, True)
        elif match["script"]:
            yield WrittenImport(line, match["script"].decode(), (), ImportKind.ASSET, True)
        else:
            yield OpenImport(line, "a child process runs a computed module", True)


def path_literals(text: bytes) -> Iterator[WrittenImport | OpenImport]:
    """Yields an asset import for each different quoted text that looks like a relative path, where it first stands.

    Quotes in comments count too: a path that is named there and exists is taken for a dependency. Where there are more
    than PATH_COUNT_LIMIT, the file is open.
    """
    seen: dict[bytes, int] = {}
    for match in _PATH_LIKE.finditer(text):
        if match[1] in seen or len(match[1]) > PATH_LENGTH_LIMIT:
            continue
        if len(seen) == PATH_COUNT_LIMIT:
            yield OpenImport(1, f"more than {PATH_COUNT_LIMIT} literals that look like paths", True, True)
            break
        seen[match[1]] = match.start()
    line, place = 1, 0
    for literal, start in seen.items():
        line, place = line + text.count(b"\n", place, start), start
        yield WrittenImport(line, literal.decode("utf-8", "surrogateescape"), (), ImportKind.ASSET, True)
