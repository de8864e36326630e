"""How is one git command run, and what does its failure say?

Git is found once, as an absolute path outside the current directory (a repository may contain a file called `git`),
and never through a shell. The environment is the caller's, passed in: hooks' GIT_INDEX_FILE, GIT_DIR and quarantine
reach every command for *this* repository. Only what must hold for every answer is added: no replace refs, no grafts,
no optional locks, literal paths. Outcomes are read from exit codes, never from git's English.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from git_assay.errors import AssayError
from git_assay.values.text import clean

Argument = str | bytes | Path

PINNED: Mapping[str, str] = {
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_GRAFT_FILE": os.devnull,
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_TERMINAL_PROMPT": "0",
}
# Each would change an answer: how paths are matched, which attributes hold, which program makes a diff.
_DROPPED = ("GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS", "GIT_ATTR_SOURCE", "GIT_EXTERNAL_DIFF")
_SHOWN_LINES = 5


class GitFailed(AssayError):
    """git ended with an exit code that the caller did not expect. code: as git gave it, negative for a signal."""

    def __init__(self, args: Sequence[Argument], code: int, stderr: bytes, *, hint: str | None = None) -> None:
        self.code = code
        self.stderr = clean(os.fsdecode(stderr).encode("utf-8", "replace").decode(), keep_newlines=True).strip()
        said = "\n".join(f"  {line}" for line in self.stderr.splitlines()[-_SHOWN_LINES:])
        super().__init__(f"git {_verb(args)} failed (exit {code})" + (f"\n{said}" if said else ""), hint=hint)


@dataclass(frozen=True, slots=True)
class Finished:
    """What one git command left. code: one of the expected exit codes."""

    code: int
    out: bytes
    err: bytes


@dataclass(frozen=True, slots=True)
class Git:
    """executable: absolute.  cwd: where commands run.  env: the whole environment of the commands."""

    executable: str
    cwd: Path
    env: Mapping[str, str]

    @classmethod
    def find(cls, cwd: Path, env: Mapping[str, str]) -> Git:
        """Returns git for commands in `cwd`. Raises AssayError when no absolute PATH entry outside `cwd` has it."""
        kept = {name: value for name, value in env.items() if name not in _DROPPED}
        return cls(find_executable(cwd, env.get("PATH", os.defpath)), cwd, {**kept, **PINNED})

    def run(
        self,
        args: Sequence[Argument],
        *,
        input: bytes = b"",
        ok: tuple[int, ...] = (0,),
        env: Mapping[str, str] | None = None,
    ) -> bytes:
        """Returns the standard output. Raises GitFailed for an exit code outside `ok`. env: additions for this call."""
        return self.call(args, input=input, ok=ok, env=env).out

    def call(
        self,
        args: Sequence[Argument],
        *,
        input: bytes = b"",
        ok: tuple[int, ...] = (0,),
        env: Mapping[str, str] | None = None,
    ) -> Finished:
        """Returns exit code and output; as `run` otherwise."""
        try:
            done = subprocess.run(
                [self.executable, *args],
                cwd=self.cwd,
                env={**self.env, **(env or {})},
                input=input,
                capture_output=True,
                check=False,
            )
        except OSError as error:
            raise AssayError(f"cannot run git {_verb(args)} in {self.cwd}: {error.strerror}") from error
        if done.returncode not in ok:
            raise GitFailed(args, done.returncode, done.stderr)
        return Finished(done.returncode, done.stdout, done.stderr)

    def start(self, args: Sequence[Argument], *, env: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
        """Starts a long-lived command with pipes for input and output; its stderr is discarded."""
        try:
            return subprocess.Popen(
                [self.executable, *args],
                cwd=self.cwd,
                env={**self.env, **(env or {})},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            raise AssayError(f"cannot run git {_verb(args)} in {self.cwd}: {error.strerror}") from error

    def line(self, args: Sequence[Argument], *, ok: tuple[int, ...] = (0,)) -> str:
        """Returns the output as file system text without its last line end."""
        return os.fsdecode(self.run(args, ok=ok)).removesuffix("\n")

    def at(self, cwd: Path) -> Git:
        """Returns the same git for another directory of the same repository."""
        return replace(self, cwd=cwd)

    def with_env(self, added: Mapping[str, str], *, without: Iterable[str] = ()) -> Git:
        dropped = frozenset(without)
        kept = {name: value for name, value in self.env.items() if name not in dropped}
        return replace(self, env={**kept, **added})

    def elsewhere(self, cwd: Path) -> Git:
        """Returns git for *another* repository: everything that points at this one is dropped.

        **Source:** githooks(5), `git rev-parse --local-env-vars`.
        """
        local = self.run(["rev-parse", "--local-env-vars"]).decode().split()
        kept = {name: value for name, value in self.env.items() if name not in local}
        return replace(self, cwd=cwd, env={**kept, **PINNED})


def find_executable(cwd: Path, path: str) -> str:
    """Returns the absolute path of git. Relative PATH entries and those inside `cwd` are not looked at."""
    here = Path(os.path.abspath(cwd))
    for entry in path.split(os.pathsep):
        folder = Path(entry)
        inside = folder.is_relative_to(here) and here != Path(here.anchor)
        if not entry or not folder.is_absolute() or inside:
            continue
        for name in ("git", "git.exe") if os.name == "nt" else ("git",):
            candidate = folder / name
            # Unlike Path.is_file, false and no error where this user may not look.
            if os.path.isfile(candidate) and os.access(candidate, os.X_OK):
                return str(candidate)
    raise AssayError("no git on PATH outside the current directory; git 2.38 or newer is needed")


def _verb(args: Sequence[Argument]) -> str:
    words = iter(args)
    for word in words:
        if word == "-c":
            next(words, None)
        elif not os.fsdecode(word).startswith("-"):
            return os.fsdecode(word)
    return ""
