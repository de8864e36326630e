"""Random histories of small Python repositories with cards, for laws that must hold over any change.

A `Project` is a tree in words: packages with files that import each other, and a card for each package. `histories()`
draws a first project and edits of it: add, remove, rename or rewrite a file, change an import, a comment, a card, an
asset. `Project.files()` renders one as a tree, `Project.snapshot()` in memory, `Project.commit(repo)` in a repository.

    @given(histories())
    def test_some_law(history: tuple[Step, ...]) -> None:
        for before, after in pairwise(history): ...
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from hypothesis import strategies as st

from git_assay.git.snapshot import Snapshot
from git_assay.values.ids import ObjectId
from tests.repos import Repo
from tests.snapshots import memory_snapshot

CONFIG = "format: assay-config/1\nrepository: 0123456789abcdef0123456789abcdef\nextractor: 1\n"
PACKAGES = ("app", "base", "util")
NAMES = ("a", "b", "c")
FILES = tuple(f"{package}/{name}.py" for package in PACKAGES for name in NAMES)


@dataclass(frozen=True)
class SourceFile:
    """A Python file in words. imports: paths that it imports.  lazy: inside a function.  doubt: a dynamic import."""

    imports: tuple[str, ...] = ()
    lazy: tuple[str, ...] = ()
    value: int = 0
    comment: int = 0
    doubt: bool = False

    def text(self) -> str:
        lines = [f"# remark {self.comment}"] if self.comment else []
        lines += [_import_line(path) for path in self.imports]
        lines += ["", f"VALUE = {self.value}", "", "", "def work(name):"]
        lines += [f"    {_import_line(path)}" for path in self.lazy]
        if self.doubt:
            lines += ["    import importlib", "    return importlib.import_module(name)"]
        else:
            lines += ["    return name, VALUE"]
        return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class CardText:
    """A card in words. inputs: None = the whole tree."""

    owner: str = "alice@example.com"
    label: str = "plain"
    run: str = "true"
    inputs: tuple[str, ...] | None = ("/base/*.py",)
    interface: tuple[str, ...] = ()

    def text(self, module: str) -> str:
        lines = ["format: assay-card/1", f"module: {module}", f"goal: Keep {module}.", f"owners: [{self.owner}]"]
        lines += [f"labels: [{self.label}]", "assets: ['*.txt']"]
        if self.interface:
            lines += ["interface:", *(f"  - {{name: {name}, in: a.py}}" for name in self.interface)]
        inputs = "" if self.inputs is None else f", inputs: [{', '.join(repr(item) for item in self.inputs)}]"
        lines += ["checks:", f"  - {{name: unit, kind: tests, run: {self.run!r}{inputs}}}"]
        lines += ["  - {name: lint, kind: static, run: 'true', inputs: ['*.py']}"]
        return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Project:
    """A tree in words."""

    sources: Mapping[str, SourceFile] = field(default_factory=dict)
    cards: Mapping[str, CardText] = field(default_factory=dict)
    others: Mapping[str, str] = field(default_factory=dict)

    def files(self) -> dict[str, str]:
        """Returns every file of the tree: sources, `__init__.py`, cards, configuration, the rest."""
        found = {".assay/config.yml": CONFIG, **self.others}
        for package, card in self.cards.items():
            found[f"{package}/__init__.py"] = ""
            found[f"{package}/assay.yml"] = card.text(package)
        found.update({path: source.text() for path, source in self.sources.items()})
        return found

    def snapshot(self) -> Snapshot:
        """Returns the tree in memory."""
        return memory_snapshot(self.files())

    def commit(self, repo: Repo, message: str = "change") -> ObjectId:
        """Makes the working directory exactly this tree, and commits it."""
        for child in repo.path.iterdir():
            if child.name != ".git":
                shutil.rmtree(child) if child.is_dir() else child.unlink()
        for path, text in self.files().items():
            repo.write(path, text)
        return repo.commit(message)


@dataclass(frozen=True)
class Step:
    """A project and the edit that led to it (`start` for the first)."""

    edit: str
    project: Project


def _import_line(path: str) -> str:
    package, name = path.removesuffix(".py").split("/")
    return f"from {package} import {name}"


@st.composite
def projects(draw: st.DrawFn) -> Project:
    """A project of three packages, the files of which import each other at random, cycles included."""
    paths = draw(st.lists(st.sampled_from(FILES), min_size=2, max_size=6, unique=True))
    sources = {path: draw(_sources(tuple(paths))) for path in paths}
    return Project(sources, {package: CardText() for package in PACKAGES}, {"app/page.txt": "text\n"})


@st.composite
def histories(draw: st.DrawFn, *, edits: int = 4) -> tuple[Step, ...]:
    """A first project and up to `edits` edits, each leading to another tree."""
    steps = [Step("start", draw(projects()))]
    for name in draw(st.lists(st.sampled_from(sorted(EDITS)), min_size=1, max_size=edits)):
        project = EDITS[name](steps[-1].project, draw)
        if project.files() != steps[-1].project.files():
            steps.append(Step(name, project))
    return tuple(steps)


@st.composite
def _sources(draw: st.DrawFn, paths: tuple[str, ...]) -> SourceFile:
    some = st.lists(st.sampled_from(paths), max_size=2, unique=True).map(tuple)
    rare = st.integers(0, 9).map(lambda number: number == 9)
    return SourceFile(imports=draw(some), lazy=draw(some), value=draw(st.integers(0, 3)), doubt=draw(rare))


def _path(project: Project, draw: st.DrawFn) -> str:
    return draw(st.sampled_from(sorted(project.sources)))


def _with(project: Project, path: str, source: SourceFile) -> Project:
    return replace(project, sources={**project.sources, path: source})


def _add(project: Project, draw: st.DrawFn) -> Project:
    path = draw(st.sampled_from(FILES))
    if path in project.sources:
        return project
    return _with(project, path, draw(_sources(tuple(sorted({path, *project.sources})))))


def _remove(project: Project, draw: st.DrawFn) -> Project:
    gone = _path(project, draw)
    if len(project.sources) == 1:
        return project
    return replace(project, sources={path: source for path, source in project.sources.items() if path != gone})


def _rename(project: Project, draw: st.DrawFn) -> Project:
    old, new = _path(project, draw), draw(st.sampled_from(FILES))
    if new in project.sources:
        return project
    kept = {path: source for path, source in project.sources.items() if path != old}
    return replace(project, sources={**kept, new: project.sources[old]})


def _rewrite(project: Project, draw: st.DrawFn) -> Project:
    path = _path(project, draw)
    return _with(project, path, replace(project.sources[path], value=project.sources[path].value + 1))


def _comment(project: Project, draw: st.DrawFn) -> Project:
    path = _path(project, draw)
    return _with(project, path, replace(project.sources[path], comment=project.sources[path].comment + 1))


def _reimport(project: Project, draw: st.DrawFn) -> Project:
    path = _path(project, draw)
    other = draw(_sources(tuple(sorted(project.sources))))
    return _with(project, path, replace(project.sources[path], imports=other.imports, lazy=other.lazy))


def _doubt(project: Project, draw: st.DrawFn) -> Project:
    path = _path(project, draw)
    return _with(project, path, replace(project.sources[path], doubt=not project.sources[path].doubt))


def _card(project: Project, draw: st.DrawFn) -> Project:
    package = draw(st.sampled_from(PACKAGES))
    card = project.cards[package]
    changed = draw(
        st.sampled_from(
            (
                replace(card, owner="bob@example.com"),
                replace(card, label="critical"),
                replace(card, run="false"),
                replace(card, inputs=None),
                replace(card, inputs=("/util/*.py",)),
                replace(card, interface=("work",)),
            )
        )
    )
    return replace(project, cards={**project.cards, package: changed})


def _asset(project: Project, draw: st.DrawFn) -> Project:
    path = draw(st.sampled_from(("app/page.txt", "util/new.txt", "README.md", "setup.cfg")))
    return replace(project, others={**project.others, path: project.others.get(path, "") + "more\n"})


EDITS: Mapping[str, Callable[[Project, st.DrawFn], Project]] = {
    "add": _add,
    "remove": _remove,
    "rename": _rename,
    "rewrite": _rewrite,
    "comment": _comment,
    "reimport": _reimport,
    "doubt": _doubt,
    "card": _card,
    "asset": _asset,
}
