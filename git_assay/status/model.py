"""How does each kind of evidence stand for one tree?

A standing is an outcome, never an exception. Only `Fresh` counts as having the evidence; everything else is lacking,
with the reason. **Source:** design 40-gate §1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from git_assay.cones.analysis import Analysis
from git_assay.graph.model import Edge
from git_assay.values.digests import Mode
from git_assay.values.ids import LogId, ModuleId, ObjectId, RecordId, TreePath


@dataclass(frozen=True, slots=True)
class Carried:
    """One path that entered, left or changed, and the imports that carry it to the module (nearest first; () = own).

    input: it is in the digest of a check as one of its inputs, or reached from one, rather than in the cone.
    """

    path: TreePath
    how: str
    chain: tuple[Edge, ...]
    input: bool = False


@dataclass(frozen=True, slots=True)
class Why:
    """Why a record is stale. carried: nearest first, at most a screenful.  more: how many are left out.

    reason: in words, where paths cannot tell (the definition of the check changed, the tree is not present, ...).
    """

    carried: tuple[Carried, ...] = ()
    more: int = 0
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Fresh:
    """The newest passing record. runs, passes: records at this digest by the same role, superseded ones included."""

    record: RecordId
    passes: int
    runs: int


@dataclass(frozen=True, slots=True)
class Failing:
    """A fail stands at this digest, until a record of the same log supersedes it."""

    record: RecordId


@dataclass(frozen=True, slots=True)
class Disputed:
    """Different logs disagree at this digest."""

    passed: tuple[RecordId, ...]
    failed: tuple[RecordId, ...]


@dataclass(frozen=True, slots=True)
class Stale:
    """The newest record is of other content. why: None until asked for (it costs a comparison of two trees)."""

    record: RecordId
    why: Why | None = None


@dataclass(frozen=True, slots=True)
class RefusedEvidence:
    """There is a record at this very content that does not count. reason: in words."""

    reason: str
    record: RecordId


@dataclass(frozen=True, slots=True)
class Absent:
    """No record at all."""


Standing: TypeAlias = Fresh | Failing | Disputed | Stale | RefusedEvidence | Absent


@dataclass(frozen=True, slots=True)
class CheckStanding:
    """Standing of one check of one module."""

    module: ModuleId
    check: str
    kind: str
    mode: Mode
    standing: Standing


@dataclass(frozen=True, slots=True)
class ReviewStanding:
    """The newest approval of a module's own content. current: whatever was ever approved is still as it was seen."""

    record: RecordId
    current: bool


@dataclass(frozen=True, slots=True)
class ModuleSurvey:
    """One module of the tree. review: None when nobody ever approved any of it."""

    module: ModuleId
    owners: tuple[str, ...]
    checks: tuple[CheckStanding, ...]
    review: ReviewStanding | None
    open_files: tuple[TreePath, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """The whole tree at one moment: a function of (tree, evidence tips, now)."""

    analysis: Analysis
    now: datetime
    tips: Mapping[LogId, ObjectId]
    modules: Mapping[ModuleId, ModuleSurvey]
    gaps: tuple[LogId, ...]
