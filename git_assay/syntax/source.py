"""Which text does Python read from these bytes, and can we trust that we read the same?

`read_source` returns bytes of the same length and the same offsets. A lone carriage return becomes the line end that it
is to Python's tokenizer (it ends a comment, so that what follows is code); other deviations from UTF-8 are masked. What
the interpreter may read differently has a reason: the file is open.
Where the text is not plain UTF-8, the code digest is exact.
**Source:** PEP 263, PEP 3131, Python language reference §2.1.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

# PEP 263: only the first two lines, and the second only when the first is a comment or blank.
_COOKIE = re.compile(
    rb"\A(?:\xef\xbb\xbf)?(?:[ \t\f]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))?[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)"
)
_UTF8 = re.compile(r"utf-8(-.*)?|utf8|u8|utf|cp65001")
# One byte a character, and every ASCII byte means itself: masking the others keeps all offsets and all syntax.
_ONE_BYTE = re.compile(
    r"(latin-1|iso-8859-1|iso-latin-1)(-.*)?|ascii|us-ascii|latin1|l1|iso-?8859-?\d{1,2}|cp125\d|windows-125\d|koi8-[rut]"
)
_WIDE = re.compile(r"\w*[^\W\x00-\x7f]\w*")
_NAMES_IN_DISGUISE = re.compile(
    r"import|exec|eval|importlib|runpy|pkgutil|builtins|sys|modules|loader|spec|path|TYPE_CHECKING|imp|zipimport"
)


@dataclass(frozen=True, slots=True)
class Source:
    """text: bytes to parse, as long as the blob.  utf8: text is exactly what the blob says, apart from line ends.

    reason: why Python may read something else, None when it cannot.
    """

    text: bytes
    utf8: bool
    reason: str | None


def read_source(data: bytes) -> Source:
    """Returns the text of a Python blob with unchanged offsets."""
    reason = None
    text = _lone_returns(data)
    encoding = source_encoding(text)
    if text.startswith(b"\xef\xbb\xbf"):
        text = b"\x0c\x0c\x0c" + text[3:]  # form feeds: white space that resets the indentation
    if b"\0" in text:
        text, reason = text.replace(b"\0", b" "), "NUL byte in the source"
    if _UTF8.fullmatch(encoding):
        return _as_utf8(text, reason)
    if _ONE_BYTE.fullmatch(encoding):
        return _as_one_byte(text, reason)
    return Source(_masked(text), False, f"source encoding {encoding[:40]}")


def source_encoding(text: bytes) -> str:
    """Returns the declared encoding in lower case with `-` for `_`, `utf-8` when there is none."""
    match = _COOKIE.match(text[:4096])
    return match[1].decode("latin-1").lower().replace("_", "-") if match else "utf-8"


def _lone_returns(data: bytes) -> bytes:
    if b"\r" not in data:
        return data
    return re.sub(rb"\r(?!\n)", b"\n", data)


def _as_utf8(text: bytes, reason: str | None) -> Source:
    if text.isascii():
        return Source(text, reason is None, reason)
    try:
        decoded = text.decode()
    except UnicodeDecodeError:
        return Source(_masked(text), False, reason)  # Python refuses the file
    return Source(text, reason is None, reason or _disguise(decoded))


def _as_one_byte(text: bytes, reason: str | None) -> Source:
    if text.isascii():
        return Source(text, reason is None, reason)
    return Source(_masked(text), False, reason)


def _masked(text: bytes) -> bytes:
    return re.sub(rb"[\x80-\xff]", b"_", text)


def _disguise(text: str) -> str | None:
    """Returns a reason when an identifier becomes one of the import machinery under NFKC (PEP 3131)."""
    for word in _WIDE.findall(text):
        plain = unicodedata.normalize("NFKC", word)
        if plain != word and plain.isascii() and _NAMES_IN_DISGUISE.search(plain):
            return "an identifier in compatibility characters"
    return None
