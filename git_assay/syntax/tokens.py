"""What are the tokens of a Python text, whatever Python runs this?

One regular expression that is at home in every version of the language. A text that it cannot cut up with certainty
(nested quotes in replacement fields, stray characters, a continued blank line) has no tokens, and its user falls back
to the bytes.
"""

from __future__ import annotations

import re

_STRING = (
    r"[rRbBuUfFtT]{0,2}(?:"
    r"'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*'''"
    r'|"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""'
    r"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'"
    r'|"[^"\\\n]*(?:\\.[^"\\\n]*)*")'
)
_NUMBER = r"\.?[0-9](?:[eE][+-]?[0-9]|[\w.])*"
_OPERATOR = r"\.\.\.|->|:=|\*\*=?|//=?|>>=?|<<=?|[!=<>]=|<>|[-+*/%@&|^]=?|[~<>=(),.:;{}\[\]`!]"
TOKEN = re.compile(
    rf"(?P<string>{_STRING})|(?P<number>{_NUMBER})|(?P<name>\w+)|(?P<operator>{_OPERATOR})"
    r"|(?P<line>\n[ \t\f]*)|(?P<skip>[ \t\f]+|\\\n)|(?P<comment>\#[^\n]*)|(?P<carved>\x05)|(?P<other>.)",
    re.DOTALL,
)
KEYWORDS = frozenset(
    [
        "and",
        "as",
        "assert",
        "async",
        "await",
        "break",
        "class",
        "continue",
        "def",
        "del",
        "elif",
        "else",
        "except",
        "finally",
        "for",
        "from",
        "global",
        "if",
        "import",
        "in",
        "is",
        "lambda",
        "nonlocal",
        "not",
        "or",
        "pass",
        "raise",
        "return",
        "try",
        "while",
        "with",
        "yield",
    ]
)
# Names that are a keyword in some version or place: `match (a,):`, Python 2's `print (a,)`.
SOFT = frozenset({"match", "case", "type", "print", "exec"})

_EXACT_NUMBER = re.compile(
    r"(?:0[xX][0-9a-fA-F_]+|0[oObB][0-7_]+|(?:[0-9_]+\.?[0-9_]*|\.[0-9_]+)(?:[eE][+-]?[0-9_]+)?[jJ]?)"
)
_PARTS = re.compile(r"""([rRbBuUfFtT]{0,2})('''|\"\"\"|'|")(.*)\2""", re.DOTALL)
_ESCAPED_QUOTE = re.compile(r"\\(?:(['\"])|.)", re.DOTALL)
_INNER = r"""(?:[^{}'"\\\#]|'[^'"{}\\\#\n]*'|"[^'"{}\\\#\n]*")*"""
# Literal text and replacement fields whose end is the same under every reading of nested quotes.
_FIELDS = re.compile(rf"(?:[^{{}}\\]|\\.|{{{{|}}}}|(?P<field>{{{_INNER}(?:{{{_INNER}}}{_INNER})*}}))*", re.DOTALL)
_PIECES = re.compile(rf"{{{{|}}}}|{{{_INNER}(?:{{{_INNER}}}{_INNER})*}}|\\(?:(['\"])|.)", re.DOTALL)
# A debug field or a format, whose text counts, or a field inside.
_MORE_THAN_EXPRESSION = re.compile(r"[=:!{\\]")
_OPEN_OCTAL = re.compile(r"(?:[^\\]|\A)(?:\\\\)*\\[0-7]{1,2}\Z", re.DOTALL)


class UncertainError(Exception):
    """The text cannot be cut into tokens with certainty."""


def number(token: str) -> str:
    """Returns one spelling for equal numbers: case, a missing zero beside the point."""
    if not _EXACT_NUMBER.fullmatch(token):
        return token
    token = token.lower()
    if token.startswith("."):
        token = "0" + token
    return re.sub(r"\.(?=[ej]|\Z)", ".0", token) if not token.startswith("0x") else token


def string(token: str) -> tuple[str, str]:
    """Returns (kind, body) of a string token without its quotes. Equal pairs are equal values.

    Escaped quotes are bare ones, all other escapes stay. Raises UncertainError for a format string whose fields do not
    end for certain where they seem to.
    """
    match = _PARTS.fullmatch(token)
    if match is None:
        raise UncertainError
    prefix, body = match[1], match[3]
    kind = prefix if prefix == "U" else "".join(sorted(prefix.lower()))
    if "f" in kind or "t" in kind:
        if not _FIELDS.fullmatch(body):
            raise UncertainError
        return kind, _PIECES.sub(lambda piece: _piece(piece, kind), body)
    if "r" not in kind and "\\" in body:
        body = _ESCAPED_QUOTE.sub(lambda escape: escape[1] or escape[0], body)
    return kind, body


def _piece(piece: re.Match[str], kind: str) -> str:
    """One spelling for an escaped quote, and for the quotes of a plain string in a plain replacement field.

    A template string keeps the text of its fields at run time (PEP 750).
    """
    if piece[1]:
        return piece[0] if "r" in kind else piece[1]
    if piece[0][0] == "{" and "t" not in kind and not _MORE_THAN_EXPRESSION.search(piece[0], 1):
        return piece[0].replace('"', "'")
    return piece[0]


def joined(first: tuple[str, str], second: tuple[str, str]) -> tuple[str, str] | None:
    """Returns the pair of two adjacent strings as one, None where that could be another value."""
    if first[0] == second[0]:
        kind = first[0]
    elif {first[0], second[0]} == {"", "f"}:
        kind = "f"
        first, second = _as_format(first), _as_format(second)
    else:
        return None
    if _OPEN_OCTAL.search(first[1]) and second[1][:1].isdigit():
        return None
    return kind, first[1] + second[1]


def _as_format(pair: tuple[str, str]) -> tuple[str, str]:
    if pair[0] == "f":
        return pair
    if "\\N{" in pair[1]:  # a named character, whose braces are no field
        raise UncertainError
    return "f", pair[1].replace("{", "{{").replace("}", "}}")
