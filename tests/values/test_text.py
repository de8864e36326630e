"""Does foreign text stay harmless, and do byte paths survive being written as text?"""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_assay.values.ids import TreePath, is_module_id
from git_assay.values.text import clean, path_bytes, path_text


@given(st.binary(min_size=1))
def test_every_byte_path_survives_the_round_trip_through_text(raw: bytes) -> None:
    text = path_text(TreePath(raw))
    assert path_bytes(text) == raw
    text.encode()  # no surrogates are left


@given(st.text())
def test_cleaned_text_has_nothing_that_steers_a_terminal(text: str) -> None:
    shown = clean(text)
    assert all(unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Zl", "Zp"} for char in shown)
    assert shown == clean(shown)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain é", "plain é"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\u202eb", "a\\u202eb"),
        ("two\nlines", "two\\x0alines"),
        ("tag\U000e0041", "tag\\U000e0041"),
    ],
)
def test_clean_shows_what_was_hidden(text: str, shown: str) -> None:
    assert clean(text) == shown


def test_newlines_are_kept_only_when_asked() -> None:
    assert clean("a\nb\r", keep_newlines=True) == "a\nb\\x0d"


@pytest.mark.parametrize("text", ["a%", "a%2", "a%zz", "100%"])
def test_a_stray_percent_is_not_a_path(text: str) -> None:
    with pytest.raises(ValueError, match="stray"):
        path_bytes(text)


@pytest.mark.parametrize("good", ["a", "invoice", "core.db", "a-1.b2", "x" * 64])
def test_module_ids_are_lower_case_words(good: str) -> None:
    assert is_module_id(good)


@pytest.mark.parametrize("bad", ["", "A", "1a", "a_b", ".assay", "a..b", "a-", "x" * 65, "a\n", "é"])
def test_everything_else_is_no_module_id(bad: str) -> None:
    assert not is_module_id(bad)


@given(st.binary(min_size=1) | st.text(alphabet="a:%", min_size=1).map(str.encode))
def test_a_path_never_reads_as_a_symbol_of_another_path(path: bytes) -> None:
    text = path_text(TreePath(path))
    assert path_bytes(text) == path
    assert "::" not in text
