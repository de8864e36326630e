"""Which patterns of cards, besides `owns` and `assets`, match nothing?

Such a pattern is a mistake or a leftover: a `lends` that lends nothing, a `dynamic` that leads nowhere (and so hides
what an open file reaches), an input that is not there. Ownership itself tells of `owns` and `assets`.
**Source:** design 10-modules §3.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from git_assay.errors import Problem
from git_assay.modules.load import card_problem
from git_assay.modules.model import Declarations, LoadedCard
from git_assay.modules.patterns import Pattern
from git_assay.modules.scope import is_reserved
from git_assay.values.ids import TreePath


def unmatched_patterns(
    declarations: Declarations, paths: Collection[TreePath], files: Collection[TreePath]
) -> tuple[Problem, ...]:
    """Returns a problem for each pattern that matches nothing, sorted. paths: all of the tree.  files: source files."""
    ownable = [path for path in paths if not is_reserved(path)]
    found: list[Problem] = []
    for card in declarations.cards.values():
        found += _lends(card, ownable)
        for place, text in enumerate(card.card.dynamic or ()):
            if not _matches(card, text, files):
                found.append(_problem(card, f"{text!r} matches no source file", "dynamic", place))
        found += _inputs(card, paths)
    return tuple(sorted(found))


def _lends(card: LoadedCard, paths: Collection[TreePath]) -> Iterator[Problem]:
    for place, lend in enumerate(card.card.lends):
        if not _matches(card, lend.pattern.partition("::")[0], paths):
            yield _problem(card, f"{lend.pattern!r} matches no file", "lends", place, "pattern")


def _inputs(card: LoadedCard, paths: Collection[TreePath]) -> Iterator[Problem]:
    for place, check in enumerate(card.card.checks):
        for at, text in enumerate(check.inputs or ()):
            if not _matches(card, text, paths):
                yield _problem(card, f"{text!r} matches no file", "checks", place, "inputs", at)


def _matches(card: LoadedCard, text: str, paths: Collection[TreePath]) -> bool:
    pattern = Pattern(text, card.directory)
    return pattern.exact in paths or any(pattern.matches(path) for path in paths)


def _problem(card: LoadedCard, message: str, *keys: str | int) -> Problem:
    return card_problem(card, "matches-nothing", message, *keys)
