"""Which digests does a module have in one tree? **Source:** design 20-graph §3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from git_assay.values.digests import Mode, Reach
from git_assay.values.ids import Digest


@dataclass(frozen=True, slots=True)
class ModuleDigests:
    """Digests of one module in one mode.

    own: code, assets and the card's contract part.  cone: per reach.
    checks: per check name, at the check's default reach.  gov is mode-free: the whole card.
    """

    mode: Mode
    own: Digest
    cone: Mapping[Reach, Digest]
    checks: Mapping[str, Digest]
    gov: Digest
