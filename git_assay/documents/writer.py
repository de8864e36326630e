"""How is a YAML document written, or added to a file, without touching what is there?

Text is written by hand-made lines, quoted where the reader could take it for anything else, so that a file reads as
people write it and a diff is small. Existing bytes are kept exactly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_PLAIN = re.compile(r"[A-Za-z0-9/.][A-Za-z0-9 _./@+()'-]*")
_MISREAD = re.compile(r"(?i)(null|true|false|yes|no|on|off|~|[-+.]?[0-9][0-9_.:eE+-]*)")


def scalar(text: str) -> str:
    """Returns `text` as one YAML scalar on one line, plain where that cannot be misread, else double-quoted."""
    if _PLAIN.fullmatch(text) and not _MISREAD.fullmatch(text) and not text.endswith(" ") and ": " not in text:
        return text
    return '"' + "".join(_escaped(char) for char in text) + '"'


def flow_list(items: Iterable[str]) -> str:
    """Returns `[a, b]`; every item that a flow list could misread is quoted."""
    return "[" + ", ".join(_flow(item) for item in items) + "]"


def appended(existing: bytes | None, document: str) -> bytes:
    """Returns a file with one more document at its end; existing bytes stay as they are."""
    if not existing or not existing.strip():
        return (existing or b"") + document.encode()
    joint = b"" if existing.endswith(b"\n") else b"\n"
    return existing + joint + b"---\n" + document.encode()


def _flow(item: str) -> str:
    plain = scalar(item)
    return plain if plain.startswith('"') or not set(item) & set(",[]{}@") else '"' + item + '"'


def _escaped(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    if char == "\n":
        return "\\n"
    if char.isprintable():
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
