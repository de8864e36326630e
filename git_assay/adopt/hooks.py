"""How do git's hooks come to call git assay, beside whatever hooks a repository already has?

1. git >= 2.54 has config hooks (`hook.<name>.command`): they run beside hook files, whoever owns those.
2. Otherwise a block between marker comments goes into the hook file that git would run; what else stands in the file
   stays, and what git writes on stdin is given to both.
3. Where another program owns the hooks (core.hooksPath, pre-commit, lefthook), or the hook is no shell script,
   nothing is written and the answer says how to join.

**Source:** design 40-gate §5; githooks(5); git 2.54 release notes.
"""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from git_assay.git import config
from git_assay.git.repository import Repository

EVENTS = ("pre-commit", "pre-push", "post-merge", "post-rewrite")

CONFIG_HOOKS_SINCE = (2, 54)
_BEGIN = "# >>> git assay (to remove: git assay hooks remove) >>>\n"
_END = "# <<< git assay <<<\n"
_BLOCK = re.compile(re.escape(_BEGIN) + ".*?" + re.escape(_END), re.DOTALL)
_SHELL = re.compile(rb"#!\s*(/usr/bin/env\s+|\S*/)(sh|bash|dash|ksh|zsh)\b")
# What stands in hook files that these programs write, and would overwrite.
_MANAGERS = {"pre-commit": b"pre-commit.com", "lefthook": b"lefthook", "husky": b"husky"}

_PRE_COMMIT = 'git assay hook pre-commit "$@" || exit $?\n'
# Read once, given to git assay, then replayed to the rest of the file; ref names contain no newline.
_PRE_PUSH = """\
assay_given=$(cat)
printf '%s\\n' "$assay_given" | git assay hook pre-push "$@" || exit $?
if [ -n "$assay_given" ]; then
exec <<ASSAY
$assay_given
ASSAY
else
exec </dev/null
fi
"""
# After the fact nothing can be stopped, and what git says on stdin is left to the rest of the file.
_POST = 'git assay hook {event} "$@" </dev/null || :\n'
_BODY = {
    "pre-commit": _PRE_COMMIT,
    "pre-push": _PRE_PUSH,
    "post-merge": _POST.format(event="post-merge"),
    "post-rewrite": _POST.format(event="post-rewrite"),
}


class How(Enum):
    """By what a hook calls git assay. The values are shown."""

    CONFIG = "config"
    FILE = "file"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class HookState:
    """One event. place: the file or config key, as text.  fires: whether git would run it.

    advice: lines that say how to join by hand; empty when there is nothing to say.
    """

    event: str
    how: How
    place: str
    fires: bool
    advice: tuple[str, ...] = ()


def git_version(repository: Repository) -> tuple[int, int]:
    """Returns (major, minor) of the git in use; (0, 0) when git words it otherwise."""
    found = re.search(rb"(\d+)\.(\d+)", repository.git.run(["version"]))
    return (int(found[1]), int(found[2])) if found else (0, 0)


def install(repository: Repository, *, version: tuple[int, int]) -> tuple[HookState, ...]:
    """Makes every event call git assay, as far as that is ours to do; doing it twice changes nothing.

    version: of git.  Raises AssayError when git's configuration cannot be written; OSError becomes advice.
    """
    return tuple(_install(repository, event, version=version) for event in EVENTS)


def remove(repository: Repository) -> tuple[HookState, ...]:
    """Takes away what `install` wrote, by either way, and nothing else."""
    for event in EVENTS:
        _remove_config(repository, event)
        _remove_block(_hook_file(repository, event))
    return status(repository, version=git_version(repository))


def status(repository: Repository, *, version: tuple[int, int]) -> tuple[HookState, ...]:
    """Returns how each event calls git assay at present."""
    return tuple(_status(repository, event, version=version) for event in EVENTS)


def _status(repository: Repository, event: str, *, version: tuple[int, int]) -> HookState:
    key = f"{_section(event)}.command"
    if config.get(repository, key) is not None:
        known = version >= CONFIG_HOOKS_SINCE
        advice = () if known else ("this git is older than 2.54 and ignores config hooks: git assay hooks install",)
        return HookState(event, How.CONFIG, key, known, advice)
    file = _hook_file(repository, event)
    if b"git assay hook " + event.encode() in _read(file):
        fires = os.access(file, os.X_OK)
        return HookState(event, How.FILE, str(file), fires, () if fires else (f"not executable: chmod +x {file}",))
    return HookState(event, How.NONE, str(file), False)


def _install(repository: Repository, event: str, *, version: tuple[int, int]) -> HookState:
    now = _status(repository, event, version=version)
    if now.fires:
        return now
    if version >= CONFIG_HOOKS_SINCE:
        config.set_local(repository, f"{_section(event)}.event", event)
        config.set_local(repository, f"{_section(event)}.command", f"git assay hook {event}")
        return _status(repository, event, version=version)
    file = _hook_file(repository, event)
    advice = _owned_by_others(repository, file, event)
    if advice:
        return HookState(event, How.NONE, str(file), False, advice)
    try:
        _write_block(file, event)
    except OSError as error:
        return HookState(event, How.NONE, str(file), False, (f"cannot write {file}: {error.strerror}",))
    _remove_config(repository, event)  # else a newer git would run both
    return _status(repository, event, version=version)


def _owned_by_others(repository: Repository, file: Path, event: str) -> tuple[str, ...]:
    line = f'add the line: git assay hook {event} "$@" || exit $?'
    path = config.get(repository, "core.hooksPath")
    if path is not None:
        return (f"core.hooksPath is {path}, so the hooks there are kept by hand or by a program such as husky", line)
    existing = _read(file)
    for manager, sign in _MANAGERS.items():
        if sign in existing and manager == "pre-commit":
            return ("pre-commit owns this hook", f"add the hook git-assay-{event} to .pre-commit-config.yaml")
        if sign in existing:
            return (f"{manager} owns this hook", f"add to its configuration for {event}: git assay hook {event} {{0}}")
    if existing and not _SHELL.match(existing):
        return (f"{file} is not a shell script", f"let it run: git assay hook {event}, with its arguments and stdin")
    return ()


def _remove_config(repository: Repository, event: str) -> None:
    if config.get(repository, f"{_section(event)}.command") is not None:
        repository.git.run(["config", "--local", "--remove-section", _section(event)])


def _write_block(file: Path, event: str) -> None:
    existing = _read(file).decode("utf-8", "surrogateescape") or "#!/bin/sh\n"
    first, _, rest = existing.partition("\n")
    text = f"{first}\n{_BEGIN}{_BODY[event]}{_END}{_BLOCK.sub('', rest)}"
    file.parent.mkdir(parents=True, exist_ok=True)
    _replace(file, text)


def _remove_block(file: Path) -> None:
    existing = _read(file).decode("utf-8", "surrogateescape")
    if _BEGIN not in existing:
        return
    left = _BLOCK.sub("", existing)
    if left.strip() in ("", "#!/bin/sh"):
        file.unlink()
    else:
        _replace(file, left)


def _replace(file: Path, text: str) -> None:
    # Written beside and renamed over, so that no reader ever sees half a hook.
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}-")
    with os.fdopen(handle, "w", encoding="utf-8", errors="surrogateescape", newline="") as out:
        out.write(text)
    Path(name).chmod(0o755)
    Path(name).replace(file)


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""


def _hook_file(repository: Repository, event: str) -> Path:
    # git knows about linked worktrees and core.hooksPath; the answer is absolute.
    hooks = repository.git.run(["rev-parse", "--path-format=absolute", "--git-path", "hooks"])
    return Path(os.fsdecode(hooks.rstrip(b"\n"))) / event


def _section(event: str) -> str:
    # The name of a config hook must not be an event's name (git 2.55).
    return f"hook.assay-{event}"
