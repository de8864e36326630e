"""Is what a reader of a card cannot see, or would read otherwise, refused?"""

from __future__ import annotations

import msgspec
import pytest

from git_assay.documents.nodes import DEPTH
from git_assay.documents.reader import decode
from git_assay.values.ids import TreePath


class Inner(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    share: float | None = None


class Outer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    goal: str = ""
    table: dict[str, Inner] = {}


def places(text: str) -> list[tuple[int, int, str]]:
    _, problems = decode(text.encode(), path=TreePath(b"x.yml"), type=Outer)
    return [(problem.line, problem.column, problem.code) for problem in problems]


@pytest.mark.parametrize("hidden", ["\x00", "\x07", "\x1b", "\x7f", "\x85", "\x9b", "\u2028", "\u2029", "\uffff"])
def test_a_character_that_nobody_sees_is_refused_where_it_stands(hidden: str) -> None:
    assert places(f"# caf\u00e9\ngoal: \u00e9{hidden}\n") == [(2, 8, "encoding")]
    assert places(f"table: {{}} # {hidden}\n") == [(1, 13, "encoding")]


def test_a_hidden_character_may_be_written_as_an_escape() -> None:
    value, problems = decode(b'goal: "\\u2028\\x1b"\n', path=TreePath(b"x.yml"), type=Outer)
    assert problems == ()
    assert value == Outer("\u2028\x1b")


def test_a_merge_key_is_refused_where_any_key_is_allowed() -> None:
    assert places("table:\n  <<: {share: 1}\n") == [(2, 3, "merge-key")]
    assert places("table:\n  '<<': {share: 1}\n") == []


@pytest.mark.parametrize("nothing", ["null", "~", "NULL", "? \n  "])
def test_nothing_is_no_key(nothing: str) -> None:
    assert places(f"table:\n  {nothing}: {{share: 1}}\n")[0][::2] == (2, "key")


@pytest.mark.parametrize("written", ["1e999", "-1e400", ".inf", ".nan", "1_0", "0x1", "1:30"])
def test_a_number_is_finite_and_decimal(written: str) -> None:
    assert places(f"table: {{a: {{share: {written}}}}}\n") == [(1, 20, "wrong-value")]


def test_nesting_is_refused_at_the_bracket_that_is_too_deep() -> None:
    assert places("[" * DEPTH + "]" * DEPTH) == [(1, 1, "wrong-value")]
    assert (1, DEPTH + 1, "too-deep") in places("[" * (DEPTH + 1) + "]" * (DEPTH + 1))
