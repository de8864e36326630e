"""What is wrong with the modules of a tree, beyond what loading and ownership already say?

1. source files in scope that nobody owns;
2. imports of a module that its card's `depends` does not list, at the place of the import;
3. interface entries with no definition, or more than one, in the module's owned code;
4. positional parameters that differ from the contract, after an optional receiver is removed.

Types, defaults, keyword-only parameters and clauses in words are not checked here.
**Source:** design 10-modules §3, §5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from git_assay.errors import Problem
from git_assay.modules.card import InterfaceEntry
from git_assay.modules.load import card_problem
from git_assay.modules.model import Declarations, LoadedCard, Ownership
from git_assay.modules.patterns import Pattern
from git_assay.syntax.facts import Definition, DefinitionKind
from git_assay.values.ids import ModuleId, TreePath
from git_assay.values.text import path_text

_RECEIVERS = frozenset({"self", "cls", "this", "mcs"})


@dataclass(frozen=True, slots=True)
class ImportPlace:
    """One import edge. line: 1-based, 0 where nothing is written (an ancestor package, a conftest)."""

    source: TreePath
    line: int
    target: TreePath


def module_problems(
    declarations: Declarations,
    ownership: Ownership,
    files: Mapping[TreePath, str],
    imports: Iterable[ImportPlace],
    definitions: Callable[[TreePath], tuple[Definition, ...]],
) -> tuple[Problem, ...]:
    """Returns every problem of the four kinds, sorted by place. definitions: asked for files with promised names."""
    found = [
        Problem(path_text(path), 0, 0, "unowned", "no card owns this source file", "git assay module new ID --goal ...")
        for path in ownership.unowned
    ]
    found += _depends_problems(declarations, ownership, imports)
    for card in declarations.cards.values():
        if card.card.interface:
            found += _interface_problems(card, ownership, files, definitions)
    return tuple(sorted(found))


def _depends_problems(
    declarations: Declarations, ownership: Ownership, imports: Iterable[ImportPlace]
) -> Iterator[Problem]:
    for place in imports:
        module = ownership.owner.get(place.source)
        target = ownership.owner.get(place.target)
        if module is None or target is None or module == target or not place.line:
            continue
        depends = declarations.cards[module].card.depends
        if depends is not None and target not in depends:
            card = declarations.cards[module]
            text = (
                f"module {module} imports {path_text(place.target)} of module {target}, "
                f"which `depends` in {path_text(card.path)} does not list"
            )
            yield Problem(path_text(place.source), place.line, 1, "undeclared-import", text)


def _interface_problems(
    card: LoadedCard,
    ownership: Ownership,
    files: Mapping[TreePath, str],
    definitions: Callable[[TreePath], tuple[Definition, ...]],
) -> Iterator[Problem]:
    owned = list(_owned_definitions(card.id, ownership, files, definitions))
    for place, entry in enumerate(card.card.interface):
        pattern = Pattern(entry.file, card.directory) if entry.file else None
        fits = [
            (path, found)
            for path, found in owned
            if _is_named(found, entry.name) and (pattern is None or pattern.matches(path))
        ]
        if len(fits) == 1:
            yield from _signature_problems(card, place, entry, fits[0])
        elif fits:
            where = ", ".join(f"{path_text(path)}:{found.start_line}" for path, found in fits[:3])
            text = f"{entry.name!r} is ambiguous: {where}{' ...' if len(fits) > 3 else ''} (say which with `in`)"
            yield card_problem(card, "ambiguous-interface", text, "interface", place, "name")
        else:
            text = f"the code of module {card.id} defines no {entry.name!r}"
            yield card_problem(card, "missing-interface", text, "interface", place, "name")


def _owned_definitions(
    module: ModuleId,
    ownership: Ownership,
    files: Mapping[TreePath, str],
    definitions: Callable[[TreePath], tuple[Definition, ...]],
) -> Iterator[tuple[TreePath, Definition]]:
    for piece in ownership.pieces[module]:
        if piece.path not in files:
            continue
        for found in definitions(piece.path):
            if _owner_of(ownership, piece.path, found.name) == module:
                yield piece.path, found


def _owner_of(ownership: Ownership, path: TreePath, name: str) -> ModuleId | None:
    outer = name
    while outer:
        if (path, outer) in ownership.symbols:
            return ownership.symbols[path, outer]
        outer = outer.rpartition(".")[0]
    return ownership.owner.get(path)


def _is_named(definition: Definition, name: str) -> bool:
    """A dotted name is the qualified one; a plain name is top-level, so that a method never answers for a function."""
    return definition.name == name


def _signature_problems(
    card: LoadedCard, place: int, entry: InterfaceEntry, fit: tuple[TreePath, Definition]
) -> Iterator[Problem]:
    path, definition = fit
    if definition.kind is DefinitionKind.CLASS or definition.parameters is None:
        return
    actual = list(definition.parameters)
    if actual and actual[0] in _RECEIVERS and definition.kind is DefinitionKind.METHOD:
        actual = actual[1:]
    promised = [param.name for param in entry.params]
    if promised and promised[0] in _RECEIVERS:
        promised = promised[1:]
    if actual != promised:
        text = (
            f"{entry.name}({', '.join(promised)}) is promised, and {path_text(path)}:{definition.start_line} "
            f"defines {entry.name}({', '.join(actual)})"
        )
        yield card_problem(card, "signature", text, "interface", place, "params")
