"""How is foreign text shown without harm, and how are byte paths written as text and read back?

`clean` is for people: control, bidirectional and other invisible characters become visible escapes.
`path_text` and `path_bytes` are a lossless pair for JSON and cards: UTF-8 as it is; `%`, control bytes and bytes that
are not UTF-8 as `%XX`, and every colon after a colon as `%3A`.
"""

from __future__ import annotations

import re
import unicodedata

from git_assay.values.ids import TreePath

# Cc controls, Cf formats (bidirectional overrides, zero width, tags), Cs surrogates, Co private use, Cn unassigned,
# and the line and paragraph separators.
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_SECOND_COLON = re.compile(r"(?<=:):")
_ESCAPE = re.compile(rb"%([0-9A-F]{2})")


def clean(text: str, *, keep_newlines: bool = False) -> str:
    """Returns `text` with every character that could steer a terminal or hide something escaped as \\x.. or \\u...."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(char, keep_newlines) for char in text)


def path_text(path: TreePath) -> str:
    """Returns the lossless text form of a tree path. It never holds `::`, so that `path::symbol` has one reading."""
    if path.isascii() and path.find(b"%") < 0 and path.find(b"::") < 0 and path.decode().isprintable():
        return path.decode()
    text = "".join(_path_char(char) for char in path.decode("utf-8", "surrogateescape"))
    return _SECOND_COLON.sub("%3A", text)


def path_bytes(text: str) -> TreePath:
    """Returns the path that `path_text` wrote. Raises ValueError for a stray `%`."""
    raw = text.encode()
    if "%" not in text:
        return TreePath(raw)
    if len(_ESCAPE.findall(raw)) != raw.count(b"%"):
        raise ValueError(f"stray % in path text {text!r}")
    return TreePath(_ESCAPE.sub(lambda match: bytes([int(match[1], 16)]), raw))


def _shown(char: str, keep_newlines: bool) -> str:
    if char == "\n" and keep_newlines:
        return char
    if unicodedata.category(char) not in _HIDDEN:
        return char
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _path_char(char: str) -> str:
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:  # surrogateescape: a byte that is not UTF-8
        return f"%{code - 0xDC00:02X}"
    if char == "%" or unicodedata.category(char) in _HIDDEN:
        return "".join(f"%{byte:02X}" for byte in char.encode())
    return char
