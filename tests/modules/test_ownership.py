"""Who owns each file and symbol, by the whole table of precedence, and what is refused?"""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_assay.git.snapshot import MODE_LINK, MODE_SUBMODULE
from git_assay.modules.load import load_declarations
from git_assay.modules.model import Piece
from git_assay.modules.unmatched import unmatched_patterns
from git_assay.values.ids import TreePath
from tests.modules.trees import card, owned, owner_of, tree

CODE = """\
LIMIT = 3


def f(x):
    return x


class C:
    def m(self):
        return 1

    def n(self):
        return 2
"""


def owner(files: Mapping[str, str | bytes], path: str) -> str | None:
    return owner_of(owned(files)[2]).get(path)


def problems_of(files: Mapping[str, str | bytes]) -> list[str]:
    found = owned(files)[2].problems
    return [f"{problem.path}:{problem.line}:{problem.column} {problem.code} {problem.message}" for problem in found]


PRECEDENCE: dict[str, tuple[str, dict[str, tuple[str, ...]]]] = {
    "the default of the deepest directory": (
        "deep",
        {"assay.yml top": (), "p/q/assay.yml deep": (), "p/assay.yml mid": ()},
    ),
    "a glob over a deeper default": ("top", {"assay.yml top": ("owns: ['*.py']",), "p/q/assay.yml deep": ()}),
    "the glob of the deeper card": (
        "deep",
        {"assay.yml top": ("owns: ['/p/q/*.py']",), "p/q/assay.yml deep": ("owns: ['*.py']",)},
    ),
    "an exact path over a deeper glob": (
        "top",
        {"assay.yml top": ("owns: [/p/q/a.py]",), "p/q/assay.yml deep": ("owns: ['*.py']",)},
    ),
    "an exact relative path": (
        "mid",
        {"p/assay.yml mid": ("owns: [q/a.py]",), "p/q/assay.yml deep": ("owns: ['*']",)},
    ),
    "a bare name beside the card is exact": (
        "deep",
        {"assay.yml top": ("owns: ['p/q/*']",), "p/q/assay.yml deep": ("owns: [a.py]",)},
    ),
    "a directory is a glob": (
        "deep",
        {"assay.yml top": ("owns: [/p/q]",), "p/q/assay.yml deep": ("owns: ['*.py']",)},
    ),
    "no default when the card owns something else": (
        "top",
        {"assay.yml top": (), "p/q/assay.yml deep": ("owns: [b.py]",)},
    ),
    "two entries of one card do not contradict": ("top", {"assay.yml top": ("owns: ['*.py', '/p/**', /p/q/a.py]",)}),
}


@pytest.mark.parametrize("case", PRECEDENCE)
def test_precedence(case: str) -> None:
    expected, cards = PRECEDENCE[case]
    files: dict[str, str | bytes] = {"p/q/a.py": "", "p/q/b.py": ""}
    for place, lines in cards.items():
        path, module = place.split()
        files[path] = card(module, *lines)
    assert owner(files, "p/q/a.py") == expected
    assert problems_of(files) == []


def test_a_symbol_entry_wins_over_every_claim_on_the_file() -> None:
    files = {"assay.yml": card("top", "owns: ['p/a.py::f']"), "p/assay.yml": card("p", "owns: [a.py]"), "p/a.py": CODE}
    ownership = owned(files)[2]
    assert ownership.symbols == {(b"p/a.py", "f"): "top"}
    assert ownership.pieces["top"] == (Piece(TreePath(b"p/a.py"), "f"),)  # type: ignore[index]
    assert ownership.pieces["p"] == (Piece(TreePath(b"p/a.py"), ""),)  # type: ignore[index]
    assert ownership.problems == ()


@pytest.mark.parametrize(
    "files",
    [
        {"p/assay.yml": card("a") + "---\n" + card("b")},
        {"p/assay.yml": card("a", "owns: ['*.py']") + "---\n" + card("b", "owns: ['[a-z].py']")},
        {"assay.yml": card("a", "owns: [p/x.py]"), "p/assay.yml": card("b", "owns: [x.py]")},
    ],
    ids=["two defaults", "two globs of one depth", "two exact paths"],
)
def test_claims_of_equal_weight_are_refused_and_nobody_owns_the_file(files: dict[str, str | bytes]) -> None:
    files = {**files, "p/x.py": ""}
    ownership = owned(files)[2]
    [problem] = ownership.problems
    assert problem.code == "double-owner"
    assert problem.message == "p/x.py: claimed with equal weight by a and b"
    assert ownership.owner == {}
    assert ownership.unowned == (b"p/x.py",)


def test_a_claim_elsewhere_is_refused_with_both_cards_named() -> None:
    files = {"a/assay.yml": card("a", "owns: ['*.py', /b/x.py]"), "b/assay.yml": card("b"), "b/x.py": "", "a/x.py": ""}
    assert problems_of(files) == [
        "a/assay.yml:4:16 claims-elsewhere b/x.py lies outside the directory of the card, "
        "and module b owns it and does not lend it"
    ]
    assert owner(files, "b/x.py") == "b"


def test_a_claim_elsewhere_where_no_card_is_is_refused() -> None:
    files = {"a/assay.yml": card("a", "owns: [/b/x.py]"), "b/x.py": ""}
    [problem] = problems_of(files)
    assert "claims-elsewhere" in problem
    assert "no card there lends it" in problem
    assert owner(files, "b/x.py") is None


@pytest.mark.parametrize(
    ("lent", "expected"),
    [("{pattern: x.py, to: a}", "a"), ("{pattern: '*', to: a}", "a"), ("{pattern: x.py, to: c}", "b")],
)
def test_a_claim_elsewhere_counts_when_the_owner_lends_to_that_module(lent: str, expected: str) -> None:
    files = {
        "a/assay.yml": card("a", "owns: [/b/x.py]"),
        "b/assay.yml": card("b", f"lends: [{lent}]"),
        "c/assay.yml": card("c"),
        "b/x.py": "",
    }
    assert owner(files, "b/x.py") == expected
    assert bool(problems_of(files)) == (expected == "b")


def test_a_card_that_does_not_own_a_file_cannot_lend_it() -> None:
    files = {
        "a/assay.yml": card("a", "owns: [/b/c/x.py]"),
        "b/assay.yml": card("b", "lends: [{pattern: c/x.py, to: a}]"),
        "b/c/assay.yml": card("c"),
        "b/c/x.py": "",
    }
    assert owner(files, "b/c/x.py") == "c"
    assert "module c owns it and does not lend it" in problems_of(files)[0]


def test_a_file_lent_to_two_that_both_claim_it_is_owned_by_nobody() -> None:
    files = {
        "a/assay.yml": card("a", "owns: [/b/x.py]"),
        "c/assay.yml": card("c", "owns: [/b/x.py]"),
        "b/assay.yml": card("b", "lends: [{pattern: x.py, to: a}, {pattern: x.py, to: c}]"),
        "b/x.py": "",
    }
    assert "c/assay.yml:4:7 double-owner b/x.py is lent to and claimed by a and c" in problems_of(files)
    assert owner(files, "b/x.py") is None


def symbols(files: Mapping[str, str | bytes]) -> dict[str, str]:
    return {name: str(module) for (_, name), module in owned({**files, "b/x.py": CODE})[2].symbols.items()}


def test_a_symbol_elsewhere_counts_when_it_is_lent_and_only_then() -> None:
    wants = {"a/assay.yml": card("a", "owns: ['/b/x.py::f']")}
    assert symbols({**wants, "b/assay.yml": card("b", "lends: [{pattern: 'x.py::f', to: a}]")}) == {"f": "a"}
    assert symbols({**wants, "b/assay.yml": card("b", "lends: [{pattern: x.py, to: a}]")}) == {"f": "a"}
    assert symbols({**wants, "b/assay.yml": card("b", "lends: [{pattern: 'x.py::C', to: a}]")}) == {}
    refused = problems_of({**wants, "b/assay.yml": card("b"), "b/x.py": CODE})
    assert refused == [
        "a/assay.yml:4:8 claims-elsewhere b/x.py::f lies outside the directory of the card, "
        "and module b owns it and does not lend it"
    ]


def test_methods_and_classes_are_symbols() -> None:
    cards = card("one", "owns: ['x.py::C.m']") + "---\n" + card("two", "owns: ['x.py::f', '*']")
    assert symbols({"b/assay.yml": cards}) == {"C.m": "one"}, "two owns the file, so its f is not carved"


@pytest.mark.parametrize(
    ("entry", "code", "words"),
    [
        ("x.py::g", "no-such-symbol", "b/x.py defines no 'g'"),
        ("x.py::LIMIT", "no-such-symbol", "b/x.py defines no 'LIMIT'"),
        ("y.py::f", "matches-nothing", "there is no file b/y.py"),
        ("*.py::f", "symbol", "without wildcards"),
        ("x.py::", "symbol", "without wildcards"),
        ("notes.txt::f", "no-such-symbol", "b/notes.txt defines no 'f'"),
    ],
)
def test_a_symbol_that_is_not_there_is_refused(entry: str, code: str, words: str) -> None:
    files = {"b/assay.yml": card("b", f"owns: ['*', '{entry}']"), "b/x.py": CODE, "b/notes.txt": "def f(): 0"}
    [problem] = problems_of(files)
    assert problem.startswith(f"b/assay.yml:4:13 {code} ")
    assert words in problem


def test_a_symbol_claimed_by_two_is_refused() -> None:
    files = {"b/assay.yml": card("a", "owns: ['x.py::f']") + "---\n" + card("c", "owns: ['x.py::f']"), "b/x.py": CODE}
    assert "double-owner b/x.py::f is claimed by a and c" in problems_of(files)[0]


def test_a_symbol_inside_a_carved_symbol_is_refused() -> None:
    cards = "---\n".join([card("b"), card("one", "owns: ['x.py::C']"), card("two", "owns: ['x.py::C.m']")])
    [problem] = problems_of({"b/assay.yml": cards, "b/x.py": CODE})
    assert "double-owner b/x.py::C.m lies inside C, which one claims" in problem


def test_files_of_every_type_are_owned_and_only_source_files_can_be_unowned() -> None:
    _, _, ownership = owned({"a/assay.yml": card("a"), "a/x.txt": "", "a/y.py": "", "b/x.txt": "", "b/y.py": ""})
    assert owner_of(ownership) == {"a/x.txt": "a", "a/y.py": "a"}
    assert ownership.unowned == (b"b/y.py",)


def test_links_and_submodules_are_owned_as_they_are_and_are_no_source_files() -> None:
    modes = {"a/link.py": MODE_LINK, "a/sub": MODE_SUBMODULE, "b/link.py": MODE_LINK}
    files = {"a/assay.yml": card("a"), "a/link.py": "x.py", "a/sub": "1" * 40, "b/link.py": "x.py"}
    _, _, ownership = owned(files, modes=modes)
    assert owner_of(ownership) == {"a/link.py": "a", "a/sub": "a"}
    assert ownership.unowned == ()


def test_cards_assay_and_attributes_are_never_owned() -> None:
    files = {
        "assay.yml": card("top", "owns: ['**', .assay/config.yml]"),
        "x/assay.yml": card("x"),
        ".gitattributes": "",
    }
    _, _, ownership = owned({**files, "x/.gitattributes": "", "x/y": ""})
    assert owner_of(ownership) == {"x/y": "top"}
    [problem] = ownership.problems
    assert problem.code == "matches-nothing"


def test_patterns_that_match_nothing_are_told() -> None:
    files = {"a/assay.yml": card("a", "owns: [x.py, gone.py]", "assets: ['*.txt', x.py]"), "a/x.py": ""}
    assert problems_of(files) == [
        "a/assay.yml:4:14 matches-nothing 'gone.py' matches no file",
        "a/assay.yml:5:10 matches-nothing '*.txt' matches no file",
    ]


def test_patterns_of_lends_dynamic_and_inputs_that_match_nothing_are_told() -> None:
    text = card(
        "a",
        "lends: [{pattern: 'x.py::f', to: a}, {pattern: 'gone.py::f', to: a}, {pattern: assay.yml, to: a}]",
        "dynamic: ['*.py', notes.txt]",
        "checks: [{name: u, kind: tests, run: 'true', inputs: [/a/**, x.py, '/b/*']}]",
    )
    snapshot = tree({"a/assay.yml": text, "a/x.py": "", "a/notes.txt": ""})
    files = [TreePath(b"a/x.py")]
    found = unmatched_patterns(load_declarations(snapshot), snapshot.entries, files)
    assert [f"{problem.line}:{problem.column} {problem.message}" for problem in found] == [
        "4:48 'gone.py::f' matches no file",
        "4:80 'assay.yml' matches no file",
        "5:19 'notes.txt' matches no source file",
        "6:68 '/b/*' matches no file",
    ]


NAMES = st.sampled_from(["a", "b", "c"])
DIRECTORIES = st.lists(NAMES, max_size=2).map("/".join)
PATHS = st.tuples(DIRECTORIES, st.sampled_from(["x.py", "y.py", "z.txt"])).map(
    lambda parts: "/".join(filter(None, parts))
)
PATTERNS = st.sampled_from(
    ["*.py", "x.py", "/a/**", "/a/x.py", "b/", "a/b/y.py", "*", "x.py::f", "/b/x.py::f", "**/y.py"]
)
CARDS = st.lists(
    st.tuples(
        DIRECTORIES, st.none() | st.lists(PATTERNS, max_size=3), st.lists(st.tuples(PATTERNS, NAMES), max_size=2)
    ),
    max_size=4,
)


@given(paths=st.lists(PATHS, min_size=1, max_size=8, unique=True), cards=CARDS)
@settings(max_examples=150, deadline=None)
def test_every_source_file_has_one_owner_or_is_told(
    paths: list[str], cards: list[tuple[str, list[str] | None, list[tuple[str, str]]]]
) -> None:
    """The law of 10-modules §3: the map is total over what is in scope, and assigns exactly one owner."""
    files: dict[str, str | bytes] = dict.fromkeys(paths, CODE)
    modules = [f"m{place}" for place in range(len(cards))]
    for module, (directory, owns, lends) in zip(modules, cards, strict=True):
        lines = [f"owns: {owns!r}"] if owns is not None else []
        entries = ", ".join(f"{{pattern: '{text}', to: m{ord(to) % len(cards)}}}" for text, to in lends)
        path = f"{directory}/assay.yml" if directory else "assay.yml"
        files[path] = str(files.get(path, "")) + "---\n" + card(module, *lines, f"lends: [{entries}]")
    _, _, ownership = owned(files)
    sources = {path.encode() for path in paths if path.endswith(".py")}
    assert {path for path in sources if path not in ownership.owner} == set(ownership.unowned)
    assert set(ownership.owner) <= {path.encode() for path in paths}
    pieces = [piece for module in modules for piece in ownership.pieces[module]]  # type: ignore[index]
    assert len(pieces) == len(set(pieces)), "no piece has two owners"
    assert {piece.path for piece in pieces if not piece.symbol} == set(ownership.owner)
    assert {(piece.path, piece.symbol) for piece in pieces if piece.symbol} == set(ownership.symbols)
    if any(owns is None and not directory for directory, owns, _ in cards):
        assert not ownership.unowned or any(problem.code == "double-owner" for problem in ownership.problems)
    elif not cards:
        assert ownership.owner == {}
