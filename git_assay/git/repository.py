"""Which repository is this, and what do its names stand for?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from git_assay.errors import AssayError
from git_assay.git.layout import Layout, absolute_environment, read_layout
from git_assay.git.process import Git
from git_assay.git.reading import GitObjects
from git_assay.git.snapshot import Snapshot
from git_assay.git.trees import Heads, read_tree
from git_assay.values.ids import ObjectId
from git_assay.values.text import clean

_FULL_ID = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")
_SUFFIX = re.compile(r"[~^@].*", re.DOTALL)  # of a revision: what follows the name. Source: gitrevisions(7)
NO_WORK_TREE_HINT = "git worktree add --detach ../checkout"
_KEPT_SNAPSHOTS = 4  # base, result, target and one more: what one verb asks for again


class UnbornBranch(AssayError):
    """HEAD is at a branch without a commit."""

    def __init__(self, branch: str | None) -> None:
        named = f"branch '{clean(branch)}'" if branch else "HEAD"
        super().__init__(f"{named} has no commit yet", hint="git add -A && git commit")


@dataclass(frozen=True, slots=True)
class Repository:
    """One repository, opened by git itself. git: runs its commands.  objects: reads its objects."""

    git: Git
    layout: Layout
    objects: GitObjects
    _trees: dict[str, ObjectId] = field(default_factory=dict, compare=False, repr=False)  # by commit, asked before
    _snapshots: dict[ObjectId, Snapshot] = field(default_factory=dict, compare=False, repr=False)  # the last few
    _heads: Heads = field(default_factory=Heads, compare=False, repr=False)  # entries that trees share

    @classmethod
    def discover(cls, cwd: Path, env: Mapping[str, str]) -> Repository:
        """Returns the repository of `cwd`, as git finds it under `env`.

        Raises AssayError, with git's remedy as hint, when there is none or git refuses to open it.
        """
        found = Git.find(cwd, env)
        layout = read_layout(found)
        git = found.with_env(absolute_environment(found, layout))
        return cls(git, layout, GitObjects(git))

    def resolve(self, rev: str) -> ObjectId:
        """Returns the commit that `rev` names. Raises AssayError when it names none, naming a near branch or tag."""
        found = self.try_resolve(rev)
        if found is None:
            raise self._unknown(rev)
        return found

    def try_resolve(self, rev: str) -> ObjectId | None:
        """Returns the commit that `rev` names (tags are peeled), or None."""
        if "\0" in rev or "\n" in rev:
            return None
        # The tree is nearly always asked for next, and one spawn answers both. 128: a tree that cannot be fetched.
        asked = f"{rev}^{{commit}}\n{rev}^{{tree}}\n".encode("utf-8", "surrogateescape")
        done = self.git.call(["cat-file", "--batch-check=%(objectname)"], input=asked, ok=(0, 128))
        commit, tree = [*done.out.decode("utf-8", "surrogateescape").split("\n"), "", ""][:2]
        if not _FULL_ID.fullmatch(commit):
            return None
        if _FULL_ID.fullmatch(tree):
            self._trees[commit] = ObjectId(tree)
        return ObjectId(commit)

    def tree_of(self, commit: str) -> ObjectId:
        """Returns the root tree of a commit (or of anything that peels to a tree)."""
        found = self._trees.get(commit) or self._verify(f"{commit}^{{tree}}")
        if found is None:
            raise self._unknown(commit)
        if _FULL_ID.fullmatch(commit):
            self._trees[commit] = found
        return found

    def snapshot(self, tree: ObjectId) -> Snapshot:
        """Returns what is in the tree (or in the tree of a commit). tree: an id, not checked to be a root tree."""
        found = self._snapshots.pop(tree, None)
        if found is None:
            found = Snapshot(tree, read_tree(self.git, tree, known=self._heads), self.objects)
        self._snapshots[tree] = found
        if len(self._snapshots) > _KEPT_SNAPSHOTS:
            del self._snapshots[next(iter(self._snapshots))]
        return found

    def snapshot_of(self, commit: ObjectId) -> Snapshot:
        return self.snapshot(self.tree_of(commit))

    def read_blobs(self, oids: Iterable[ObjectId]) -> Iterator[tuple[ObjectId, bytes]]:
        """Yields (oid, bytes) as `GitObjects.read_blobs` does."""
        return self.objects.read_blobs(oids)

    def head(self) -> ObjectId | None:
        """Returns the commit at HEAD, or None on an unborn branch. Raises AssayError when that commit is missing."""
        found = self.try_resolve("HEAD")
        if found is None and (named := self._verify("HEAD")) is not None:
            raise AssayError(f"HEAD names {named}, which cannot be read as a commit", hint="git fsck")
        return found

    def head_commit(self) -> ObjectId:
        """Returns the commit at HEAD. Raises UnbornBranch where there is none yet."""
        found = self.head()
        if found is None:
            raise UnbornBranch(self.branch())
        return found

    def branch(self) -> str | None:
        """Returns the short name of the current branch, born or not; None when HEAD is detached."""
        done = self.git.call(["symbolic-ref", "-q", "HEAD"], ok=(0, 1))
        if done.code:
            return None
        return done.out.decode("utf-8", "surrogateescape").removesuffix("\n").removeprefix("refs/heads/")

    @property
    def top(self) -> Path:
        """The top of the working directory. Raises AssayError in a bare repository."""
        if self.layout.work_tree is None:
            raise AssayError("this needs a working directory, and here is none", hint=NO_WORK_TREE_HINT)
        return self.layout.work_tree

    def _unknown(self, rev: str) -> AssayError:
        """Returns why a revision names nothing: no commit yet, a shallow clone, or a slip of the pen."""
        from shlex import quote

        name = _SUFFIX.sub("", rev) or "HEAD"
        if self.head() is None and name in ("HEAD", self.branch()):
            return UnbornBranch(self.branch())
        if name != rev and self.try_resolve(name) is not None:
            hint = "git fetch --unshallow" if self.layout.shallow else f"git log --oneline {quote(name)}"
            why = ": this clone is shallow" if self.layout.shallow else ""
            return AssayError(f"no commit named '{clean(rev)}'{why}", hint=hint)
        if _FULL_ID.fullmatch(rev):
            return AssayError(f"{rev} is no commit and no tree here", hint="git fetch --all")
        near = self._near(rev)
        meant = f" (did you mean '{clean(near)}'?)" if near else ""
        return AssayError(f"no commit named '{clean(rev)}'{meant}", hint="git branch --all")

    def _near(self, rev: str) -> str | None:
        """Returns the remote's branch of that name, else the branch or tag whose name is most like it."""
        from difflib import get_close_matches

        listed = self.git.run(["for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/remotes", "refs/tags"])
        names = listed.decode("utf-8", "surrogateescape").split()
        same = [name for name in names if name.endswith(f"/{rev}")]
        return next(iter(same or get_close_matches(rev, names, n=1)), None)

    def _verify(self, name: str) -> ObjectId | None:
        if "\0" in name or "\n" in name:
            return None
        done = self.git.call(["rev-parse", "--verify", "-q", "--end-of-options", name], ok=(0, 1, 128))
        return ObjectId(done.out.decode().strip()) if done.code == 0 else None
