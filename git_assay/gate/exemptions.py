"""What exists already and is excused until it is touched?

An exemption is bound to a digest of *code*, with paths relative to the card, so that formatting, comments, a moved
folder and a new check do not end it. **Source:** design 40-gate §3 "Exemptions", 45-teams "Grandfathering".

    exemption(own)  = H("assay-exemption/1", "own",  module, sorted [(place, code digest)] of what the module owns)
    exemption(cone) = H("assay-exemption/1", "cone", module, sorted [(place, code digest)] of what it owns and reaches)

`place` is the path relative to the card's directory, or `/` and the whole path for what lies elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Literal

import msgspec

from git_assay.values.canonical import digest
from git_assay.values.digests import Scope
from git_assay.values.ids import Digest, ModuleId, TreePath
from git_assay.values.moments import parse_day


class Exemption(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A dated permission to lack one kind of evidence.

    requirement: `review` or a check kind.  scope: what must stay untouched.  digest: of that scope, hex.
    until: last day on which it holds, `2026-12-31` (UTC).
    """

    module: str
    requirement: str
    scope: Literal["own", "cone"]
    digest: str
    reason: str
    until: str


class Exemptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`.assay/exemptions.yml`."""

    format: Literal["assay-exemptions/1"]
    exemptions: tuple[Exemption, ...] = ()


def exemption_digest(
    module: ModuleId, scope: Scope, code: Iterable[tuple[TreePath, str, Digest]], *, directory: TreePath
) -> Digest:
    """Returns the digest that an exemption is bound to.

    code: (path, symbol or "", code digest) of each piece of the scope.  directory: of the card, b"" for the root.
    """
    items = sorted((relative_place(path, directory), symbol, found) for path, symbol, found in code)
    return digest("assay-exemption/1", "cone" if scope is Scope.CONE else "own", module, items)


def expires(exemption: Exemption) -> date | None:
    """Returns the last day of an exemption; None when the date cannot be read (it then never holds)."""
    try:
        return parse_day(exemption.until)
    except ValueError:
        return None


def relative_place(path: TreePath, directory: TreePath) -> bytes:
    """Returns where a file lies as seen from its card (see the head of this file)."""
    if not directory:
        return path
    inside = directory + b"/"
    return path[len(inside) :] if path.startswith(inside) else b"/" + path
