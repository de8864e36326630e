"""How are things named? One type per kind of name, so that a path is never taken for a ref."""

from __future__ import annotations

import re
from typing import NewType

ObjectId = NewType("ObjectId", str)
"""Hex name of a git object; 40 digits in SHA-1 repositories, 64 in SHA-256 ones."""

TreePath = NewType("TreePath", bytes)
"""Path inside a tree: bytes, `/` between parts, no leading slash. Never decoded for comparison."""

RefName = NewType("RefName", str)
"""Full ref name, `refs/...` or `HEAD`."""

ModuleId = NewType("ModuleId", str)
"""Stable id of a module, or one of the reserved subjects below."""

Digest = NewType("Digest", str)
"""SHA-256 as 64 lowercase hex digits."""

RecordId = NewType("RecordId", str)
"""sha256(PAE) of a record, 64 hex digits: its identity, whatever its signature bytes are."""

LogId = NewType("LogId", str)
"""Name of an evidence log: first 16 hex digits of the SHA-256 of the public key blob, plus an optional `-suffix`."""

Principal = NewType("Principal", str)
"""A person or machine as `allowed_signers` names it, for example `alice@example.com`."""

RepositoryId = NewType("RepositoryId", str)
"""Random id from `.assay/config.yml`, inside every signed statement."""

ASSAY_SUBJECT = ModuleId(".assay")
"""Reserved subject: everything under `.assay/` and every `.gitattributes`."""

UNOWNED_SUBJECT = ModuleId(".unowned")
"""Reserved subject: changed paths that no module, asset or `paths:` rule accounts for."""

_MODULE_ID = re.compile(r"[a-z][a-z0-9]*([.-][a-z0-9]+)*")
_MODULE_ID_LIMIT = 64  # design 10-modules §2


def is_module_id(text: str) -> bool:
    """Returns whether `text` may be a declared module's id. **Source:** design 10-modules §2."""
    return len(text) <= _MODULE_ID_LIMIT and _MODULE_ID.fullmatch(text) is not None
