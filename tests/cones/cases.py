"""Digest cases: plain JSON values for the naive implementation, and the same values as the package's own types."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from git_assay.cones.compute import CardParts, ContentDigests, ModeDigester
from git_assay.cones.network import build_network
from git_assay.cones.parts import TreeParts
from git_assay.git.snapshot import Entry
from git_assay.modules.card import Card, Check, VerdictMap
from git_assay.modules.model import LoadedCard, Ownership, Piece
from git_assay.syntax.facts import ImportKind
from git_assay.values.digests import Mode
from git_assay.values.ids import ASSAY_SUBJECT, Digest, ModuleId, ObjectId, TreePath
from tests.cones.naive import Case
from tests.cones.portable import import_graph

PATHS = ("a.py", "b.py", "c.py", "d.py", "e.py", "p/f.py", "p/g.py", "note.txt", ".assay/config.yml")
SOURCES = tuple(path for path in PATHS if path.endswith(".py"))
KINDS = ("tests", "static", "build", "property", "smoke")


def content(word: str) -> str:
    return hashlib.sha256(word.encode()).hexdigest()


def file(path: str, text: str = "", *, mode: int = 0o100644, comment: str = "") -> Case:
    """A file whose exact digest also depends on `comment`; a file that is no source has one digest."""
    exact = content(path + text + comment)
    return {"mode": mode, "exact": exact, "code": content(path + text) if path.endswith(".py") else exact}


def piece(case: Case, path: str, symbol: str | None = None, *, asset: bool = False) -> Case:
    whole = case["files"][path]
    values = {mode: whole[mode] if symbol is None else content(whole[mode] + symbol) for mode in ("exact", "code")}
    return {"path": path, "symbol": symbol, "asset": asset, **values}


def module(case: Case, name: str, pieces: list[Case], checks: list[Case] | None = None) -> None:
    case["modules"][name] = {
        "contract": ["interface", name, []],
        "governance": ["card", name, [check["name"] for check in checks or []]],
        "pieces": pieces,
        "checks": checks or [],
    }


def check(name: str, kind: str, inputs: list[str] | None) -> Case:
    """inputs: exact patterns from the root, so that what they match is what they say."""
    found = None if inputs is None else [pattern.lstrip("/") for pattern in inputs]
    written = {"name": name, "kind": kind, "run": "true", "inputs": inputs, "found": found}
    return {**written, "retry": [1], "fatal": [2, 3], "scope": "internal"}


def empty_case(files: Mapping[str, Case]) -> Case:
    case: Case = {"files": dict(files), "sources": sorted(path for path in files if path.endswith(".py"))}
    case |= {"edges": [], "hubs": {}, "modules": {}}
    assay = [piece(case, path, asset=True) for path in sorted(files) if path.startswith(".assay/")]
    case["modules"][".assay"] = {"contract": None, "governance": None, "pieces": assay, "checks": []}
    return case


def produced(case: Case) -> Case:
    """Returns what the package computes for a case, in the form of `naive.digests`."""
    parts = tree_parts(case)
    network = build_network(parts.graph, (piece.path for owned in parts.ownership.pieces.values() for piece in owned))
    cards = {
        ModuleId(name): CardParts(value["contract"], value["governance"])
        for name, value in case["modules"].items()
        if name != ASSAY_SUBJECT
    }
    found: Case = {name: {} for name in sorted(case["modules"])}
    for mode in Mode:
        word = mode.value.lower()
        for name, value in ModeDigester(parts, network, cards, _content(case, mode)).all().items():
            cone = {reach.value: digest for reach, digest in value.cone.items()}
            found[name][word] = {"own": value.own, "cone": cone, "checks": dict(value.checks), "gov": value.gov}
    return found


def tree_parts(case: Case) -> TreeParts:
    graph = import_graph(case)
    ownership = _ownership(case)
    return TreeParts(
        entries={_path(path): Entry(value["mode"], ObjectId("0" * 40)) for path, value in case["files"].items()},
        cards={ModuleId(name): _card(name, value) for name, value in _declared(case)},
        ownership=ownership,
        graph=graph,
        assay=tuple(_path(piece["path"]) for piece in case["modules"][".assay"]["pieces"]),
    )


def _content(case: Case, mode: Mode) -> ContentDigests:
    word = mode.value.lower()
    files = {_path(path): Digest(value[word]) for path, value in case["files"].items()}
    symbols = {
        Piece(_path(piece["path"]), piece["symbol"]): Digest(piece[word])
        for value in case["modules"].values()
        for piece in value["pieces"]
        if piece["symbol"] is not None
    }
    return ContentDigests(mode, files, symbols)


def _ownership(case: Case) -> Ownership:
    def owned(value: Case, asset: bool) -> list[Piece]:
        return [Piece(_path(piece["path"]), piece["symbol"]) for piece in value["pieces"] if piece["asset"] == asset]

    return Ownership(
        owner={},
        symbols={},
        pieces={ModuleId(name): tuple(owned(value, False)) for name, value in _declared(case)},
        assets={ModuleId(name): tuple(piece.path for piece in owned(value, True)) for name, value in _declared(case)},
        unowned=(),
        problems=(),
    )


def _card(name: str, value: Case) -> LoadedCard:
    checks = tuple(
        Check(
            name=check["name"],
            kind=check["kind"],
            run=check["run"],
            inputs=None if check["inputs"] is None else tuple(check["inputs"]),
            verdicts=VerdictMap(tuple(check["retry"]), tuple(check["fatal"])),
            scope=check["scope"],
        )
        for check in value["checks"]
    )
    card = Card(format="assay-card/1", module=name, goal="Something.", checks=checks)
    return LoadedCard(ModuleId(name), card, TreePath(b"assay.yml"), TreePath(b""), 1, b"")


def _declared(case: Case) -> list[tuple[str, Any]]:
    return sorted((name, value) for name, value in case["modules"].items() if name != ASSAY_SUBJECT)


def _path(text: str) -> TreePath:
    return TreePath(text.encode())


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Random graphs with cycles, hubs, externals and unresolved imports, owned by up to three modules."""
    modes = st.sampled_from((0o100644, 0o100755, 0o120000))
    text = st.sampled_from(("", "x", "y"))
    case = empty_case({path: file(path, draw(text), mode=draw(modes), comment=draw(text)) for path in PATHS})
    case["hubs"] = draw(st.dictionaries(st.sampled_from(("*python:", "*python:p")), _subset(SOURCES), max_size=2))
    case["edges"] = draw(st.lists(_edges(tuple(case["hubs"])), max_size=14))
    for name in draw(st.lists(st.sampled_from(("one", "two", "three")), min_size=1, unique=True)):
        owned = [piece(case, path, draw(st.sampled_from((None, None, "", "F.g")))) for path in draw(_subset(SOURCES))]
        assets = [piece(case, path, asset=True) for path in draw(_subset(("note.txt", "a.py")))]
        inputs = st.none() | _subset(["/" + path for path in PATHS])
        kinds = draw(st.lists(st.sampled_from(KINDS), max_size=2, unique=True))
        module(case, name, owned + assets, [check(kind, kind, draw(inputs)) for kind in kinds])
    return case


def _subset(items: Any) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(items), max_size=4, unique=True)


@st.composite
def _edges(draw: st.DrawFn, hubs: tuple[str, ...]) -> Case:
    edge: Case = {
        "source": draw(st.sampled_from(SOURCES)),
        "written": draw(st.sampled_from(("m", ".m:n", "k"))),
        "kind": draw(st.sampled_from([kind.value for kind in ImportKind])),
        "reach": draw(st.sampled_from(("load", "load", "run", "all"))),
    }
    path = st.sampled_from((*SOURCES, "note.txt")).map(lambda value: ("path", value))
    outside = st.sampled_from((("external", "numpy"), ("unresolved", "beyond root"), ("unresolved", "numpy")))
    ends = [path, path, path, outside]
    if hubs:
        ends.append(st.sampled_from(hubs).map(lambda value: ("hub", value)))
    where, value = draw(st.one_of(ends))
    return {**edge, where: value}
