"""Does a change of cards take something away from what guards the code?

Adding a label or a check is free. Everything here needs the people on the *base's* card: a label or an owner that goes
(or an owner who comes: the next change would be theirs to approve), a check that goes or means something else, code
that moves to another module or out of scope, a claim that is lent away, a card that goes.
**Source:** design 40-gate §3 ("A difference of gov(M) that removes or weakens").
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from git_assay.cones.analysis import Analysis
from git_assay.modules.card import Card
from git_assay.values.ids import ModuleId, TreePath
from git_assay.values.text import path_text


@dataclass(frozen=True, slots=True)
class Weakening:
    """What one module of the base loses. reasons: in words.  paths: cards and moved code that cause it."""

    module: ModuleId
    reasons: tuple[str, ...]
    paths: tuple[TreePath, ...]


def find_weakenings(base: Analysis, result: Analysis) -> tuple[Weakening, ...]:
    """Returns what each module of the base loses in the result, in order of id."""
    moved = _moved_code(base, result)
    found = []
    for module, loaded in base.declarations.cards.items():
        other = result.declarations.cards.get(module)
        reasons = list(_card_losses(loaded.card, other.card) if other else ("the card is removed",))
        paths = {loaded.path} | ({other.path} if other else set())
        for path, owner in moved.get(module, ()):
            reasons.append(f"{path_text(path)} moves {f'to {owner}' if owner else 'out of scope'}")
            paths.add(path)
            if owner:
                paths.add(result.declarations.cards[owner].path)
        if reasons:
            found.append(Weakening(module, tuple(reasons), tuple(sorted(paths))))
    return tuple(found)


def _card_losses(old: Card, new: Card) -> Iterable[str]:
    for label in sorted(set(old.labels) - set(new.labels)):
        yield f"label {label} is dropped"
    if set(old.owners) != set(new.owners):
        yield "owners change"
    checks = {check.name: check for check in new.checks}
    for check in old.checks:
        if check.name not in checks:
            yield f"check {check.name} is dropped"
        elif check != checks[check.name]:
            yield f"check {check.name} changes"
    if set(old.assets) - set(new.assets):
        yield "an asset is dropped"
    for word in ("parent", "owns", "lends", "depends", "dynamic", "complexity"):
        if getattr(old, word) != getattr(new, word):
            yield f"{word} changes"


def _moved_code(base: Analysis, result: Analysis) -> Mapping[ModuleId, tuple[tuple[TreePath, ModuleId | None], ...]]:
    """Returns code that another module (None: nobody) owns in the result; exact renames are followed by object."""
    found: dict[ModuleId, list[tuple[TreePath, ModuleId | None]]] = {}
    new_homes, now = _new_homes(base, result), _owners(result)
    for path, owners in _owners(base).items():
        here = path if path in result.snapshot.entries else new_homes.get(base.snapshot.entries[path].oid)
        if here is None:
            continue
        takers = now.get(here, frozenset())
        for owner in sorted(owners - takers):
            found.setdefault(owner, []).append((here, min(takers, default=None)))
    for (path, symbol), owner in base.ownership.symbols.items():
        taker = result.ownership.symbols.get((path, symbol), result.ownership.owner.get(path))
        if path in result.snapshot.entries and taker != owner:
            found.setdefault(owner, []).append((path, taker))
    for (path, symbol), taker in result.ownership.symbols.items():
        giver = base.ownership.symbols.get((path, symbol), base.ownership.owner.get(path))
        if giver is not None and giver != taker:
            found.setdefault(giver, []).append((path, taker))
    for path in base.graph.files.keys() - result.graph.files.keys():
        # Still there and still owned, perhaps, but no import of it is followed any more.
        if path in result.snapshot.entries and path in base.ownership.owner:
            found.setdefault(base.ownership.owner[path], []).append((path, None))
    return {module: tuple(dict.fromkeys(sorted(moves, key=str))) for module, moves in found.items()}


def _owners(analysis: Analysis) -> Mapping[TreePath, frozenset[ModuleId]]:
    found: dict[TreePath, set[ModuleId]] = {path: {owner} for path, owner in analysis.ownership.owner.items()}
    for module, assets in analysis.ownership.assets.items():
        for path in assets:
            found.setdefault(path, set()).add(module)
    return {path: frozenset(modules) for path, modules in found.items()}


def _new_homes(base: Analysis, result: Analysis) -> Mapping[str, TreePath]:
    added = (path for path in result.snapshot.entries if path not in base.snapshot.entries)
    return {result.snapshot.entries[path].oid: path for path in added}
