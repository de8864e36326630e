"""Which branch would the current work be merged into, and how is that known?

1. `assay.target`, when it is set.
2. The upstream of the current branch, when it has another name (`feature` tracking `origin/main`), or is the branch
   that the remote's HEAD names.
3. The branch that the remote's HEAD names, then the remote's init.defaultBranch, main or master.
4. The local init.defaultBranch, main or master.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from git_assay.errors import AssayError
from git_assay.git import config
from git_assay.git.repository import Repository, UnbornBranch
from git_assay.values.ids import ObjectId, RefName
from git_assay.values.text import clean

_SETTINGS = r"^(assay\.target|branch\..*\.remote|init\.defaultbranch)$"
_LISTED = 5  # branches that an error lists


@dataclass(frozen=True, slots=True)
class TargetBranch:
    """ref: full name.  tip: its commit now.  how: one phrase for people, for example `remote HEAD`."""

    ref: RefName
    tip: ObjectId
    how: str


@dataclass(frozen=True, slots=True)
class _Branches:
    """tips: of every branch, local and remote-tracking.  remote_heads: remote -> ref that its HEAD names."""

    tips: Mapping[RefName, ObjectId]
    remote_heads: Mapping[str, RefName]
    upstreams: Mapping[RefName, RefName]


def target_of(repo: Repository) -> TargetBranch:
    """Returns the target branch. Raises AssayError, naming the setting, when none of the four ways finds one."""
    settings = config.get_matching(repo, _SETTINGS)
    configured = settings.get("assay.target")
    if configured:
        return _configured(repo, configured)
    branches = _read(repo)
    for ref, how in _candidates(repo, branches, settings):
        tip = branches.tips.get(ref)
        if tip is not None:
            return TargetBranch(ref, tip, how)
    if not branches.tips:
        raise UnbornBranch(repo.branch())
    raise AssayError(f"cannot tell which branch this work is for, of {_listed(branches)}", hint=_hint(repo, branches))


def _configured(repo: Repository, name: str) -> TargetBranch:
    full = repo.git.call(
        ["rev-parse", "--verify", "-q", "--symbolic-full-name", "--end-of-options", name], ok=(0, 1, 128)
    )
    words = full.out.decode("utf-8", "surrogateescape").split("\n")
    tip = repo.try_resolve(name)
    ref = next((word for word in words if word.startswith("refs/")), None)
    if tip is None or ref is None:
        raise AssayError(f"assay.target is '{clean(name)}', which is no branch here", hint=_hint(repo, _read(repo)))
    return TargetBranch(RefName(ref), tip, "assay.target")


def _listed(branches: _Branches) -> str:
    names = [_plain(ref) for ref in sorted(branches.tips)]
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return clean(", ".join(names[:_LISTED])) + more


def _hint(repo: Repository, branches: _Branches) -> str:
    """Returns the command that names a branch: one that another is likely to be merged into, which nobody can know."""
    from shlex import quote

    own = f"refs/heads/{repo.branch()}"
    usual = [ref for ref in branches.tips if ref.rpartition("/")[2] in ("main", "master", "trunk", "develop")]
    others = [ref for ref in sorted(branches.tips) if ref != own]
    chosen = next(iter([*usual, *others, *branches.tips]), None)
    return "git branch --all" if chosen is None else f"git config assay.target {quote(_plain(chosen))}"


def _plain(ref: RefName) -> str:
    return ref.removeprefix("refs/heads/").removeprefix("refs/remotes/")


def _read(repo: Repository) -> _Branches:
    out = repo.git.run(
        [
            "for-each-ref",
            "--format=%(refname)%00%(objectname)%00%(symref)%00%(upstream)",
            *("refs/heads/", "refs/remotes/"),
        ]
    )
    tips: dict[RefName, ObjectId] = {}
    heads: dict[str, RefName] = {}
    upstreams: dict[RefName, RefName] = {}
    for line in out.decode("utf-8", "surrogateescape").split("\n")[:-1]:
        name, oid, symref, upstream = line.split("\0")
        if name.startswith("refs/remotes/") and name.endswith("/HEAD") and symref:
            heads[name.removeprefix("refs/remotes/").removesuffix("/HEAD")] = RefName(symref)
            continue
        tips[RefName(name)] = ObjectId(oid)
        if upstream:
            upstreams[RefName(name)] = RefName(upstream)
    return _Branches(tips, heads, upstreams)


def _candidates(repo: Repository, branches: _Branches, settings: Mapping[str, str]) -> Iterator[tuple[RefName, str]]:
    branch = repo.branch()
    remote = (settings.get(f"branch.{branch}.remote") if branch else None) or "origin"
    remote_head = branches.remote_heads.get(remote)
    upstream = branches.upstreams.get(RefName(f"refs/heads/{branch}"))
    if upstream and (upstream == remote_head or _short(upstream, remote) != branch):
        yield upstream, f"upstream of {branch}"
    if remote_head:
        yield remote_head, f"HEAD of {remote}"
    default = settings.get("init.defaultbranch")
    names = [name for name in dict.fromkeys((default, "main", "master")) if name]
    for name in names:
        yield RefName(f"refs/remotes/{remote}/{name}"), f"{name} of {remote}"
    for name in names:
        yield RefName(f"refs/heads/{name}"), f"local branch {name}"


def _short(ref: RefName, remote: str) -> str:
    return ref.removeprefix(f"refs/remotes/{remote}/").removeprefix("refs/heads/")
