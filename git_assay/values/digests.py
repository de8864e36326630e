"""What does a digest speak of: which bytes (mode), which part of the cone (reach), which scope?"""

from __future__ import annotations

from enum import Enum, StrEnum


class Mode(Enum):
    """exact: the bytes. code: the syntax tree without what cannot change meaning. The value stands in digest names."""

    EXACT = "Exact"
    CODE = "Code"


class Reach(StrEnum):
    """Which edges a cone follows; LOAD is inside RUN is inside ALL. **Source:** design 20-graph §2."""

    LOAD = "Load"
    RUN = "Run"
    ALL = "All"


class Scope(Enum):
    """What of a module a claim is bound to. The value stands in subject digest names."""

    OWN = "Own"
    CONE = "Cone"
    CHECK = "Check"


def own_name(mode: Mode) -> str:
    """Returns the subject digest name, for example `assayOwnExact`. **Source:** design 30-evidence §1."""
    return f"assay{Scope.OWN.value}{mode.value}"


def cone_name(reach: Reach, mode: Mode) -> str:
    """Returns the subject digest name, for example `assayConeRunCode`."""
    return f"assay{Scope.CONE.value}{reach.value}{mode.value}"


def check_name(mode: Mode) -> str:
    """Returns the subject digest name, for example `assayCheckCode`."""
    return f"assay{Scope.CHECK.value}{mode.value}"
