"""How are refs sent to a remote without ever asking anybody anything?

For pushes that the user did not type: no prompt, no credential window, no hook (the pre-push hook calls this, and must
not call itself). A failure is an answer, not an error: whoever asked says so and goes on.
**Source:** git(1) GIT_TERMINAL_PROMPT, GIT_ASKPASS; ssh_config(5) BatchMode.
"""

from __future__ import annotations

import posixpath
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from git_assay.git import config
from git_assay.git.process import GitFailed
from git_assay.git.repository import Repository

_QUIET_SSH = "-oBatchMode=yes"


@dataclass(frozen=True, slots=True)
class Sent:
    """ok: everything arrived.  said: git's words when not, cleaned."""

    ok: bool
    said: str


def push_quietly(repo: Repository, remote: str, refspecs: Sequence[str]) -> Sent:
    """Pushes without force, without hooks and without asking. remote: a name or a URL."""
    words = ["push", "--quiet", "--no-verify", "--no-follow-tags", "--recurse-submodules=no", "--", remote, *refspecs]
    try:
        repo.git.run(words, env=_silence(repo))
    except GitFailed as error:
        return Sent(False, error.stderr)
    return Sent(True, "")


def _silence(repo: Repository) -> Mapping[str, str]:
    # An empty GIT_ASKPASS also hides core.askPass and SSH_ASKPASS.
    quiet = {"GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "", "GCM_INTERACTIVE": "never"}
    written = repo.git.env.get("GIT_SSH_COMMAND") or config.get(repo, "core.sshCommand")
    if written is None and "GIT_SSH" not in repo.git.env:
        written = "ssh"
    if written and _is_openssh(written):
        quiet["GIT_SSH_COMMAND"] = f"{written} {_QUIET_SSH}"
    return quiet


def _is_openssh(command: str) -> bool:
    # Another program might not know the option, and would then fail for that reason.
    try:
        program = shlex.split(command)[0]
    except (ValueError, IndexError):
        return False
    return posixpath.basename(program) == "ssh"
