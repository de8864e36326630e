"""What may the code under test see of the caller's environment, and how is that environment named in a record?

A check runs code that the signer has not necessarily read. It must not be able to sign, so it gets neither the agent
nor the names of keys, and nothing that looks like a secret. What stays out is decided by two documented lists: by
name (`_FORBIDDEN_NAME`) and by value (`_FORBIDDEN_VALUE`). HOME stays, since tools need it; what that leaves open is
said in docs/design/attest.md.
**Source:** design 30-evidence §5.
"""

from __future__ import annotations

import hashlib
import platform
import re
import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path

from git_assay.values.canonical import digest
from git_assay.values.ids import Digest

MARKER = "ASSAY_RUN"
"""Variable that names the run in every descendant, so that those that leave the process group are found again."""

# Everything of git (a hook's GIT_DIR and GIT_INDEX_FILE would point the check's own git calls at our repository),
# of ssh and gpg (agents), the session bus (key rings), and names that carry secrets in common practice.
_FORBIDDEN_NAME = re.compile(
    r"^(GIT_|SSH_|GPG_|GNUPG|ASSAY_|DBUS_SESSION_BUS_ADDRESS$)"
    r"|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|PRIVATE|APIKEY|COOKIE|SIGNING"
    r"|(^|_)(KEY|KEYS|PAT|AUTH|PASS|PIN)(_|$)",
    re.IGNORECASE,
)
# A private key given by value, or a URL that carries a user's password.
_FORBIDDEN_VALUE = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY|[a-z][a-z0-9+.-]*://[^/\s:@]*:[^/\s@]+@", re.IGNORECASE)

# Variables that change what a test does without changing any file; they enter the environment digest.
_TELLING = ("LANG", "LC_ALL", "TZ", "PYTHONPATH", "PYTHONHASHSEED", "PYTHONWARNINGS", "VIRTUAL_ENV", "CI")
_HASH_BLOCK = 1 << 20


def child_environment(environ: Mapping[str, str], *, root: Path, run: str, bytecode: Path) -> dict[str, str]:
    """Returns the environment of a check.

    root: where it runs (PWD).  run: value of MARKER.  bytecode: an empty directory for Python's compiled files: a
    `__pycache__` in the tree may hold code that no longer is, or never was, that of the source beside it.
    """
    kept = {name: value for name, value in environ.items() if not is_withheld(name, value)}
    kept.pop("OLDPWD", None)
    return kept | {"PWD": str(root), MARKER: run, "PYTHONPYCACHEPREFIX": str(bytecode)}


def is_withheld(name: str, value: str) -> bool:
    """Returns whether a variable is kept from checks."""
    return _FORBIDDEN_NAME.search(name) is not None or _FORBIDDEN_VALUE.search(value) is not None


def environment_digest(command: str, environ: Mapping[str, str]) -> Digest:
    """Returns a digest that is equal for equal environments and reveals none of it.

    Over: system, machine, Python version, the variables of `_TELLING`, and the bytes of the program that the
    command's first word names. Installed packages are not in it: what pins them is the lock file, an input of checks.
    """
    variables = [(name, environ.get(name)) for name in _TELLING]
    versions = (platform.system(), platform.machine(), platform.release(), platform.python_version())
    return digest("assay-environment/1", versions, variables, _program_digest(command, environ.get("PATH")))


def _program_digest(command: str, search: str | None) -> str | None:
    try:
        words = [word for word in shlex.split(command) if not re.match(r"\w+=", word)]
    except ValueError:
        return None
    found = shutil.which(words[0], path=search) if words else None
    if found is None:
        return None
    hashed = hashlib.sha256()
    try:
        with Path(found).open("rb") as file:
            while block := file.read(_HASH_BLOCK):
                hashed.update(block)
    except OSError:
        return None
    return hashed.hexdigest()
