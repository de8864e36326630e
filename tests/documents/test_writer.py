"""Does what is written read back as what was meant, and does nothing that stands there change?"""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_assay.documents.reader import decode, decode_stream
from git_assay.documents.writer import appended, flow_list, scalar
from git_assay.values.ids import TreePath

PATH = TreePath(b"x.yml")


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    one: str
    many: tuple[str, ...] = ()


@given(st.text(st.characters(codec="utf-8")), st.lists(st.text(st.characters(codec="utf-8"))))
def test_any_text_survives_being_written(one: str, many: list[str]) -> None:
    text = f"one: {scalar(one)}\nmany: {flow_list(many)}\n"
    value, problems = decode(text.encode(), path=PATH, type=Words)
    assert problems == ()
    assert value == Words(one, tuple(many))


@pytest.mark.parametrize("word", ["yes", "1.0", "null", "2026-01-01", "- a", "a: b", "#x", "@acme/team", "*", ""])
def test_a_word_that_could_be_misread_is_quoted(word: str) -> None:
    assert scalar(word).startswith('"')


@pytest.mark.parametrize("existing", [b"# mine\none: a # why\n", b"one: a", b"---\none: a\n"])
def test_an_appended_document_leaves_every_byte_before_it(existing: bytes) -> None:
    data = appended(existing, "one: b\n")
    assert data.startswith(existing)
    documents, problems = decode_stream(data, path=PATH, type=Words)
    assert problems == ()
    assert [found.value.one for found in documents if found.value] == ["a", "b"]


def test_a_new_file_holds_the_document_alone() -> None:
    assert appended(None, "one: b\n") == b"one: b\n"
