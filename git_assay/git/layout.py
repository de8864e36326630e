"""Where is the repository, and of which kind? One `git rev-parse` call answers.

The top of the working directory is asked last, because that question fails in a bare repository; then, and where a
name holds a line end, the questions are put one by one.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from git_assay.errors import AssayError
from git_assay.git.process import Git, GitFailed
from git_assay.values.ids import TreePath
from git_assay.values.text import clean

_QUESTIONS: tuple[tuple[str, ...], ...] = (
    ("--git-dir",),
    ("--git-common-dir",),
    ("--git-path", "index"),
    ("--git-path", "objects"),
    ("--is-inside-work-tree",),
    ("--is-bare-repository",),
    ("--is-shallow-repository",),
    ("--show-object-format",),
    ("--show-prefix",),
)
_WORDS = tuple(word for question in _QUESTIONS for word in question)
_REV_PARSE = ("rev-parse", "--path-format=absolute")
_TOP = ("--show-toplevel",)


@dataclass(frozen=True, slots=True)
class Layout:
    """All paths are absolute.

    git_dir: of this worktree.  common_dir: shared by all worktrees.  work_tree: None when there is none here.
    index: GIT_INDEX_FILE when a hook set it.  objects: the quarantine when a receive hook set it.
    object_format: `sha1` or `sha256`.  prefix: of the current directory inside the work tree, with a final slash.
    """

    git_dir: Path
    common_dir: Path
    work_tree: Path | None
    index: Path
    objects: Path
    bare: bool
    shallow: bool
    object_format: str
    prefix: TreePath


def read_layout(git: Git) -> Layout:
    """Returns the layout. Raises AssayError when there is no repository here, or git refuses to open it."""
    answers, top = _ask(git)
    git_dir, common_dir, index, objects = (Path(os.fsdecode(answer)) for answer in answers[:4])
    bare, shallow = (answer == b"true" for answer in answers[5:7])
    return Layout(
        git_dir=git_dir,
        common_dir=common_dir,
        work_tree=None if top is None else Path(os.fsdecode(top)),
        index=index,
        objects=objects,
        bare=bare,
        shallow=shallow,
        object_format=answers[7].decode(),
        prefix=TreePath(answers[8]),
    )


def absolute_environment(git: Git, layout: Layout) -> Mapping[str, str]:
    """Returns the location variables that are set, made absolute: commands run in other directories than hooks do."""
    places = {
        "GIT_DIR": layout.git_dir,
        "GIT_COMMON_DIR": layout.common_dir,
        "GIT_INDEX_FILE": layout.index,
        "GIT_OBJECT_DIRECTORY": layout.objects,
    }
    found = {name: str(place) for name, place in places.items() if name in git.env}
    if layout.work_tree is not None and ("GIT_WORK_TREE" in git.env or "GIT_DIR" in git.env):
        # With GIT_DIR and no GIT_WORK_TREE git takes its current directory as the top, which changes with ours.
        found["GIT_WORK_TREE"] = str(layout.work_tree)
    return found


def _ask(git: Git) -> tuple[list[bytes], bytes | None]:
    """Returns the answers and the top of the working directory, None where there is none."""
    done = git.call([*_REV_PARSE, *_WORDS, *_TOP], ok=(0, 128))
    lines = done.out.split(b"\n")[:-1]
    if done.code == 0 and len(lines) == len(_QUESTIONS) + 1:
        return lines[:-1], lines[-1]
    answers = _ask_without_top(git)
    # Outside the working directory there may still be one (GIT_WORK_TREE, core.worktree); if not, git says 128.
    is_inside = answers[_QUESTIONS.index(("--is-inside-work-tree",))] == b"true"
    top = git.call([*_REV_PARSE, *_TOP], ok=(0,) if is_inside else (0, 128))
    return answers, top.out.removesuffix(b"\n") if top.code == 0 else None


def _ask_without_top(git: Git) -> list[bytes]:
    try:
        lines = git.run([*_REV_PARSE, *_WORDS]).split(b"\n")[:-1]
    except GitFailed as error:
        raise _explained(git, error) from error
    if len(lines) == len(_QUESTIONS):
        return lines
    # A directory name holds a line end: ask one by one, since rev-parse has no -z.
    return [git.run([*_REV_PARSE, *question]).removesuffix(b"\n") for question in _QUESTIONS]


def _explained(git: Git, error: GitFailed) -> AssayError:
    """Returns why git refused: with ownership checks off it opens only what was refused for its owner."""
    count = int(git.env.get("GIT_CONFIG_COUNT", "0") or "0")
    unsafe_probe = {
        "GIT_CONFIG_COUNT": str(count + 1),
        f"GIT_CONFIG_KEY_{count}": "safe.directory",
        f"GIT_CONFIG_VALUE_{count}": "*",
    }
    # This one answer is used for the message only; nothing is read from the repository.
    probe = git.call(["rev-parse", "--absolute-git-dir"], ok=(0, 128), env=unsafe_probe)
    if probe.code == 0:
        found = Path(os.fsdecode(probe.out).removesuffix("\n"))
        place = clean(str(found.parent if found.name == ".git" else found))
        return AssayError(
            f"the repository at {place} belongs to another user (dubious ownership)",
            hint=f"git config --global --add safe.directory '{place}'",
        )
    where = clean(str(git.cwd))
    if "GIT_DIR" not in git.env and not any((folder / ".git").exists() for folder in (git.cwd, *git.cwd.parents)):
        return AssayError(f"not in a git repository: {where}", hint="git init")
    said = error.stderr.splitlines()[-1].removeprefix("fatal: ") if error.stderr else f"exit {error.code}"
    return AssayError(f"git cannot open the repository at {where}: {said}", hint="git rev-parse --git-dir")
