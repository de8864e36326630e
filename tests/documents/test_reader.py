"""Is what a document says read as written, and what is wrong with it told with its place, all at once?"""

from __future__ import annotations

from typing import Literal

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from git_assay.documents.reader import decode, decode_stream, place_of
from git_assay.modules.card import Card
from git_assay.modules.config import Config, Retired
from git_assay.values.ids import TreePath

PATH = TreePath(b"x/assay.yml")


class Inner(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    size: int = 0


class Outer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One field of each kind that the formats use."""

    name: str
    kind: Literal["tests", "build"] = "tests"
    ratio: float = 0.0
    loud: bool = False
    inner: Inner | None = None
    words: tuple[str, ...] = ()
    either: bool | str = False
    table: dict[str, Inner] = {}


def value_of(text: str) -> Outer:
    value, problems = decode(text.encode(), path=PATH, type=Outer)
    assert problems == ()
    assert value is not None
    return value


def problems_of(data: str | bytes) -> list[str]:
    value, problems = decode(data if isinstance(data, bytes) else data.encode(), path=PATH, type=Outer)
    assert value is None
    return [f"{problem.line}:{problem.column} {problem.code}: {problem.message}" for problem in problems]


@pytest.mark.parametrize(
    "written", ["2026-01-01", "yes", "no", "on", "1.0", "010", "0x10", "12:30:00", ".inf", "1_000", "True", "true"]
)
def test_where_text_is_wanted_a_plain_word_is_the_text_that_was_written(written: str) -> None:
    assert value_of(f"name: {written}\nwords: [{written}]\n") == Outer(name=written, words=(written,))


def test_every_kind_of_value_is_read() -> None:
    text = 'name: "a: b"\nkind: build\nratio: 1\nloud: true\ninner: {size: -3}\nwords:\n  - |\n    two\n    lines\n'
    more = "either: from 2027\ntable:\n  a: {size: 1}\n  b: {}\n"
    assert value_of(text + more) == Outer(
        name="a: b",
        kind="build",
        ratio=1.0,
        loud=True,
        inner=Inner(-3),
        words=("two\nlines\n",),
        either="from 2027",
        table={"a": Inner(1), "b": Inner(0)},
    )


def test_an_absent_optional_value_may_be_written_as_nothing() -> None:
    for nothing in ("", " ~", " null"):
        assert value_of(f"name: x\ninner:{nothing}\n").inner is None


def test_a_quoted_word_is_text_and_never_a_truth_value_or_number() -> None:
    assert value_of('name: x\neither: "true"\n').either == "true"
    assert problems_of('name: x\nloud: "true"\n') == ["2:7 wrong-value: 'loud' must be true or false, found 'true'"]
    assert len(problems_of('name: x\nratio: "1"\n')) == 1


DEFECTS: dict[str, tuple[str | bytes, str]] = {
    "unknown key": ("name: x\nkimd: tests\n", "2:1 unknown-key: unknown key 'kimd' in document: did you mean 'kind'?"),
    "unknown inner key": ("name: x\ninner: {siz: 1}\n", "2:9 unknown-key: unknown key 'siz' in 'inner'"),
    "missing key": ("kind: build\n", "1:1 missing-key: document needs the key 'name'"),
    "wrong word": ("name: x\nkind: test\n", "2:7 wrong-value: 'kind' must be"),
    "list for text": ("name: [x]\n", "1:7 wrong-value: 'name' must be text"),
    "text for list": ("name: x\nwords: a\n", "2:8 wrong-value: 'words' must be a list"),
    "text for mapping": ("name: x\ntable: a\n", "2:8 wrong-value: 'table' must be a mapping"),
    "nothing for text": ("name:\n", "1:6 wrong-value: 'name' must be text"),
    "yes is not true": ("name: x\nloud: yes\n", "2:7 wrong-value: 'loud' must be true or false, found 'yes'"),
    "hexadecimal": ("name: x\ninner: {size: 0x10}\n", "2:15 wrong-value: 'size' must be a whole number"),
    "leading zero": ("name: x\ninner: {size: 010}\n", "2:15 wrong-value: 'size' must be a whole number"),
    "fraction": ("name: x\ninner: {size: 1.5}\n", "2:15 wrong-value: 'size' must be a whole number"),
    "not a number": ("name: x\nratio: .nan\n", "2:8 wrong-value: 'ratio' must be a number"),
    "top is a list": ("- name: x\n", "1:1 wrong-value: document must be a mapping"),
    "duplicate key": ("name: x\nkind: build\nname: y\n", "3:1 duplicate-key: 'name' already stands in line 1"),
    "duplicate key in another spelling": ('name: x\n"name": y\n', "2:1 duplicate-key: 'name' already stands in line 1"),
    "key of a list": ("name: x\n? [a]\n: b\n", "2:3 key: a key must be a word"),
    "anchor": ("name: &a x\n", "1:7 anchor: anchor &a"),
    "alias": ("name: &a x\nwords: [*a]\n", "2:9 alias: alias *a"),
    "merge key": ("name: x\n<<: {kind: build}\n", "2:1 "),
    "tag": ("name: !!str x\n", "1:7 tag: tag tag:yaml.org,2002:str"),
    "tag of code": ("name: !!python/object/apply:os.system [id]\n", "1:7 tag: tag"),
    "byte order mark": (b"\xef\xbb\xbfname: x\n", "1:1 encoding: begins with a byte order mark"),
    "not UTF-8": (b"kind: build\nname: \xff\n", "2:1 encoding: not UTF-8"),
    "UTF-16": ("name: x\n".encode("utf-16"), "1:1 encoding: not UTF-8"),
    "too large": (b"#" * (1 << 20) + b"\n", "0:0 too-large: 1048577 bytes, and the limit is 1048576"),
    "nested too deep": ("name: " + "[" * 40 + "]" * 40 + "\n", "too-deep: nested deeper than 32"),
    "nested without end": ("[" * 200000, "nest"),
    "tab as indentation": ("inner:\n\tsize: 1\n", "2:1 syntax: "),
    "unclosed": ("name: [x\n", " syntax: "),
    "control character": ("name: \x00\n", ": "),
    "empty": ("", "0:0 empty: an empty document"),
    "only a comment": ("# nothing\n", "0:0 empty: an empty document"),
    "only a marker": ("---\n", " empty: an empty document"),
    "several documents": ("name: x\n---\nname: y\n", "2:1 several-documents: one document is expected here"),
}


@pytest.mark.parametrize("defect", DEFECTS)
def test_defect_is_refused_with_its_place(defect: str) -> None:
    data, expected = DEFECTS[defect]
    found = problems_of(data)
    assert any(expected in problem for problem in found), found


def test_all_problems_of_a_document_are_told_at_once() -> None:
    found = problems_of("kimd: x\nratio: much\ninner: {size: 1, size: 2, sise: 3}\nwords: [[], &a b]\n")
    assert [problem.split(":")[1].split(" ")[1] for problem in found] == [
        "missing-key",
        "unknown-key",
        "wrong-value",
        "duplicate-key",
        "unknown-key",
        "wrong-value",
        "anchor",
    ]


def test_what_a_terminal_would_obey_is_shown_escaped() -> None:
    [problem] = problems_of('"\\e[31m": x\nname: x\n')
    assert "\x1b" not in problem
    assert "\\x1b" in problem


def test_documents_of_a_stream_know_their_line_and_their_own_bytes() -> None:
    data = b"# first\nname: a\n---\nname: b\n---  # third\nname: c\n"
    documents, problems = decode_stream(data, path=PATH, type=Outer)
    assert problems == ()
    assert [(found.value.name if found.value else None, found.line) for found in documents] == [
        ("a", 2),
        ("b", 3),
        ("c", 5),
    ]
    assert documents[1].source == b"---\nname: b\n"


def test_a_wrong_document_of_a_stream_leaves_the_others_readable() -> None:
    documents, problems = decode_stream(b"name: a\n---\nnam: b\n---\nname: c\n", path=PATH, type=Outer)
    assert [found.value is None for found in documents] == [False, True, False]
    assert {problem.line for problem in problems} == {3}


def test_the_place_of_a_value_is_found_in_the_file() -> None:
    source = b"---\nname: x\nwords:\n  - a\n  - b\n"
    assert place_of(source, ("words", 1), first_line=10) == (14, 5)
    assert place_of(source, ("words", 7), first_line=10) == (13, 3)
    assert place_of(source, ("nothing",)) == (2, 1)
    assert place_of(b"", ("words",), first_line=4) == (4, 1)


HOSTILE = st.one_of(
    st.binary(max_size=300),
    st.text(alphabet="abname: []{}-&*!|>?'\"#%\n\t,<~\\\x00\x85\u2028\ufeff\U0001f600", max_size=200).map(
        lambda text: text.encode("utf-8")
    ),
)


@given(data=HOSTILE, type_=st.sampled_from([Outer, Card, Config, Retired]))
@example(data=b"\x85", type_=Outer)
@example(data=b"name: x\n...\n%TAG ! x:\n--- \n!y", type_=Outer)
@settings(max_examples=400, deadline=None)
def test_random_bytes_are_a_value_or_problems_and_never_an_error(data: bytes, type_: type[msgspec.Struct]) -> None:
    value, problems = decode(data, path=PATH, type=type_)
    assert (value is None) == bool(problems)


@given(text=st.text(max_size=80))
@settings(max_examples=200, deadline=None)
def test_quoted_text_is_read_back(text: str) -> None:
    from git_assay.documents.writer import scalar

    value, problems = decode(f"name: {scalar(text)}\n".encode("utf-8", "surrogatepass"), path=PATH, type=Outer)
    if not problems:
        assert value is not None
        assert value.name == text
    else:  # a lone surrogate is no UTF-8
        assert any("\ud800" <= char <= "\udfff" for char in text)
