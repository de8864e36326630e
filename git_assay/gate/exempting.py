"""Which exemptions hold for a tree, and which would excuse all that a tree has today?

**Source:** design 40-gate §3, 45-teams "Grandfathering survives harmless touches".
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Literal

from git_assay.cones.analysis import Analysis
from git_assay.gate.exemptions import Exemption, exemption_digest, expires
from git_assay.gate.matching import matching_modules
from git_assay.gate.policy import REVIEW, Policy
from git_assay.values.digests import Reach, Scope
from git_assay.values.ids import Digest, ModuleId

ScopeWord = Literal["own", "cone"]


def is_holding(exemption: Exemption, analysis: Analysis, *, now: datetime) -> bool:
    """Returns whether its date has not passed and its code in this tree is what it was (needs code digests)."""
    until, module = expires(exemption), ModuleId(exemption.module)
    if until is None or until < now.astimezone(UTC).date() or module not in analysis.declarations.cards:
        return False
    return scope_digest(analysis, module, exemption.scope) == exemption.digest


def scope_digest(analysis: Analysis, module: ModuleId, scope: ScopeWord) -> Digest:
    """Returns the digest that an exemption of this scope is bound to in this tree."""
    pieces = analysis.code_pieces(module, None if scope == "own" else Reach.RUN)
    code = ((piece.path, piece.symbol or "", value) for piece, value in pieces.items())
    directory = analysis.declarations.cards[module].directory
    return exemption_digest(module, Scope.OWN if scope == "own" else Scope.CONE, code, directory=directory)


def exemptions_for(
    analysis: Analysis, policy: Policy, *, reason: str, until: Sequence[date], lenient: bool = False
) -> tuple[Exemption, ...]:
    """Returns what excuses everything that the policy demands of this tree's modules, sorted.

    until: last days, given out by owner in turn, so that not all end at once.  lenient: bind checks to own code only,
    so that a change elsewhere does not end them. Raises ValueError when `until` is empty.
    """
    if not until:
        raise ValueError("exemptions need a last day")
    wanted: set[tuple[ModuleId, str]] = set()
    for rule in policy.rules:
        for module in matching_modules(rule, analysis, analysis):
            wanted |= {(module, requirement.kind) for requirement in rule.require}
    owners = sorted({loaded.card.owners for loaded in analysis.declarations.cards.values()})
    found = []
    for module, kind in sorted(wanted):
        scope: ScopeWord = "own" if lenient or kind == REVIEW else "cone"
        day = until[owners.index(analysis.declarations.cards[module].card.owners) % len(until)]
        value = scope_digest(analysis, module, scope)
        found.append(Exemption(module, kind, scope, value, reason, day.isoformat()))
    return tuple(found)
