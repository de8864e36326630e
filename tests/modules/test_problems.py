"""Are broken `depends`, interfaces that are not there and signatures that differ found at their place?"""

from __future__ import annotations

import pytest

from git_assay.modules.problems import ImportPlace, module_problems
from git_assay.modules.scope import source_files
from git_assay.values.ids import TreePath
from tests.modules.trees import card, definitions_of, owned

CODE = """\
def render(order, locale, *, strict=False):
    return order


class Invoice:
    def total(self, order):
        return order

    @classmethod
    def empty(cls, order):
        return order

    @staticmethod
    def plain(order):
        return order
"""


def problems_of(files: dict[str, str | bytes], *imports: tuple[str, int, str]) -> list[str]:
    snapshot, declarations, ownership = owned(files)
    found = module_problems(
        declarations,
        ownership,
        source_files(snapshot, declarations.config),
        [ImportPlace(TreePath(a.encode()), line, TreePath(b.encode())) for a, line, b in imports],
        lambda path: definitions_of(snapshot, path),
    )
    return [f"{problem.path}:{problem.line}:{problem.column} {problem.code} {problem.message}" for problem in found]


def promised(*entries: str) -> dict[str, str | bytes]:
    return {"a/assay.yml": card("a", f"interface: [{', '.join(entries)}]"), "a/x.py": CODE}


def test_a_source_file_that_nobody_owns_is_told() -> None:
    assert problems_of({"a/assay.yml": card("a"), "b.py": ""}) == ["b.py:0:0 unowned no card owns this source file"]


def test_an_import_that_depends_does_not_list_is_told_where_it_is_written() -> None:
    files: dict[str, str | bytes] = {
        "a/assay.yml": card("a", "depends: [c]"),
        "b/assay.yml": card("b"),
        "c/assay.yml": card("c"),
        **dict.fromkeys(["a/x.py", "a/y.py", "b/x.py", "c/x.py"], ""),
    }
    allowed = [("a/x.py", 1, "c/x.py"), ("a/x.py", 2, "a/y.py"), ("b/x.py", 3, "a/x.py"), ("a/x.py", 0, "b/x.py")]
    assert problems_of(files, *allowed) == []
    assert problems_of(files, *allowed, ("a/x.py", 7, "b/x.py")) == [
        "a/x.py:7:1 undeclared-import module a imports b/x.py of module b, which `depends` in a/assay.yml does not list"
    ]


def test_an_empty_depends_allows_nothing() -> None:
    files: dict[str, str | bytes] = {"a/assay.yml": card("a", "depends: []"), "b/assay.yml": card("b")}
    assert len(problems_of({**files, "a/x.py": "", "b/x.py": ""}, ("a/x.py", 1, "b/x.py"))) == 1


def test_a_promised_name_that_no_code_defines_is_told() -> None:
    assert problems_of(promised("{name: gone}")) == [
        "a/assay.yml:4:20 missing-interface the code of module a defines no 'gone'"
    ]


def test_a_method_never_answers_for_a_function() -> None:
    assert len(problems_of(promised("{name: total, params: [{name: order}]}"))) == 1


def test_code_of_another_module_never_answers() -> None:
    files = promised("{name: render}")
    files["a/assay.yml"] = str(files["a/assay.yml"]) + "---\n" + card("b", "owns: ['x.py::render']")
    assert "missing-interface" in problems_of(files)[0]


def test_a_name_defined_twice_is_ambiguous_until_the_file_is_said() -> None:
    files = {**promised("{name: Invoice}"), "a/y.py": CODE}
    assert problems_of(files) == [
        "a/assay.yml:4:20 ambiguous-interface 'Invoice' is ambiguous: a/x.py:5, a/y.py:5 (say which with `in`)"
    ]
    assert problems_of({**promised("{name: Invoice, in: y.py}"), "a/y.py": CODE}) == []


@pytest.mark.parametrize(
    "entry",
    [
        "{name: render, params: [{name: order}, {name: locale}]}",
        "{name: Invoice.total, params: [{name: order}]}",
        "{name: Invoice.total, params: [{name: self}, {name: order}]}",
        "{name: Invoice.empty, params: [{name: order}]}",
        "{name: Invoice.plain, params: [{name: order}]}",
        "{name: Invoice}",
    ],
)
def test_positional_parameters_without_receivers_are_compared(entry: str) -> None:
    assert problems_of(promised(entry)) == []


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("{name: render, params: [{name: locale}, {name: order}]}", "render(locale, order) is promised, and a/x.py:1"),
        ("{name: render, params: [{name: order}]}", "defines render(order, locale)"),
        ("{name: render}", "render() is promised"),
        ("{name: Invoice.total, params: [{name: price}]}", "defines Invoice.total(order)"),
    ],
)
def test_parameters_that_differ_are_told(entry: str, words: str) -> None:
    [problem] = problems_of(promised(entry))
    assert " signature " in problem
    assert words in problem


def test_a_function_whose_first_parameter_is_called_self_keeps_it() -> None:
    files: dict[str, str | bytes] = {
        "a/assay.yml": card("a", "interface: [{name: f, params: [{name: x}]}]"),
        "a/x.py": "def f(self, x):\n    return x\n",
    }
    assert "defines f(self, x)" in problems_of(files)[0]
