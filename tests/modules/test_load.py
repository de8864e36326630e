"""Is every defect of cards and configuration found, with its file, line and column, and all at once?"""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest

from git_assay.errors import AssayError, ErrorKind
from git_assay.git.snapshot import MODE_LINK
from git_assay.modules.card import Card, Check
from git_assay.modules.load import NotAdopted, load_declarations
from git_assay.syntax.languages import EXTRACTOR_VERSION
from git_assay.values.ids import ModuleId
from tests.modules.trees import CONFIG, card, tree
from tests.snapshots import memory_snapshot

PAGE = Path(__file__).parents[2] / "docs" / "formats" / "cards.md"
RETIRED = "format: assay-retired/1\nretired:\n  - {id: gone, date: 2026-01-01, reason: split}\n"
CHECK = "checks:\n  - {name: unit, kind: tests, run: 'true'%s}"


def problems_of(files: dict[str, str | bytes], *, modes: dict[str, int] | None = None) -> list[str]:
    found = load_declarations(tree(files, modes=modes)).problems
    return [f"{problem.path}:{problem.line}:{problem.column} {problem.code} {problem.message}" for problem in found]


def in_check(more: str) -> dict[str, str | bytes]:
    return {"a/assay.yml": card("a", CHECK % more)}


DEFECTS: dict[str, tuple[dict[str, str | bytes], str]] = {
    "bad id": ({"a/assay.yml": card("A_b")}, "a/assay.yml:2:9 module-id 'A_b' is not a module id"),
    "long id": ({"a/assay.yml": card("a" * 65)}, "a/assay.yml:2:9 module-id"),
    "reserved id": ({"a/assay.yml": card(".assay")}, "a/assay.yml:2:9 module-id"),
    "duplicate id over two files": (
        {"a/assay.yml": card("x"), "b/assay.yml": card("x")},
        "b/assay.yml:2:9 duplicate-id module x is already declared in a/assay.yml:1",
    ),
    "duplicate id in one file": (
        {"a/assay.yml": card("x") + "---\n" + card("x")},
        "a/assay.yml:6:9 duplicate-id module x is already declared in a/assay.yml:1",
    ),
    "retired id": (
        {".assay/retired.yml": RETIRED, "a/assay.yml": card("gone")},
        "a/assay.yml:2:9 retired-id id gone is retired and is never used again",
    ),
    "empty goal": (
        {"a/assay.yml": "format: assay-card/1\nmodule: a\ngoal: ' '\n"},
        "a/assay.yml:3:7 empty-goal",
    ),
    "unknown parent": ({"a/assay.yml": card("a", "parent: b")}, "a/assay.yml:4:9 unknown-module"),
    "unknown dependency": (
        {"a/assay.yml": card("a", "depends: [a, b]")},
        "a/assay.yml:4:14 unknown-module no card declares 'b'",
    ),
    "lent to nobody": (
        {"a/assay.yml": card("a", "lends: [{pattern: x.py, to: b}]")},
        "a/assay.yml:4:29 unknown-module no card declares 'b'",
    ),
    "input from nowhere": (
        {"a/assay.yml": card("a", "inputs: [{name: x, from: 'module:b'}]")},
        "a/assay.yml:4:26 unknown-module no card declares 'b'",
    ),
    "provenance of another kind": (
        {"a/assay.yml": card("a", "interface: [{name: f, params: [{name: x, from: elsewhere}]}]")},
        "a/assay.yml:4:48 provenance 'elsewhere' is not a source",
    ),
    "parent cycle": (
        {"a/assay.yml": card("a", "parent: b"), "b/assay.yml": card("b", "parent: a")},
        "b/assay.yml:4:9 parent-cycle parents form a cycle: b -> a -> b",
    ),
    "own parent": ({"a/assay.yml": card("a", "parent: a")}, "a/assay.yml:4:9 parent-cycle"),
    "duplicate check": (
        {"a/assay.yml": card("a", CHECK % "", "  - {name: unit, kind: build, run: make}")},
        "a/assay.yml:6:12 duplicate-check check 'unit' stands twice",
    ),
    "check without command": (
        {"a/assay.yml": card("a", "checks: [{name: u, kind: tests, run: ''}]")},
        "a/assay.yml:4:38 empty-run",
    ),
    "check name with a space": (
        {"a/assay.yml": card("a", "checks: [{name: a b, kind: tests, run: 'true'}]")},
        "a/assay.yml:4:17 word",
    ),
    "review as a check": (
        {"a/assay.yml": card("a", "checks: [{name: u, kind: review, run: 'true'}]")},
        "a/assay.yml:4:26 kind 'review' is evidence by people",
    ),
    "timeout of nothing": (in_check(", timeout: 0"), "a/assay.yml:5:53 timeout"),
    "timeout of a month": (in_check(", timeout: 2592000"), "a/assay.yml:5:53 timeout"),
    "exit code of pass": (in_check(", verdicts: {retry: [0]}"), "a/assay.yml:5:54 exit-code exit codes are 1 to 255"),
    "exit code too large": (in_check(", verdicts: {fatal: [256]}"), "a/assay.yml:5:54 exit-code"),
    "exit code of two verdicts": (
        in_check(", verdicts: {retry: [1], fatal: [1]}"),
        "a/assay.yml:5:54 exit-code an exit code has two verdicts",
    ),
    "unknown key": ({"a/assay.yml": card("a", "owner: me")}, "did you mean 'owners'?"),
    "newer format": (
        {"a/assay.yml": card("a").replace("card/1", "card/2")},
        "a/assay.yml:1:9 wrong-value 'format' must be",
    ),
    "empty file": ({"a/assay.yml": ""}, "a/assay.yml:0:0 empty"),
    "configuration without an id": (
        {".assay/config.yml": f"format: assay-config/1\nrepository: abc\nextractor: {EXTRACTOR_VERSION}\n"},
        ".assay/config.yml:2:13 repository-id 'repository' must be 32 lowercase hex digits",
    ),
    "configuration that is no YAML": ({".assay/config.yml": "["}, ".assay/config.yml:"),
    "retired on no day": (
        {".assay/retired.yml": RETIRED.replace("2026-01-01", "yesterday")},
        ".assay/retired.yml:3:22 date",
    ),
    "retired twice": (
        {".assay/retired.yml": RETIRED + "  - {id: gone, date: 2026-01-02, reason: again}\n"},
        ".assay/retired.yml:4:10 retired-id 'gone' stands twice",
    ),
    "retired under no id": (
        {".assay/retired.yml": RETIRED.replace("gone", "Gone")},
        ".assay/retired.yml:3:10 retired-id 'Gone' is not a module id",
    ),
}


@pytest.mark.parametrize("defect", DEFECTS)
def test_defect_is_told_with_its_place(defect: str) -> None:
    files, expected = DEFECTS[defect]
    found = problems_of(files)
    assert any(expected in problem for problem in found), found


def test_a_card_that_is_a_link_is_refused() -> None:
    [problem] = problems_of({"a/assay.yml": "../b/assay.yml"}, modes={"a/assay.yml": MODE_LINK})
    assert problem.startswith("a/assay.yml:0:0 not-a-file")


@pytest.mark.parametrize("name", ["config.yml", "policy.yml", "allowed_signers", "retired.yml"])
def test_what_governs_is_no_link(name: str) -> None:
    path = f".assay/{name}"
    assert f"{path}:0:0 not-a-file what governs must be a file, not a link" in problems_of(
        {path: "../elsewhere"}, modes={path: MODE_LINK}
    )


def test_a_missing_configuration_is_a_problem() -> None:
    [problem] = load_declarations(memory_snapshot({".assay/policy.yml": "", "assay.yml": card("a")})).problems
    assert (problem.path, problem.code) == (".assay/config.yml", "missing-file")


def test_a_tree_without_assay_has_not_adopted() -> None:
    with pytest.raises(NotAdopted) as caught:
        load_declarations(memory_snapshot({"assay.yml": card("a")}))
    assert caught.value.hint == "git assay init"


def test_another_extractor_than_the_pinned_one_decides_nothing() -> None:
    config = CONFIG.replace(f"extractor: {EXTRACTOR_VERSION}", f"extractor: {EXTRACTOR_VERSION + 1}")
    with pytest.raises(AssayError, match=f"pins extractor {EXTRACTOR_VERSION + 1}") as caught:
        load_declarations(tree({".assay/config.yml": config}))
    assert caught.value.kind is ErrorKind.CANNOT_DECIDE
    assert caught.value.hint is not None
    assert caught.value.hint.startswith("pip install")


def test_all_problems_of_all_documents_are_told_at_once() -> None:
    found = problems_of(
        {
            ".assay/config.yml": "format: assay-config/1\n",
            ".assay/retired.yml": "retired: none\n",
            "a/assay.yml": card("a", "depends: [nobody]", "parent: nobody"),
            "b/assay.yml": card("b", "owner: me") + "---\n" + card("B"),
        }
    )
    assert {problem.split(":")[0] for problem in found} == {
        ".assay/config.yml",
        ".assay/retired.yml",
        "a/assay.yml",
        "b/assay.yml",
    }
    assert len(found) >= 7
    assert found == sorted(found, key=lambda problem: problem.split(":")[0])


def test_a_card_knows_its_place_and_its_own_text() -> None:
    text = card("a", "labels: [critical]")
    declarations = load_declarations(tree({"x/y/assay.yml": card("b") + "---\n" + text, "assay.yml": card("c")}))
    assert declarations.problems == ()
    assert list(declarations.cards) == ["a", "b", "c"]
    loaded = next(iter(declarations.cards.values()))
    assert (loaded.path, loaded.directory, loaded.line) == (b"x/y/assay.yml", b"x/y", 4)
    assert loaded.source == b"---\n" + text.encode()
    assert list(declarations.cards.values())[2].directory == b""


def test_cards_under_assay_are_not_cards() -> None:
    assert not load_declarations(tree({".assay/assay.yml": "nonsense: ["})).cards


def test_the_documented_card_loads_and_every_key_is_documented() -> None:
    text = PAGE.read_text(encoding="utf-8")
    shown = re.findall(r"^```yaml\n(format: assay-card/1\n.*?)^```", text, re.DOTALL | re.MULTILINE)
    others = "---\n".join(map(card, ["order", "tax", "billing"]))
    declarations = load_declarations(tree({"src/billing/assay.yml": shown[0], "a/assay.yml": others}))
    assert declarations.problems == ()
    written = msgspec.to_builtins(declarations.cards[ModuleId("invoice")].card)
    assert all(written[field] for field in Card.__struct_fields__), "the example shows every key"
    for type_ in (Card, Check):
        for field in msgspec.structs.fields(type_):
            assert f"`{field.encode_name}`" in text, field.encode_name
