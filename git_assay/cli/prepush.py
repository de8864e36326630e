"""What does the pre-push hook do?

1. Read which refs are pushed: from git on stdin, or from the variables of the pre-commit framework (one ref).
2. A push of evidence only: nothing to judge, nothing to send along.
3. Gate each pushed commit against the branch it is for, unless `assay.prePush` is `off`.
4. Send this clone's evidence in a second, silent push; when that fails, say which command to type.

In `advise` (the default) the gate only speaks; in `enforce` a closed or undecided gate stops the push.
**Source:** design 40-gate §5, 45-teams "One push"; githooks(5).
"""

from __future__ import annotations

from dataclasses import dataclass

import click

from git_assay.cli.session import Session
from git_assay.errors import AssayError, ErrorKind
from git_assay.git.prepush import PushedCommit, PushedRef, parse, pushed_commits
from git_assay.git.pushing import push_quietly
from git_assay.git.refs import read_refs
from git_assay.git.repository import Repository
from git_assay.git.targets import TargetBranch, target_of
from git_assay.values.ids import ObjectId, RefName
from git_assay.values.text import clean

MODE_KEY = "assay.prePush"
MODES = ("advise", "enforce", "off")
EVIDENCE = "refs/notes/assay-evidence/"
_SEND = f"'{EVIDENCE}*'"


@dataclass(frozen=True, slots=True)
class Push:
    """remote: name, or the URL when the user pushed to one.  refs: what is pushed."""

    remote: str
    refs: tuple[PushedRef, ...]


def pre_push(session: Session, push: Push) -> int:
    """Returns the exit code of the hook: 0 lets the push go."""
    if push.refs and all(ref.is_evidence for ref in push.refs):
        return 0
    repository = session.repository()
    mode = read_mode(repository)
    code = 0 if mode == "off" else _gate_all(session, push)
    if mode == "enforce" and code:
        click.echo("git assay: the push is stopped (git push --no-verify pushes all the same)", err=True)
        return code
    send_evidence(repository, push.remote)
    return 0


def read_mode(repository: Repository) -> str:
    """Returns the mode. Raises AssayError for an unknown one: a misspelt `enforce` must not pass as advice."""
    from git_assay.git import config

    mode = config.get(repository, MODE_KEY) or MODES[0]
    if mode not in MODES:
        hint = f"git config {MODE_KEY} enforce"
        raise AssayError(f"{MODE_KEY} is '{clean(mode)}', not one of {', '.join(MODES)}", hint=hint)
    return mode


def read_push(session: Session, given: bytes, *, remote: str | None) -> Push:
    """Returns the push that git (or the pre-commit framework) tells of. given: stdin.

    Raises AssayError (usage) when neither names a remote.
    """
    name = remote or session.env.get("PRE_COMMIT_REMOTE_NAME")
    if not name:
        raise AssayError(
            "no remote: git gives its name to the hook", hint="git assay hooks install", kind=ErrorKind.USAGE
        )
    new, place = session.env.get("PRE_COMMIT_TO_REF"), session.env.get("PRE_COMMIT_REMOTE_BRANCH")
    if given.strip() or not new or not place:
        return Push(name, parse(given))
    # The framework passes no stdin, and only the first of several refs. https://github.com/pre-commit/pre-commit/issues/2577
    click.echo("git assay: pre-commit shows the first pushed ref only; others are not judged here", err=True)
    old = session.env.get("PRE_COMMIT_FROM_REF", "")
    ref = PushedRef(new, ObjectId(new), RefName(place), ObjectId(old) if old.strip("0") else None)
    return Push(name, (ref,))


def send_evidence(repository: Repository, remote: str) -> bool:
    """Sends every evidence log that the remote is not known to have; returns whether all arrived. Never raises."""
    tracked = read_refs(repository, f"refs/assay/remotes/{remote}/")
    known = {name.rpartition("/")[2]: tip for name, tip in tracked.items()}
    logs = read_refs(repository, EVIDENCE)
    waiting = sorted(name for name, tip in logs.items() if known.get(name.removeprefix(EVIDENCE)) != tip)
    if not waiting:
        return True
    sent = push_quietly(repository, remote, [f"{name}:{name}" for name in waiting])
    if not sent.ok:
        last = sent.said.splitlines()[-1:] or ["git gave no reason"]
        click.echo(f"git assay: evidence was not sent along: {last[0]}", err=True)
        click.echo(f"hint: git push {clean(remote)} {_SEND}", err=True)
    return sent.ok


def _gate_all(session: Session, push: Push) -> int:
    worst = 0
    for pushed in pushed_commits(session.repository(), push.refs, push.remote):
        worst = max(worst, _gate_one(session, pushed, push.remote))
    return worst


def _gate_one(session: Session, pushed: PushedCommit, remote: str) -> int:
    names = clean(", ".join(ref.removeprefix("refs/heads/") for ref in pushed.refs))
    try:
        base = _base(session.repository(), pushed, remote)
        if base is None:
            click.echo(f"git assay: {names}: nothing new for its target", err=True)
            return 0
        return _judge(session, base, pushed.commit, names)
    except AssayError as error:
        click.echo(f"git assay: {names}: cannot decide: {clean(error.message, keep_newlines=True)}", err=True)
        if error.hint:
            click.echo(f"hint: {clean(error.hint)}", err=True)
        return error.kind.value


def _judge(session: Session, base: ObjectId, head: ObjectId, names: str) -> int:
    from git_assay.cli.judging import judge_range
    from git_assay.report.gate import gate_text

    decision = judge_range(session, f"{base}..{head}", now=session.now(), require_adopted=False)
    click.echo(f"git assay: {names}: {gate_text(decision)}", err=True)
    return decision.exit_code


def _base(repository: Repository, pushed: PushedCommit, remote: str) -> ObjectId | None:
    """Returns the tip to judge against: what the remote's target branch has. None when the push brings it nothing."""
    from git_assay.git.history import is_ancestor

    target = target_of(repository)
    onto_target = any(_is_target(ref, target, remote) for ref in pushed.refs)
    tip = pushed.bases[0] if onto_target and pushed.bases else target.tip
    if onto_target and not pushed.bases:
        return None  # the first push of this branch: there is no target yet
    return None if is_ancestor(repository, pushed.commit, tip) else tip


def _is_target(ref: RefName, target: TargetBranch, remote: str) -> bool:
    branch = ref.removeprefix("refs/heads/")
    return target.ref in (f"refs/remotes/{remote}/{branch}", ref)
