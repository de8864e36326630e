"""Which tree is an error about? The layers below know a tree by its id; the user wrote a name, or nothing.

"It has no .assay/" and "a card is wrong" are true of one tree: the hint must be the command that helps with that one.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager

from git_assay.cli.session import Session
from git_assay.errors import AssayError, DocumentProblems
from git_assay.values.text import clean

INDEX = ":index"
"""Asks for the index instead of a revision; no revision may be written like this."""

WORKTREE = ":worktree"
"""Asks for the working directory as it would be committed."""

_COMMIT_IT = "git add -A && git commit -m 'Adopt git assay'"


@contextmanager
def named(session: Session, name: str) -> Iterator[None]:
    """Names the tree of a revision, of INDEX or of WORKTREE in errors that say what a tree lacks or has wrong."""
    try:
        yield
    except DocumentProblems as error:
        if error.tree:
            raise
        raise DocumentProblems(error.problems, tree=_words(session, name), hint=_checking(session, name)) from error
    except AssayError as error:
        from git_assay.modules.load import NotAdopted  # with it comes YAML, which a tree that is known does not need

        if not isinstance(error, NotAdopted) or error.named:
            raise
        raise NotAdopted(_words(session, name), hint=_adopting(session, name)) from error


def _words(session: Session, name: str) -> str:
    return {WORKTREE: "the working directory", INDEX: "the index"}.get(name) or clean(_short(session, name))


def _checking(session: Session, name: str) -> str:
    if name == WORKTREE:
        return "git assay check"
    return "git assay check --staged" if name == INDEX else f"git assay check {shlex.quote(_short(session, name))}"


def _short(session: Session, name: str) -> str:
    """Returns a revision as people know it: for a full id HEAD or the branch at it, else its first digits."""
    repository = session.repository()
    if len(name) not in (40, 64) or name.strip("0123456789abcdef"):
        return name
    if name == repository.head():
        return "HEAD"
    asked = ["for-each-ref", "--count=1", "--format=%(refname:short)", f"--points-at={name}"]
    return repository.git.line([*asked, "refs/heads", "refs/remotes"], ok=(0, 128, 129)) or name[:12]


def _adopting(session: Session, name: str) -> str:
    """Returns what helps: adopt, commit what was adopted, or, for another revision, what can be asked of HEAD."""
    from git_assay.git.repository import NO_WORK_TREE_HINT

    repository = session.repository()
    if repository.layout.work_tree is None:
        return NO_WORK_TREE_HINT
    if not (repository.layout.work_tree / ".assay").is_dir():
        return "git assay init"
    try:
        here = name in (INDEX, "HEAD") or repository.resolve(name) == repository.head()
    except AssayError:  # a tree, not a commit
        here = False
    return _COMMIT_IT if here else "git assay gate"
