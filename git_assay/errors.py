"""What can go wrong, in the user's words, and with which exit code?

Every error that leaves the library is an `AssayError`: what and where, then a hint that is a command.
Outcomes (a closed gate, a stale claim) are values, never exceptions.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum


class ErrorKind(Enum):
    """Why there is no answer. The value is the process exit code (design 40-gate §4, git's own where it has one)."""

    CANNOT_DECIDE = 128
    USAGE = 129
    DEFECT = 70


class AssayError(Exception):
    """An answer cannot be given.

    message: lower case, no full stop, says what and where.  hint: a command that would help, or None.
    """

    def __init__(self, message: str, *, hint: str | None = None, kind: ErrorKind = ErrorKind.CANNOT_DECIDE) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.kind = kind


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing wrong at one place of a document.

    path: as displayed text (already cleaned).  line, column: 1-based; 0 when the whole file is meant.
    code: a stable short word (`unknown-key`, `double-owner`, ...) for machines.
    """

    path: str
    line: int
    column: int
    code: str
    message: str
    hint: str | None = None

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}:{self.column}" if self.line else self.path
        return f"{place}: {self.message}" + (f" ({self.hint})" if self.hint else "")


class DocumentProblems(AssayError):
    """One or more documents are wrong; all problems of all documents are carried at once, sorted by place.

    tree: which tree they are of, in words; "" is the one at hand.
    """

    def __init__(self, problems: Iterable[Problem], *, tree: str = "", hint: str | None = "git assay check") -> None:
        self.problems: tuple[Problem, ...] = tuple(sorted(problems, key=lambda p: (p.path, p.line, p.column, p.code)))
        self.tree = tree
        count = len(self.problems)
        listed = "\n".join(f"  {problem}" for problem in self.problems)
        where = f" of {tree}" if tree else ""
        said = f"{count} problem{'s' if count != 1 else ''} in .assay or module cards{where}"
        super().__init__(f"{said}\n{listed}", hint=hint)
