"""Which paths does a pattern of a card match? gitignore syntax without negation, on bytes.

1. A leading `/` makes the pattern relative to the repository root, else it is relative to the card's directory.
2. A pattern without a `/` but at its end matches a name at any depth beneath that directory; with one, the whole path.
3. `*` and `?` do not cross `/`; `**/` is any number of directories, `/**` is everything beneath; `[a-z]` and `[!a-z]`.
4. A pattern that matches a directory matches everything beneath it; a trailing `/` matches directories only.
5. A backslash takes the next character literally.

**Source:** gitignore(5), held equal to `git check-ignore` in the tests; design 10-modules §3.
"""

from __future__ import annotations

import re
from functools import cached_property

from git_assay.values.ids import TreePath

_LITERAL = re.compile(r"[*?\[\\]")


class Pattern:
    """One compiled pattern. text: as written.  directory: of the card, b"" for the root."""

    def __init__(self, text: str, directory: TreePath) -> None:
        self.text = text
        self.directory = directory
        self._base = b"" if self.rooted or not directory else directory + b"/"

    def __repr__(self) -> str:
        return f"Pattern({self.text!r}, {self.directory!r})"

    @property
    def rooted(self) -> bool:
        """Whether the pattern is relative to the repository root."""
        return self.text.startswith("/")

    @property
    def exact(self) -> TreePath | None:
        """The one path that a pattern without any special character names, else None."""
        text = self.text.removeprefix("/")
        if _LITERAL.search(text) or text.endswith("/") or text.startswith("/") or not text:
            return None
        return TreePath(self._base + text.encode())

    def matches(self, path: TreePath) -> bool:
        """Returns whether the file at `path`, or a directory above it, is matched."""
        if not path.startswith(self._base):
            return False
        return self._regex.fullmatch(path, len(self._base)) is not None

    @cached_property
    def _regex(self) -> re.Pattern[bytes]:
        text = self.text.encode()
        only_directories = text.endswith(b"/") and not text.endswith(b"\\/")
        body = text[:-1] if only_directories else text
        anchored = b"/" in body
        expression = _translate(body.removeprefix(b"/"))
        if expression is None:
            return re.compile(rb"(?!)")
        above = b"" if anchored else rb"(?:[^/]+/)*"
        beneath = rb"/.+" if only_directories else rb"(?:/.+)?"
        return re.compile(above + expression + beneath, re.DOTALL)


# Patterns come from whoever proposes a change, so none may be slow: all but the last of several `*` of a name, and of
# several `**/`, are atomic. The leftmost match is enough for those, since what follows a star has a fixed length.
_ANY, _SLASH, _DIRECTORIES = b"*", b"/", b"**/"  # tokens; every other token is a regular expression


def _translate(text: bytes) -> bytes | None:
    """Returns the regular expression of a pattern body; None for one that can match nothing."""
    tokens = _tokens(text)
    if not tokens:
        return None
    first, *others = _split(tokens, _DIRECTORIES)
    groups = [group for group in others[:-1] if group]  # `**/**/` is `**/`
    out = [_names(first)]
    out += [rb"(?>(?:[^/]+/)*?" + _names(group) + rb")" for group in groups]
    out += [rb"(?:[^/]+/)*" + _names(group) for group in others[-1:]]
    return b"".join(out)


def _tokens(text: bytes) -> list[bytes] | None:
    tokens: list[bytes] = []
    place = 0
    while place < len(text):
        stars = _double_star(text, place)
        if stars is not None:
            tokens += stars[0]
            place = stars[1]
            continue
        step = _one(text, place)
        if step is None:
            return None
        tokens.append(step[0])
        place = step[1]
    return tokens


def _names(tokens: list[bytes]) -> bytes:
    """Returns the expression of names joined by `/`, without `**/` between them."""
    return b"/".join(_name(name) for name in _split(tokens, _SLASH))


def _name(tokens: list[bytes]) -> bytes:
    first, *others = (b"".join(chunk) for chunk in _split(tokens, _ANY))
    atomic = b"".join(rb"(?>[^/]*?" + chunk + rb")" for chunk in others[:-1])
    return first + atomic + b"".join(rb"[^/]*" + chunk for chunk in others[-1:])


def _split(tokens: list[bytes], at: bytes) -> list[list[bytes]]:
    parts: list[list[bytes]] = [[]]
    for token in tokens:
        if token == at:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _double_star(text: bytes, place: int) -> tuple[list[bytes], int] | None:
    """Returns the tokens of two or more stars that are a whole name, as git's wildmatch.c reads them."""
    if not text.startswith(b"**", place) or (place and text[place - 1 : place] != b"/"):
        return None
    end = place + 2
    while text[end : end + 1] == b"*":
        end += 1
    if end == len(text):
        return [rb".+"], end
    if text.startswith(b"/", end):
        return [_DIRECTORIES], end + 1
    if text.startswith(b"\\/", end):  # an escaped slash: at least one directory
        return [_DIRECTORIES, _ANY, _SLASH], end + 2
    return None


def _one(text: bytes, place: int) -> tuple[bytes, int] | None:
    char = text[place : place + 1]
    if char == b"*":
        end = place + 1
        while text[end : end + 1] == b"*":  # stars that are not a whole part count as one
            end += 1
        return _ANY, end
    if char == b"?":
        return rb"[^/]", place + 1
    if char == b"[":
        return _bracket(text, place)
    if char == b"\\":
        if place + 1 == len(text):
            return None  # git: a trailing backslash matches nothing
        return re.escape(text[place + 1 : place + 2]), place + 2
    return re.escape(char), place + 1


_NAMED = {
    b"alnum": rb"0-9A-Za-z", b"alpha": rb"A-Za-z", b"blank": rb" \t", b"cntrl": rb"\x00-\x1f\x7f", b"digit": rb"0-9",
    b"graph": rb"\x21-\x7e", b"lower": rb"a-z", b"print": rb"\x20-\x7e", b"punct": rb"!-/:-@\[-`{-~",
    b"space": rb" \t\n\r\f\v", b"upper": rb"A-Z", b"xdigit": rb"0-9A-Fa-f",
}  # fmt: skip


def _bracket(text: bytes, place: int) -> tuple[bytes, int] | None:
    """Returns a character class; None for one that is not closed or names an unknown class (it matches nothing)."""
    at = place + 1
    negated = text[at : at + 1] in (b"!", b"^")
    at += negated
    parts: list[bytes] = []
    first = True
    while True:
        char = text[at : at + 1]
        if not char:
            return None
        if char == b"]" and not first:
            break
        first = False
        if text.startswith(b"[:", at):
            end = text.find(b":]", at + 2)
            name = _NAMED.get(text[at + 2 : end]) if end > 0 else None
            if name is None:
                return None
            parts.append(name)
            at = end + 2
            continue
        low, at = _class_char(text, at)
        if text[at : at + 1] == b"-" and text[at + 1 : at + 2] not in (b"", b"]"):
            high, at = _class_char(text, at + 1)
            if low and high and low <= high:
                parts.append(re.escape(low) + b"-" + re.escape(high))
        elif low:
            parts.append(re.escape(low))
    if not parts:
        return (rb"[^/]" if negated else rb"(?!)"), at + 1
    return rb"(?!/)[" + (b"^" if negated else b"") + b"".join(parts) + b"]", at + 1


def _class_char(text: bytes, at: int) -> tuple[bytes, int]:
    if text[at : at + 1] == b"\\":
        return text[at + 1 : at + 2], at + 2
    return text[at : at + 1], at + 1
