"""What does one run of the command know about its surroundings?

The only object that carries the process's directory, environment and clock to the verbs; `context` builds everything
else from it. A test makes its own with another directory, environment or clock.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from git_assay.errors import AssayError, ErrorKind
from git_assay.values.moments import parse_moment

if TYPE_CHECKING:
    from git_assay.git.repository import Repository
    from git_assay.graph.store import FactStore


def _clock() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


@dataclass(slots=True)
class Session:
    """cwd: where the user stands.  env: the process's environment.  clock: the present moment in UTC.

    store: of the repository's facts, once `context` made it.  words: of the command line, for hints.
    """

    cwd: Path
    env: Mapping[str, str]
    clock: Callable[[], datetime] = _clock
    store: FactStore | None = field(default=None, repr=False)
    words: tuple[str, ...] = ()
    _repository: Repository | None = field(default=None, repr=False)

    def repository(self) -> Repository:
        """Returns the repository around `cwd`, found once. Raises AssayError where there is none."""
        if self._repository is None:
            from git_assay.git.repository import Repository

            self._repository = Repository.discover(self.cwd, self.env)
        return self._repository

    def now(self, at: str | None = None) -> datetime:
        """Returns the moment of `--at TIME`, else the clock's. Raises AssayError (usage) for a malformed time."""
        if at is None:
            return self.clock()
        try:
            return parse_moment(at)
        except ValueError as error:
            raise AssayError(str(error), kind=ErrorKind.USAGE) from error

    def again(self, *more: str) -> str:
        """Returns the command line that was typed with more options, to be pasted."""
        return shlex.join(("git", "assay", *self.words, *more))

    def report_directory(self) -> Path | None:
        """Returns where a defect report belongs: beside the cache, once a repository was found."""
        return None if self._repository is None else self._repository.layout.common_dir / "assay"

    def colour(self) -> bool:
        """Returns whether stdout is to be coloured: NO_COLOR, then git's own color.assay and color.ui."""
        if self.env.get("NO_COLOR"):
            return False
        paged = self.env.get("GIT_PAGER_IN_USE") == "true"
        if not paged and not sys.stdout.isatty():
            return False
        return self._git_wants_colour()

    def _git_wants_colour(self) -> bool:
        try:
            answer = self.repository().git.run(["config", "--get-colorbool", "color.assay", "true"])
        except AssayError:  # outside a repository: plain text is always right
            return False
        return answer.strip() == b"true"
