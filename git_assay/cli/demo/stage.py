"""Where does the demo play? A new folder with its own HOME, two people with keys, and a runner of commands.

Nothing outside the folder is read or written: the children see its HOME and its git configuration only.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from git_assay.errors import AssayError, ErrorKind

_TIMEOUT_S = 120.0  # of one command; the whole story takes under twenty seconds
_GIT_CONFIG = """\
[user]
\tname = Alice
\temail = alice@example.com
[init]
\tdefaultBranch = main
[commit]
\tgpgSign = false
[core]
\tautocrlf = false
\tpager = cat
"""


@dataclass(frozen=True, slots=True)
class Stage:
    """folder: everything of the demo.  repository: its work tree.  show: prints one line."""

    folder: Path
    env: Mapping[str, str]
    show: Callable[[str], None]

    @property
    def repository(self) -> Path:
        return self.folder / "shop"

    def key(self, person: str) -> Path:
        """Returns the private key file of `alice` or `bob`."""
        return self.folder / "home" / ".ssh" / f"{person}_ed25519"

    def run(self, command: Sequence[str], *, person: str = "alice", expect: int = 0) -> None:
        """Shows `command` as a person would type it, runs it, and shows what it printed.

        Raises AssayError (a defect) when the exit code is not the one that the story tells.
        """
        self.show(f"\n$ {shlex.join(command)}")
        done = subprocess.run(
            self._argv(command),
            cwd=self.repository,
            env=self._env(person),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_TIMEOUT_S,
            check=False,
        )
        for line in done.stdout.decode("utf-8", "replace").splitlines():
            self.show(f"  {line}")
        if done.returncode != expect:
            raise AssayError(
                f"the demo expected exit code {expect} of '{shlex.join(command)}' and got {done.returncode}",
                hint=f"cd {shlex.quote(str(self.repository))} && {shlex.join(command)}",
                kind=ErrorKind.DEFECT,
            )
        if expect:
            self.show(f"  (exit code {expect})")

    def _argv(self, command: Sequence[str]) -> list[str]:
        # `git assay` needs git-assay on PATH; the demo must run from any installation, also as `python -m git_assay`.
        if list(command[:2]) == ["git", "assay"]:
            return [sys.executable, "-m", "git_assay", *command[2:]]
        return list(command)

    def _env(self, person: str) -> dict[str, str]:
        return {
            **self.env,
            "GIT_AUTHOR_NAME": person.title(),
            "GIT_AUTHOR_EMAIL": f"{person}@example.com",
            "GIT_COMMITTER_NAME": person.title(),
            "GIT_COMMITTER_EMAIL": f"{person}@example.com",
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "assay.signingKey",
            "GIT_CONFIG_VALUE_0": str(self.key(person)),
        }


def set_stage(folder: Path, env: Mapping[str, str], show: Callable[[str], None]) -> Stage:
    """Returns a stage in the empty directory `folder`."""
    home = folder / "home"
    (home / ".ssh").mkdir(parents=True, mode=0o700)
    (home / ".gitconfig").write_text(_GIT_CONFIG, encoding="utf-8")
    (folder / "shop").mkdir()
    kept = {name: value for name, value in env.items() if not name.startswith(("GIT_", "SSH_"))}
    own = {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "GIT_CONFIG_GLOBAL": str(home / ".gitconfig"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "NO_COLOR": "1",
    }
    return Stage(folder=folder, env={**kept, **own}, show=show)
