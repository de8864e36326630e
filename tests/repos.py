"""How does a test make a small real repository? `Repo(path).init()`, then write, commit, branch, merge."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from git_assay.values.ids import ObjectId


class Repo:
    """A real repository at `path`, driven through the git command line with the hermetic environment of the test."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def init(self, object_format: str = "sha1", *options: str) -> Repo:
        """Makes the repository, on branch main. Returns itself."""
        self.path.mkdir(parents=True, exist_ok=True)
        self.git("init", "-q", "-b", "main", f"--object-format={object_format}", *options)
        return self

    def git(self, *args: str, **env: str) -> str:
        """Returns the output without its last line ends. Raises AssertionError, with git's words, when it fails."""
        return os.fsdecode(self.git_bytes(args, env=env)).rstrip("\n")

    def git_bytes(self, args: Sequence[str], *, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> bytes:
        done = subprocess.run(
            ["git", *args],
            cwd=self.path,
            input=stdin,
            capture_output=True,
            env={**os.environ, **(env or {})},
            check=False,
        )
        if done.returncode:
            raise AssertionError(f"git {' '.join(args)}: exit {done.returncode}\n{os.fsdecode(done.stderr)}")
        return done.stdout

    def write(self, path: str | bytes, content: str | bytes = b"") -> Path:
        """Writes a file of the working directory, making its folders."""
        target = self.path / os.fsdecode(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)
        return target

    def remove(self, path: str | bytes) -> None:
        (self.path / os.fsdecode(path)).unlink()

    def commit(self, message: str = "change", **env: str) -> ObjectId:
        """Commits everything in the working directory (an empty commit when nothing changed). Returns its id."""
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message, **env)
        return self.head()

    def head(self, rev: str = "HEAD") -> ObjectId:
        return ObjectId(self.git("rev-parse", "--verify", f"{rev}^{{commit}}"))

    def tree(self, rev: str = "HEAD") -> ObjectId:
        return ObjectId(self.git("rev-parse", "--verify", f"{rev}^{{tree}}"))

    def branch(self, name: str, start: str = "HEAD") -> None:
        """Makes the branch and checks it out."""
        self.git("checkout", "-q", "-b", name, start)

    def checkout(self, rev: str) -> None:
        self.git("checkout", "-q", rev)

    def merge(self, rev: str, message: str = "merge", **env: str) -> ObjectId:
        """Makes a merge commit, never a fast-forward. Returns its id."""
        self.git("merge", "-q", "--no-ff", "-m", message, rev, **env)
        return self.head()

    def rebase(self, onto: str, **env: str) -> ObjectId:
        self.git("rebase", "-q", onto, **env)
        return self.head()

    def squash(self, rev: str, message: str = "squash", **env: str) -> ObjectId:
        self.git("merge", "-q", "--squash", rev)
        self.git("commit", "-q", "--allow-empty", "-m", message, **env)
        return self.head()

    def cherry_pick(self, rev: str, **env: str) -> ObjectId:
        self.git("cherry-pick", rev, **env)
        return self.head()
