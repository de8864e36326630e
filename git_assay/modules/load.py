"""What is declared in a tree, and what is wrong with it?

Cards are every `assay.yml` outside `.assay/`; config and retired ids stand in `.assay/`. All problems of all documents
are found at once and carried as values; only a tree without `.assay/` raises. **Source:** design 10-modules §1-4.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from git_assay.documents.reader import decode, decode_stream, place_of
from git_assay.errors import AssayError, Problem
from git_assay.git.snapshot import Snapshot
from git_assay.modules.card import Card, Check, Provenance
from git_assay.modules.config import Config, Retired
from git_assay.modules.model import Declarations, LoadedCard
from git_assay.modules.scope import ASSAY_DIRECTORY, is_adopted, is_card
from git_assay.syntax.languages import EXTRACTOR_VERSION
from git_assay.values.ids import ModuleId, TreePath, is_module_id
from git_assay.values.moments import parse_day
from git_assay.values.text import path_text

CONFIG_PATH = TreePath(b".assay/config.yml")
RETIRED_PATH = TreePath(b".assay/retired.yml")
_REPOSITORY_ID = re.compile(r"[0-9a-f]{32}")
_WORD = re.compile(r"[a-z][a-z0-9]*([-_.][a-z0-9]+)*")
_NO_CONFIG = Config(format="assay-config/1", repository="", extractor=EXTRACTOR_VERSION)
_NO_RETIRED = Retired(format="assay-retired/1")


class NotAdopted(AssayError):
    """The tree has no `.assay/`. tree: which one, in words.  hint: the command that helps there."""

    def __init__(self, tree: str = "", *, hint: str = "git assay init") -> None:
        self.named = bool(tree)
        super().__init__(f"{tree or 'this tree'} has no .assay/: it has not adopted git assay", hint=hint)


def load_declarations(snapshot: Snapshot) -> Declarations:
    """Returns cards, config and retired ids with every problem. Raises NotAdopted where there is no `.assay/`."""
    if not is_adopted(snapshot):
        raise NotAdopted
    config, problems = _config(snapshot)
    retired, more = _retired(snapshot)
    loaded, bad = _cards(snapshot)
    problems += [*more, *bad, *_links(snapshot)]
    cards: dict[ModuleId, LoadedCard] = {}
    for card in loaded:
        first = cards.get(card.id)
        if first is not None:
            text = f"module {card.id} is already declared in {path_text(first.path)}:{first.line}"
            problems.append(card_problem(card, "duplicate-id", text, "module"))
            continue
        cards[card.id] = card
    gone = {entry.id for entry in retired.retired}
    for card in cards.values():
        problems += _card_problems(card, cards, gone)
    problems += _parent_cycles(cards)
    return Declarations(config, dict(sorted(cards.items())), retired, tuple(sorted(problems)))


def load_config(snapshot: Snapshot) -> Config:
    """Returns the configuration alone; one that cannot be read is a config without a repository id.

    Raises NotAdopted where there is no `.assay/`, AssayError for another extractor.
    """
    if not is_adopted(snapshot):
        raise NotAdopted
    return _config(snapshot)[0]


def card_problem(card: LoadedCard, code: str, message: str, *keys: str | int, hint: str | None = None) -> Problem:
    """Returns a problem at a place of a card; keys lead to it (`checks`, 0, `run`)."""
    line, column = place_of(card.source, keys, first_line=card.line)
    return Problem(path_text(card.path), line, column, code, message, hint)


def _links(snapshot: Snapshot) -> Iterator[Problem]:
    """Yields what stands under `.assay/` without being a file: what governs must be what is reviewed there."""
    for path, entry in snapshot.entries.items():
        if path.startswith(ASSAY_DIRECTORY) and not entry.is_file:
            what = "link" if entry.is_link else "submodule"
            yield Problem(path_text(path), 0, 0, "not-a-file", f"what governs must be a file, not a {what}")


def _config(snapshot: Snapshot) -> tuple[Config, list[Problem]]:
    if CONFIG_PATH not in snapshot.entries:
        return _NO_CONFIG, [Problem(path_text(CONFIG_PATH), 0, 0, "missing-file", "there is no such file")]
    config, problems = decode(snapshot.read(CONFIG_PATH), path=CONFIG_PATH, type=Config)
    if config is None:
        return _NO_CONFIG, list(problems)
    data = snapshot.read(CONFIG_PATH)
    if not _REPOSITORY_ID.fullmatch(config.repository):
        line, column = place_of(data, ("repository",))
        text = "'repository' must be 32 lowercase hex digits (git assay init makes one)"
        return config, [Problem(path_text(CONFIG_PATH), line, column, "repository-id", text)]
    if config.extractor != EXTRACTOR_VERSION:
        raise AssayError(
            f".assay/config.yml pins extractor {config.extractor}, and this git assay has {EXTRACTOR_VERSION}",
            hint="pip install --upgrade git-assay",
        )
    return config, []


def _retired(snapshot: Snapshot) -> tuple[Retired, list[Problem]]:
    if RETIRED_PATH not in snapshot.entries:
        return _NO_RETIRED, []
    data = snapshot.read(RETIRED_PATH)
    retired, problems = decode(data, path=RETIRED_PATH, type=Retired)
    if retired is None:
        return _NO_RETIRED, list(problems)
    found = list(problems)
    seen: set[str] = set()
    for place, entry in enumerate(retired.retired):
        if entry.id in seen or not is_module_id(entry.id):
            line, column = place_of(data, ("retired", place, "id"))
            text = f"{entry.id!r} stands twice" if entry.id in seen else f"{entry.id!r} is not a module id"
            found.append(Problem(path_text(RETIRED_PATH), line, column, "retired-id", text))
        seen.add(entry.id)
        try:
            parse_day(entry.date)
        except ValueError as error:
            line, column = place_of(data, ("retired", place, "date"))
            found.append(Problem(path_text(RETIRED_PATH), line, column, "date", str(error)))
    return retired, found


def _cards(snapshot: Snapshot) -> tuple[list[LoadedCard], list[Problem]]:
    loaded: list[LoadedCard] = []
    problems: list[Problem] = []
    paths = [path for path in snapshot.entries if is_card(path)]
    for path in paths:
        if not snapshot.entries[path].is_file:
            problems.append(Problem(path_text(path), 0, 0, "not-a-file", "a card must be a file, not a link"))
    texts = snapshot.read_many(path for path in paths if snapshot.entries[path].is_file)
    for path, data in texts.items():
        documents, bad = decode_stream(data, path=path, type=Card)
        problems += bad
        if not documents and not bad:
            problems.append(Problem(path_text(path), 0, 0, "empty", "an empty card file"))
        directory = TreePath(path.rpartition(b"/")[0])
        loaded += [
            LoadedCard(ModuleId(found.value.module), found.value, path, directory, found.line, found.source)
            for found in documents
            if found.value is not None
        ]
    return loaded, problems


def _card_problems(card: LoadedCard, cards: Mapping[ModuleId, LoadedCard], gone: set[str]) -> Iterator[Problem]:
    body = card.card
    if not is_module_id(card.id):
        text = f"{card.id!r} is not a module id: lower case words joined by . or -, at most 64 characters"
        yield card_problem(card, "module-id", text, "module")
    if card.id in gone:
        yield card_problem(card, "retired-id", f"id {card.id} is retired and is never used again", "module")
    if not body.goal.strip():
        yield card_problem(card, "empty-goal", "a goal in words is needed", "goal")
    if body.parent is not None and body.parent not in cards:
        yield card_problem(card, "unknown-module", f"no card declares the parent {body.parent!r}", "parent")
    for place, name in enumerate(body.depends or ()):
        if name not in cards:
            yield card_problem(card, "unknown-module", f"no card declares {name!r}", "depends", place)
    for place, lend in enumerate(body.lends):
        if lend.to not in cards:
            yield card_problem(card, "unknown-module", f"no card declares {lend.to!r}", "lends", place, "to")
    yield from _check_problems(card)
    yield from _provenance_problems(card, cards)


def _check_problems(card: LoadedCard) -> Iterator[Problem]:
    names: set[str] = set()
    for place, check in enumerate(card.card.checks):
        if check.name in names:
            yield card_problem(card, "duplicate-check", f"check {check.name!r} stands twice", "checks", place, "name")
        names.add(check.name)
        for word, value in (("name", check.name), ("kind", check.kind)):
            if not _WORD.fullmatch(value):
                text = f"{value!r} is not a word of lower case letters, digits and - _ ."
                yield card_problem(card, "word", text, "checks", place, word)
        if check.kind in ("review", "waiver"):
            text = f"{check.kind!r} is evidence by people, not a kind of check"
            yield card_problem(card, "kind", text, "checks", place, "kind")
        if not check.run.strip():
            yield card_problem(card, "empty-run", "a command is needed", "checks", place, "run")
        if not 0 < check.timeout <= 7 * 24 * 3600:
            text = "a timeout is more than 0 seconds and at most a week"
            yield card_problem(card, "timeout", text, "checks", place, "timeout")
        yield from _verdict_problems(card, place, check)


def _verdict_problems(card: LoadedCard, place: int, check: Check) -> Iterator[Problem]:
    codes = (*check.verdicts.retry, *check.verdicts.fatal)
    if any(not 1 <= code <= 255 for code in codes):
        text = "exit codes are 1 to 255 (0 is always pass)"
        yield card_problem(card, "exit-code", text, "checks", place, "verdicts")
    if len(set(codes)) != len(codes):
        yield card_problem(card, "exit-code", "an exit code has two verdicts", "checks", place, "verdicts")


def _provenance_problems(card: LoadedCard, cards: Mapping[ModuleId, LoadedCard]) -> Iterator[Problem]:
    places: list[tuple[tuple[str | int, ...], Provenance]] = [
        (("inputs", place), entry) for place, entry in enumerate(card.card.inputs)
    ]
    for place, promised in enumerate(card.card.interface):
        places += [(("interface", place, "params", at), param) for at, param in enumerate(promised.params)]
    for keys, named in places:
        source = named.source
        if source is None or source in ("task", "local"):
            continue
        kind, _, name = source.partition(":")
        if kind != "module":
            text = f"{source!r} is not a source: task, local or module:ID"
            yield card_problem(card, "provenance", text, *keys, "from")
        elif name not in cards:
            yield card_problem(card, "unknown-module", f"no card declares {name!r}", *keys, "from")


def _parent_cycles(cards: Mapping[ModuleId, LoadedCard]) -> Iterable[Problem]:
    for card in cards.values():
        seen = [card.id]
        parent = card.card.parent
        while parent is not None and parent in cards and parent not in seen:
            seen.append(ModuleId(parent))
            parent = cards[ModuleId(parent)].card.parent
        if parent == card.id:
            yield card_problem(card, "parent-cycle", f"parents form a cycle: {' -> '.join([*seen, card.id])}", "parent")
