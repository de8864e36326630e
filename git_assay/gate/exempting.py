"""Which exemptions hold for a tree, and which would excuse all that a tree has today?

**Source:** design 40-gate §3, 45-teams "Grandfathering survives harmless touches".
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Literal

from git_assay.cones.analysis import Analysis
from git_assay.gate.exemptions import Exemption, exemption_digest, expires, relative_place
from git_assay.gate.matching import matching_modules
from git_assay.gate.policy import REVIEW, Policy
from git_assay.modules.contract import contract_part
from git_assay.values.canonical import Canonical
from git_assay.values.digests import Reach, Scope
from git_assay.values.ids import Digest, ModuleId

ScopeWord = Literal["own", "cone"]


def is_holding(exemption: Exemption, analysis: Analysis, *, now: datetime) -> bool:
    """Returns whether its date has not passed and its code in this tree is what it was (needs code digests)."""
    until, module = expires(exemption), ModuleId(exemption.module)
    if until is None or until < now.astimezone(UTC).date() or module not in analysis.declarations.cards:
        return False
    return scope_digest(analysis, module, exemption.scope) == exemption.digest


def is_excusing(exemption: Exemption, base: Analysis, result: Analysis, *, now: datetime) -> bool:
    """Returns whether an exemption of the target excuses a change of it.

    It must hold for the target too: what was touched once is not grandfathered again by going back to how it was. And
    beside the code the card's promise and every file's mode must be those of the target.
    """
    if not (is_holding(exemption, result, now=now) and is_holding(exemption, base, now=now)):
        return False
    module = ModuleId(exemption.module)
    return _form(base, module, exemption.scope) == _form(result, module, exemption.scope)


def _form(analysis: Analysis, module: ModuleId, scope: ScopeWord) -> Canonical:
    """Returns what a digest of code leaves out: the promise on the card, and whether files are programs or links."""
    loaded = analysis.declarations.cards[module]
    paths = {piece.path for piece in analysis.code_pieces(module, None if scope == "own" else Reach.RUN)}
    modes = ((relative_place(path, loaded.directory), analysis.snapshot.entries[path].mode) for path in paths)
    return contract_part(loaded.card), tuple(sorted(modes))


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
