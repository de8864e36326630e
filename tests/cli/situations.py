"""In which situations may a user find a repository, and what of it must never change?

`SITUATIONS` maps a name to a function that makes it in an empty folder and returns where the user stands. Everything
is real: `git init`, commits, clones. `fingerprint` is what a command that fails must leave as it was.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from pathlib import Path

from git_assay.signing.keys import new_key
from tests.repos import Repo

CARD = """\
format: assay-card/1
module: {name}
goal: Be {name}.
owners: [alice@example.com]
checks:
  - {{name: unit, kind: tests, run: "true", inputs: []}}
"""
POLICY = """\
format: assay-policy/1
version: 1
roles:
  team: {class: human, principals: [alice@example.com]}
rules:
  - {name: what changes is tested, match: all, when: affected, require: [{kind: tests, by: team}]}
policy_changes: {by: team}
"""
PLAIN: Mapping[str, str] = {"shop/__init__.py": "from shop import money\n", "shop/money.py": "value = 1\n"}
CACHE = "assay"  # below the git directory: the one place that reading may write to


def adopted(folder: Path, *, key: bool = True) -> Repo:
    """Makes a repository with one module on main, and a branch `work` that changes it and is checked out."""
    repo = Repo(folder / "repo").init()
    public = new_key(folder / "key", comment="alice@example.com").public_key.text
    declare(repo, public)
    repo.commit("adopt")
    if key:
        repo.git("config", "assay.signingKey", str(folder / "key"))
    repo.branch("work")
    repo.write("shop/money.py", "value = 2\n")
    repo.commit("work")
    return repo


def declare(repo: Repo, public: str) -> None:
    """Writes a module, its card and everything that governs, and commits nothing."""
    for path, text in PLAIN.items():
        repo.write(path, text)
    repo.write("shop/assay.yml", CARD.format(name="shop"))
    repo.write(".assay/config.yml", f"format: assay-config/1\nrepository: {'0123456789abcdef' * 2}\nextractor: 1\n")
    repo.write(".assay/policy.yml", POLICY)
    repo.write(".assay/allowed_signers", f'alice@example.com namespaces="git-assay" {public}\n')


def _outside(folder: Path) -> Path:
    (folder / "plain").mkdir()
    return folder / "plain"


def _bare(folder: Path) -> Path:
    adopted(folder).git("clone", "-q", "--bare", ".", str(folder / "bare.git"))
    return folder / "bare.git"


def _unborn(folder: Path) -> Path:
    repo = Repo(folder / "repo").init()
    declare(repo, new_key(folder / "key", comment="alice@example.com").public_key.text)
    repo.git("add", "-A")
    repo.git("config", "assay.signingKey", str(folder / "key"))
    return repo.path


def _not_adopted(folder: Path) -> Path:
    repo = Repo(folder / "repo").init()
    for path, text in PLAIN.items():
        repo.write(path, text)
    repo.commit("plain")
    return repo.path


def _card_error(folder: Path) -> Path:
    repo = adopted(folder)
    repo.write("shop/assay.yml", CARD.format(name="shop").replace("owners:", "ownres:"))
    repo.commit("a slip of the pen")
    return repo.path


def _no_key(folder: Path) -> Path:
    return adopted(folder, key=False).path


def _lost_key(folder: Path) -> Path:
    repo = adopted(folder)
    (folder / "key").unlink()
    return repo.path


def _dirty(folder: Path) -> Path:
    repo = adopted(folder)
    repo.write("shop/money.py", "value = 3\n")
    repo.write("shop/new.py", "value = 4\n")
    return repo.path


def _detached(folder: Path) -> Path:
    repo = adopted(folder)
    repo.git("checkout", "-q", "--detach")
    return repo.path


def _shallow(folder: Path) -> Path:
    """Both tips are here, and nothing that they share."""
    repo = Repo(_meanwhile(folder, "shop/__init__.py", "from shop import money as coins\n"))
    clone = Repo(folder / "shallow")
    repo.git("clone", "-q", "--depth=1", "--no-single-branch", repo.path.as_uri(), str(clone.path))
    clone.git("branch", "-q", "main", "origin/main")
    clone.git("remote", "set-head", "origin", "main")
    clone.git("config", "assay.signingKey", str(folder / "key"))
    clone.git("config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*")
    clone.git("config", "--add", "remote.origin.fetch", "+refs/notes/assay-evidence/*:refs/assay/remotes/origin/*")
    return clone.path


def _unrelated(folder: Path) -> Path:
    repo = adopted(folder)
    repo.git("checkout", "-q", "--orphan", "other")
    repo.commit("from nothing")
    return repo.path


def _meanwhile(folder: Path, path: str, text: str) -> Path:
    repo = adopted(folder)
    repo.checkout("main")
    repo.write(path, text)
    repo.commit("meanwhile")
    repo.checkout("work")
    return repo.path


def _conflict(folder: Path) -> Path:
    return _meanwhile(folder, "shop/money.py", "value = 9\n")


def _unmerged(folder: Path) -> Path:
    repo = Repo(_conflict(folder))
    try:
        repo.git("merge", "-q", "main")
    except AssertionError:  # that is the situation
        return repo.path
    raise AssertionError("the merge did not conflict")


def _target_error(folder: Path) -> Path:
    """The target has a card that is wrong, and the change mends it."""
    repo = adopted(folder)
    repo.checkout("main")
    repo.write("shop/assay.yml", CARD.format(name="shop").replace("owners:", "ownres:"))
    repo.commit("a slip of the pen")
    repo.branch("mend")
    repo.write("shop/assay.yml", CARD.format(name="shop"))
    repo.commit("mend it")
    return repo.path


def _uncommitted(folder: Path) -> Path:
    """Adopted in the working directory, and not committed yet."""
    repo = Repo(_not_adopted(folder))
    declare(repo, new_key(folder / "key", comment="alice@example.com").public_key.text)
    repo.git("config", "assay.signingKey", str(folder / "key"))
    return repo.path


def _removing(folder: Path) -> Path:
    repo = adopted(folder)
    repo.git("rm", "-q", "-r", ".assay")
    repo.commit("away with it")
    return repo.path


def _joining(folder: Path) -> Path:
    """The branch that adopts; its target has not."""
    repo = Repo(_not_adopted(folder))
    repo.branch("adopt")
    declare(repo, new_key(folder / "key", comment="alice@example.com").public_key.text)
    repo.commit("adopt")
    repo.git("config", "assay.signingKey", str(folder / "key"))
    return repo.path


def _no_target(folder: Path) -> Path:
    repo = adopted(folder)
    repo.git("branch", "-m", "main", "trunk")
    return repo.path


SITUATIONS: Mapping[str, Callable[[Path], Path]] = {
    "not a repository": _outside,
    "bare": _bare,
    "unborn branch": _unborn,
    "not adopted": _not_adopted,
    "card error": _card_error,
    "no key": _no_key,
    "lost key": _lost_key,
    "dirty tree": _dirty,
    "detached head": _detached,
    "shallow": _shallow,
    "unrelated histories": _unrelated,
    "conflicting merge": _conflict,
    "unmerged index": _unmerged,
    "adopting branch": _joining,
    "adoption not committed": _uncommitted,
    "change removes it": _removing,
    "card error in target": _target_error,
    "no target": _no_target,
    "ordinary": lambda folder: adopted(folder).path,
}


def fingerprint(folder: Path) -> Mapping[str, str]:
    """Returns mode and digest of every file below `folder`, git's own included; caches of git assay left out."""
    found = {}
    for place, folders, files in os.walk(folder):
        if Path(place).name == ".git" or Path(place).suffix == ".git":
            folders[:] = [name for name in folders if name != CACHE]
        for name in [*files, *folders]:
            path = Path(place) / name
            data = b"" if path.is_dir() else path.read_bytes()
            found[str(path.relative_to(folder))] = f"{path.lstat().st_mode:o} {hashlib.sha256(data).hexdigest()[:16]}"
    return found
