"""Which evidence does a change make stale, and which not?

A module may be in the radius while its evidence holds: a comment far away changes exact digests and no code digest.
The other way round, a check's evidence goes stale when only an input of the check changed, and its module is not in
the radius, which is about code and cards.
**Source:** design 40-gate §2 ("the evidence that goes stale, and, in code mode, what does *not*").
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from git_assay.cones.analysis import Analysis
from git_assay.modules.card import Check
from git_assay.status.model import Fresh, Standing, Why
from git_assay.status.radius import Radius
from git_assay.status.standings import RunIndex, check_standing, default_mode
from git_assay.status.why import explain_difference
from git_assay.values.digests import Mode
from git_assay.values.ids import ModuleId


@dataclass(frozen=True, slots=True)
class Effect:
    """One check of one module. before: None = the base has no such check.

    unchanged: the check's digest, in the mode of its kind, is the same on both sides.  why: what changed for a check
    whose module is not in the radius.
    """

    module: ModuleId
    check: str
    kind: str
    mode: Mode
    unchanged: bool
    before: Standing | None
    after: Standing
    why: Why | None = None

    @property
    def goes_stale(self) -> bool:
        return isinstance(self.before, Fresh) and not isinstance(self.after, Fresh)

    @property
    def holds(self) -> bool:
        return isinstance(self.after, Fresh)


def find_effects(radius: Radius, runs: RunIndex) -> tuple[Effect, ...]:
    """Returns the effect on every check of the result's cards in the radius, in order of the radius and the card.

    After those, the checks of other modules of which an input changed, in order of module.
    """
    cards = radius.result.declarations.cards
    inside = [reached.module for reached in radius.modules if reached.module in cards]
    found = [_effect(radius, module, check, runs) for module in inside for check in cards[module].card.checks]
    for module, check in changed_checks(radius.base, radius.result):
        if module not in inside:
            why = explain_difference(module, check, now=radius.result, then=radius.base)
            found.append(replace(_effect(radius, module, check, runs), why=why))
    return tuple(found)


def changed_checks(base: Analysis, result: Analysis) -> tuple[tuple[ModuleId, Check], ...]:
    """Returns the checks of the result whose exact digest the base does not have for that module and name."""
    found = []
    for module in result.modules:
        checks = result.declarations.cards[module].card.checks
        if not checks:
            continue
        old = base.digests(module, Mode.EXACT).checks if module in base.declarations.cards else {}
        new = result.digests(module, Mode.EXACT).checks
        found += [(module, check) for check in checks if old.get(check.name) != new[check.name]]
    return tuple(found)


def _effect(radius: Radius, module: ModuleId, check: Check, runs: RunIndex) -> Effect:
    mode = default_mode(check.kind)
    after = check_standing(radius.result, module, check, runs=runs)
    old = radius.base.declarations.cards.get(module)
    earlier = next((other for other in old.card.checks if other.name == check.name), None) if old else None
    before = None if earlier is None else check_standing(radius.base, module, earlier, runs=runs)
    unchanged = earlier is not None and _same(radius.base, radius.result, module, check.name, mode)
    return Effect(module, check.name, check.kind, mode, unchanged, before, after)


def _same(base: Analysis, result: Analysis, module: ModuleId, check: str, mode: Mode) -> bool:
    """Returns whether a check's digest is the same; equal bytes settle it without computing code digests."""
    for each in dict.fromkeys((Mode.EXACT, mode)):
        old = base.digests(module, each).checks.get(check)
        if old is not None and old == result.digests(module, each).checks.get(check):
            return True
    return False
