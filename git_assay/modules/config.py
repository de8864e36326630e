"""What does `.assay/config.yml` say? **Source:** design 10-modules §1, 20-graph §1-2."""

from __future__ import annotations

from typing import Literal

import msgspec


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Repository-wide settings.

    repository: random id, inside every signed statement.  extractor: pinned fact and resolution version.
    roots: directories that imports resolve from, in order; () = found from build files and package layout.
    exclude: patterns of source files out of scope.  open_accepted: patterns of open files whose reach is not widened.
    languages: () = all that the tool knows.
    """

    format: Literal["assay-config/1"]
    repository: str
    extractor: int
    roots: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    open_accepted: tuple[str, ...] = ()


class RetiredId(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A module id that is never used again."""

    id: str
    date: str
    reason: str
    successor: str | None = None


class Retired(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`.assay/retired.yml`."""

    format: Literal["assay-retired/1"]
    retired: tuple[RetiredId, ...] = ()
