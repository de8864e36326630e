"""Which evidence does a change make stale, and which not?

A module may be in the radius while its evidence holds: a comment far away changes exact digests and no code digest.
**Source:** design 40-gate §2 ("the evidence that goes stale, and, in code mode, what does *not*").
"""

from __future__ import annotations

from dataclasses import dataclass

from git_assay.cones.analysis import Analysis
from git_assay.modules.card import Check
from git_assay.status.model import Fresh, Standing
from git_assay.status.radius import Radius
from git_assay.status.standings import RunIndex, check_standing, default_mode
from git_assay.values.digests import Mode
from git_assay.values.ids import ModuleId


@dataclass(frozen=True, slots=True)
class Effect:
    """One check of one module of the radius. before: None = the base has no such check.

    unchanged: the check's digest, in the mode of its kind, is the same on both sides.
    """

    module: ModuleId
    check: str
    kind: str
    mode: Mode
    unchanged: bool
    before: Standing | None
    after: Standing

    @property
    def goes_stale(self) -> bool:
        return isinstance(self.before, Fresh) and not isinstance(self.after, Fresh)

    @property
    def holds(self) -> bool:
        return isinstance(self.after, Fresh)


def find_effects(radius: Radius, runs: RunIndex) -> tuple[Effect, ...]:
    """Returns the effect on every check of the result's cards in the radius, in order of the radius and the card."""
    found: list[Effect] = []
    for reached in radius.modules:
        loaded = radius.result.declarations.cards.get(reached.module)
        for check in loaded.card.checks if loaded else ():
            found.append(_effect(radius, reached.module, check, runs))
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
