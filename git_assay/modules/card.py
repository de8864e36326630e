"""What stands on a module card? **Source:** design 10-modules §2; published as JSON Schema under docs/schemas."""

from __future__ import annotations

from typing import Literal

import msgspec


class Provenance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An input or parameter and where it comes from. source (`from`): task | module:ID | local."""

    name: str
    type: str | None = None
    source: str | None = msgspec.field(default=None, name="from")


class Output(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something the module produces."""

    name: str
    type: str | None = None


class Returns(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an interface entry returns."""

    type: str


class InterfaceEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One promised definition. file (`in`): pattern relative to the card, where the name alone is ambiguous."""

    name: str
    file: str | None = msgspec.field(default=None, name="in")
    params: tuple[Provenance, ...] = ()
    returns: Returns | None = None
    pre: tuple[str, ...] = ()
    post: tuple[str, ...] = ()
    invariants: tuple[str, ...] = ()


class Budget(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """seconds: wall time.  mebibytes: peak resident memory."""

    seconds: float | None = None
    mebibytes: float | None = None


class Complexity(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Complexity targets."""

    time: str | None = None
    memory: str | None = None
    budget: Budget | None = None


class VerdictMap(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Exit codes; 0 is pass, anything not listed is fatal."""

    retry: tuple[int, ...] = ()
    fatal: tuple[int, ...] = ()


class Check(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command that yields a verdict. timeout: seconds. inputs: patterns, None = the whole tree."""

    name: str
    kind: str
    run: str
    timeout: float = 600.0
    inputs: tuple[str, ...] | None = None
    verdicts: VerdictMap = VerdictMap()
    report: str | None = None
    scope: Literal["internal", "external"] = "internal"


class Lend(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Lets another module claim something beneath this card. to: module id."""

    pattern: str
    to: str


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One YAML document of an `assay.yml`. owns: None = all beneath this directory that no deeper card owns."""

    format: Literal["assay-card/1"]
    module: str
    goal: str
    owners: tuple[str, ...] = ()
    parent: str | None = None
    labels: tuple[str, ...] = ()
    executor: str | None = None
    owns: tuple[str, ...] | None = None
    lends: tuple[Lend, ...] = ()
    depends: tuple[str, ...] | None = None
    dynamic: tuple[str, ...] | None = None
    inputs: tuple[Provenance, ...] = ()
    outputs: tuple[Output, ...] = ()
    interface: tuple[InterfaceEntry, ...] = ()
    complexity: Complexity | None = None
    assets: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
