"""Did an id vanish, come back or change its meaning between two trees?

1. an id of the base that no card of the result declares needs an entry in `.assay/retired.yml`;
2. an id that the base retired is never used again, and its entry stays;
3. an id whose goal *and* owned files both changed beyond recognition was repurposed.

"Beyond recognition": less than a third of the words of the goals, and no owned path or content, are common.
**Source:** design 10-modules §4.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from git_assay.errors import Problem
from git_assay.git.snapshot import Snapshot
from git_assay.modules.load import RETIRED_PATH, card_problem
from git_assay.modules.model import Declarations, Ownership
from git_assay.values.ids import ModuleId
from git_assay.values.text import path_text

_COMMON_WORDS = 1 / 3


@dataclass(frozen=True, slots=True, eq=False)
class Declared:
    """One side of the comparison."""

    snapshot: Snapshot
    declarations: Declarations
    ownership: Ownership


def identity_problems(base: Declared, result: Declared) -> tuple[Problem, ...]:
    """Returns the problems of ids between two trees, sorted by place."""
    return tuple(sorted([*_vanished(base, result), *_reused(base, result), *_repurposed(base, result)]))


def _vanished(base: Declared, result: Declared) -> Iterator[Problem]:
    retired = {entry.id for entry in result.declarations.retired.retired}
    for module, card in base.declarations.cards.items():
        if module not in result.declarations.cards and module not in retired:
            text = f"module {module} vanished without an entry in {path_text(RETIRED_PATH)}"
            yield Problem(path_text(card.path), card.line, 1, "vanished-id", text)


def _reused(base: Declared, result: Declared) -> Iterator[Problem]:
    kept = {entry.id for entry in result.declarations.retired.retired}
    for entry in base.declarations.retired.retired:
        card = result.declarations.cards.get(ModuleId(entry.id))
        if card is not None:
            yield card_problem(card, "retired-id", f"id {entry.id} was retired on {entry.date}", "module")
        elif entry.id not in kept:
            text = f"the entry of {entry.id} is gone: a retired id stays retired"
            yield Problem(path_text(RETIRED_PATH), 0, 0, "unretired-id", text)


def _repurposed(base: Declared, result: Declared) -> Iterator[Problem]:
    for module, old in base.declarations.cards.items():
        new = result.declarations.cards.get(module)
        if new is None or _alike(old.card.goal, new.card.goal) or _share_code(base, result, module):
            continue
        text = f"module {module} has another goal and other code: a new responsibility needs a new id"
        yield card_problem(new, "repurposed-id", text, "goal")


def _alike(old: str, new: str) -> bool:
    before, after = (set(re.findall(r"\w+", text.lower())) for text in (old, new))
    union = before | after
    return not union or len(before & after) / len(union) >= _COMMON_WORDS


def _share_code(base: Declared, result: Declared, module: ModuleId) -> bool:
    before, after = ({piece.path for piece in side.ownership.pieces[module]} for side in (base, result))
    if not before or not after:
        return not before and not after
    contents = {base.snapshot.entries[path].oid for path in before}
    return bool(before & after) or any(result.snapshot.entries[path].oid in contents for path in after)
