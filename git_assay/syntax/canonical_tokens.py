"""Which tokens are left when everything that cannot change the syntax tree is gone?

The result is the token sequence of a program with the same syntax tree, so equal sequences are equal programs. Each
step is one that Python's grammar proves:

1. comments go (`# type:` ones stay), white space and line breaks become NEWLINE, INDENT and DEDENT;
2. `;` is a line break, and a body on the line of its header is a block;
3. strings lose their quotes (see `tokens.string`), adjacent ones are joined;
4. a trailing comma goes where it does not make a tuple;
5. parentheses go where the grammar takes the same expression without them: around a whole side of an assignment,
   what is returned, a condition, the target or the range of a `for`, and the like (`_is_redundant`).

Anything else stays, so a program may have several forms; that costs a review too much, never one too few.
**Source:** design 20-graph §1 "Code digest"; Python language reference, full grammar.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from git_assay.syntax.tokens import KEYWORDS, SOFT, TOKEN, UncertainError, joined, number, string

NEWLINE, INDENT, DEDENT, STRING, CARVED = "\n", "\x03", "\x04", "\x02", "\x05"
_STARTS = frozenset({"", NEWLINE, INDENT, DEDENT})
_BLOCKS = frozenset("if elif else while for try except finally with class def async".split())  # noqa: SIM905
_AUGMENTED = frozenset("+= -= *= /= //= %= @= &= |= ^= >>= <<= **=".split())  # noqa: SIM905
_CLOSERS = frozenset(")]}")
_ENDS = _CLOSERS | {","}
# What a primary may be made of, beside names and literals.
_PRIMARY = frozenset("()[].")
_OPENERS = frozenset("([{")
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_TYPE_COMMENT = re.compile(r"\#\s*type:")
_MORE_THAN_GROUPING = frozenset({":=", "yield", "for", "await", "async", "lambda"})


@dataclass(slots=True)
class _Bracket:
    """An open bracket. place: its index in the output.  kind: call, group, subscript, display or opaque."""

    place: int
    opener: str
    kind: str
    before: str
    commas: int = 0
    special: bool = False
    has_as: bool = False
    primary: bool = True


def canonical_tokens(text: str, *, column: int = 0) -> list[str]:
    """Returns the canonical tokens. text: with `\\n` line ends.  column: the indentation that the text stands at.

    Raises UncertainError when the text cannot be cut up with certainty.
    """
    return _Canonical(column).run(text)


class _Canonical:
    """The state of one pass."""

    def __init__(self, column: int) -> None:
        self.out: list[str] = []
        self.stack: list[_Bracket] = []
        self.indents = [column]
        self.pending: tuple[_Bracket, int] | None = None
        self.strings: tuple[str, str] | None = None
        self.begin_statement()
        self.inline = False
        self.line_start = True
        self.column = column

    def begin_statement(self) -> None:
        self.first = ""
        self.lambdas = 0
        self.header = False
        self.ranges = 0

    def run(self, text: str) -> list[str]:
        self.leading(text)
        for match in TOKEN.finditer(text):
            kind, token = match.lastgroup, match[0]
            if kind == "skip":
                if self.line_start and token == "\\\n":
                    raise UncertainError
            elif kind == "line":
                self.line_break(token)
            elif kind == "comment":
                if _TYPE_COMMENT.match(token):
                    self.settle(token)
                    self.out.append(token.rstrip())
            elif kind == "string":
                self.take_string(token)
            elif kind == "other" or (kind == "carved" and self.stack):
                raise UncertainError
            else:
                self.take(number(token) if kind == "number" else token)
        self.line_break("\n")
        self.settle("")
        if self.stack:
            raise UncertainError
        self.out.extend(DEDENT for _ in self.indents[1:])
        return [token for token in self.out if token]

    def leading(self, text: str) -> None:
        blank = text[: len(text) - len(text.lstrip(" \t\f"))]
        self.column = max(self.column, _column(blank))

    def line_break(self, token: str) -> None:
        if self.stack:
            return
        if not self.line_start:
            self.end_statement()
            if self.inline:
                self.out.append(DEDENT)
                self.inline = False
        self.line_start, self.column = True, _column(token[1:])

    def end_statement(self) -> None:
        self.settle(NEWLINE)
        if self.last() not in _STARTS:
            self.out.append(NEWLINE)
        self.begin_statement()

    def begin_line(self) -> None:
        """Step 1."""
        self.line_start = False
        if self.column > self.indents[-1]:
            self.indents.append(self.column)
            self.out.append(INDENT)
        while self.column < self.indents[-1]:
            if len(self.indents) == 1:
                raise UncertainError
            self.indents.pop()
            self.out.append(DEDENT)
        if self.column != self.indents[-1]:
            raise UncertainError

    def begin_token(self) -> None:
        if self.line_start:
            self.begin_line()
        if self.header:  # step 2: the body stands on the line of its header
            self.out += [NEWLINE, INDENT]
            self.inline = True
            self.begin_statement()

    def take_string(self, token: str) -> None:
        """Step 3."""
        self.begin_token()
        pair = string(token)
        if self.strings is None:
            self.settle(STRING)
            self.first = self.first or STRING
            self.strings = pair
            return
        both = joined(self.strings, pair)
        if both is None:
            self.settle(STRING)
            self.strings = pair
        else:
            self.strings = both

    def settle(self, following: str) -> None:
        """Writes what waited for the next token: a string, and the parentheses that it may make redundant."""
        if self.strings is not None:
            self.out.append(f"{STRING}{self.strings[0]}:{self.strings[1]}")
            self.strings = None
        if self.pending is not None:
            bracket, close = self.pending
            self.pending = None
            self.judge_parentheses(bracket, close, following)

    def take(self, token: str) -> None:
        self.begin_token()
        if token == ";" and not self.stack and self.first not in SOFT:
            self.end_statement()
            return
        self.settle(token)
        if not self.stack:
            self.at_statement_level(token)
        else:
            self.in_bracket(self.stack[-1], token)
        if token in _OPENERS:
            self.stack.append(_Bracket(len(self.out), token, *self.bracket_kind(token)))
            self.out.append(token)
        elif token in _CLOSERS:
            self.close(token)
        else:
            self.out.append(token)

    def at_statement_level(self, token: str) -> None:
        self.first = self.first or token
        if token == "lambda":
            self.lambdas += 1
        elif token == "in":
            self.ranges += 1
        elif token == ":":
            if self.lambdas:
                self.lambdas -= 1
            elif self.first in _BLOCKS:
                self.header = True

    def in_bracket(self, bracket: _Bracket, token: str) -> None:
        if token in KEYWORDS or not (token in _PRIMARY or token[0].isalnum() or token[0] == "_"):
            bracket.primary = False
        if token == ",":
            bracket.commas += 1
        elif token in _MORE_THAN_GROUPING:
            bracket.special = True
        elif token == "as":
            bracket.has_as = True

    def last(self) -> str:
        return next((token for token in reversed(self.out) if token), "")

    def before(self) -> str:
        for token in reversed(self.out):
            if token and token[0] != "#":
                return token
        return ""

    def is_attribute(self) -> bool:
        return [token for token in self.out[-3:] if token][-2:-1] == ["."]

    def bracket_kind(self, opener: str) -> tuple[str, str]:
        before = self.before()
        if before in SOFT - {"type"} and not self.is_attribute():
            return "opaque", before
        if before == "import" and self.first in ("from", "import"):
            return "import", before
        ends_operand = before[:1] in ")]}\x02" or (before[:1].isalnum() or before[:1] == "_" or not before.isascii())
        if before and ends_operand and before not in KEYWORDS and before not in _STARTS:
            return ("call" if opener == "(" else "subscript"), before
        return ("group" if opener == "(" else "display"), before

    def close(self, token: str) -> None:
        if not self.stack or _PAIRS[self.stack[-1].opener] != token:
            raise UncertainError
        bracket = self.stack.pop()
        if self.before() == "," and self.may_drop_comma(bracket):
            self.drop_last()
            bracket.commas -= 1
        self.out.append(token)
        if bracket.opener == "(" and bracket.place < len(self.out) - 2:
            self.pending = bracket, len(self.out) - 1
        elif bracket.kind == "call" and self.first == "class" and not self.stack and self.out[-4:-3] == ["class"]:
            self.out[-2:] = []  # `class A():` is `class A:`

    def may_drop_comma(self, bracket: _Bracket) -> bool:
        """Step 4."""
        if bracket.kind in ("call", "display", "import"):
            return True
        return bracket.commas > 1 or (bracket.kind != "opaque" and bracket.has_as)

    def drop_last(self) -> None:
        for index in range(len(self.out) - 1, -1, -1):
            if self.out[index]:
                self.out[index] = ""
                return

    def judge_parentheses(self, bracket: _Bracket, close: int, following: str) -> None:
        """Step 5."""
        outer = self.stack[-1] if self.stack else None
        drop = False
        if bracket.kind == "import":
            drop = following == NEWLINE
        elif bracket.kind == "group" and not bracket.special:
            if outer is not None and outer.kind == "group" and following == ")":
                drop = not any(self.out[outer.place + 1 : bracket.place])
                if drop:
                    outer.commas, outer.has_as = bracket.commas, bracket.has_as
            elif (bracket.before == "for" and following == "in") or self.is_whole_operand(bracket, following):
                drop = True
            elif outer is None:
                drop = self.is_redundant(bracket, following)
        if drop:
            self.out[bracket.place] = self.out[close] = ""

    def is_whole_operand(self, bracket: _Bracket, following: str) -> bool:
        """The body of a lambda, the value of a key, what is awaited when it is a name with calls and subscripts."""
        if bracket.commas or (following != NEWLINE and following not in _ENDS):
            return False
        return bracket.before == ":" or (bracket.before == "await" and bracket.primary)

    def is_redundant(self, bracket: _Bracket, following: str) -> bool:
        before, tuple_like = bracket.before, bracket.commas > 0
        if self.first == "with":
            return before == "with" and following == ":"
        if bracket.has_as:
            return False
        if before in ("=", "return", "yield") or before in _STARTS or before in _AUGMENTED:
            return following == NEWLINE or (following == "=" and before not in (*_AUGMENTED, "return", "yield"))
        if self.first == "for" and before == "in" and following == ":":
            return self.ranges == 1
        if tuple_like:
            return False
        return following in _AFTER.get((self.first, before), ())


_AFTER: dict[tuple[str, str], tuple[str, ...]] = {
    ("if", "if"): (":",),
    ("elif", "elif"): (":",),
    ("while", "while"): (":",),
    ("assert", "assert"): (",", NEWLINE),
    ("assert", ","): (NEWLINE,),
    ("except", "except"): (":", "as"),
    ("raise", "raise"): (NEWLINE, "from"),
    ("raise", "from"): (NEWLINE,),
    ("def", "->"): (":",),
    ("async", "->"): (":",),
}


def _column(blank: str) -> int:
    """The column of an indentation. **Source:** Python language reference §2.1.8: tabs to multiples of eight."""
    column = 0
    for char in blank:
        tabbed = (column // 8 + 1) * 8 if char == "\t" else column + 1
        column = 0 if char == "\f" else tabbed
    return column
