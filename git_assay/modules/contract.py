"""Which part of a card is a promise about code, and which part says who must look?

`contract_part` is in the own digest: what the module promises. `governance` is in the gov digest: the whole card, as
written values. Renaming a team or adding a lint check changes the second only. **Source:** design 20-graph §3.
"""

from __future__ import annotations

import msgspec

from git_assay.modules.card import Card, InterfaceEntry, Provenance
from git_assay.values.canonical import Canonical


def contract_part(card: Card) -> Canonical:
    """Returns what the card promises: inputs, outputs, interface, complexity targets (budgets are governance)."""
    complexity = card.complexity
    return (
        tuple(_provenance(entry) for entry in card.inputs),
        tuple((output.name, output.type) for output in card.outputs),
        tuple(_interface(entry) for entry in card.interface),
        (complexity.time, complexity.memory) if complexity else None,
    )


def governance(card: Card) -> Canonical:
    """Returns every value of the card, keys sorted; formatting and comments of the YAML are not part of it."""
    return _canonical(msgspec.to_builtins(card))


def _provenance(entry: Provenance) -> Canonical:
    return (entry.name, entry.type, entry.source)


def _interface(entry: InterfaceEntry) -> Canonical:
    return (
        entry.name,
        entry.file,
        tuple(_provenance(param) for param in entry.params),
        entry.returns.type if entry.returns else None,
        entry.pre,
        entry.post,
        entry.invariants,
    )


def _canonical(value: object) -> Canonical:
    if isinstance(value, dict):
        return tuple((str(key), _canonical(item)) for key, item in sorted(value.items()))
    if isinstance(value, list | tuple):
        return tuple(_canonical(item) for item in value)
    if value is None or isinstance(value, str) or type(value) is int:
        return value
    return repr(value)  # a float: the shortest text that reads back as the same number
