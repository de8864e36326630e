"""Which files are inputs of a check: everything that could make the same command mean something else?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_assay.cones.commands import named_files
from git_assay.cones.inputs import InputFinder
from git_assay.cones.paths import TreePaths
from git_assay.modules.card import Card, Check
from git_assay.modules.model import LoadedCard
from git_assay.modules.patterns import Pattern
from git_assay.values.ids import ModuleId, TreePath

TREE = (
    "Makefile",
    "conftest.py",
    "docs/index.md",
    "pyproject.toml",
    "scripts/check.sh",
    "src/pkg/__init__.py",
    "src/pkg/__main__.py",
    "src/pkg/tool.py",
    "src/setup.cfg",
    "tests/billing/conftest.py",
    "tests/billing/data/a.json",
    "tests/billing/test_a.py",
    "tests/conftest.py",
    "tests/other/conftest.py",
    "tests/other/test_b.py",
    "uv.lock",
    "web/requirements-dev.txt",
    "web/test_c.py",
)


def paths(*names: str) -> TreePaths:
    return TreePaths(TreePath(name.encode()) for name in names or TREE)


def named(command: str) -> set[str]:
    return {path.decode() for path in named_files(command, paths())}


def inputs(*patterns: str, run: str = "true", directory: str = "", own: str = "src/pkg/tool.py") -> set[str]:
    check = Check(name="unit", kind="tests", run=run, inputs=patterns)
    card = Card(format="assay-card/1", module="billing", goal="Bill.", checks=(check,))
    place = TreePath(directory.encode())
    loaded = LoadedCard(ModuleId("billing"), card, TreePath(b"assay.yml"), place, 1, b"")
    found = InputFinder(TreePath(name.encode()) for name in TREE).find(check, loaded, [TreePath(own.encode())])
    return {path.decode() for path in found}


@pytest.mark.parametrize(
    "command",
    [
        "sh scripts/check.sh",
        "sh ./scripts/check.sh --fast",
        "cd scripts && ./check.sh",
        "cd scripts;sh check.sh",
        "sh -c 'sh scripts/check.sh'",
        "FILE=scripts/check.sh make",
        "tool --config=scripts/check.sh",
        "echo $(cat scripts/check.sh)",
        "sh <scripts/check.sh",
        "sh scripts/*.sh",
        "sh docs/../scripts/check.sh",
        "sh 'scripts/check.sh",
    ],
)
def test_a_file_that_the_command_names_is_found_however_it_is_written(command: str) -> None:
    assert "scripts/check.sh" in named(command)


def test_a_test_node_names_its_file() -> None:
    assert named("pytest tests/billing/test_a.py::test_one") == {"tests/billing/test_a.py"}


def test_a_named_directory_stands_for_all_beneath_it() -> None:
    assert named("pytest -q tests/billing/") == {path for path in TREE if path.startswith("tests/billing/")}


def test_the_root_stands_for_the_whole_tree() -> None:
    assert named("ruff check .") == set(TREE)


@pytest.mark.parametrize("command", ["python -m pkg.tool", "python3 -X dev -mpkg.tool --fast"])
def test_dash_m_names_the_module_wherever_its_root_is(command: str) -> None:
    assert named(command) == {"src/pkg/tool.py"}


def test_dash_m_with_a_package_names_what_is_run() -> None:
    assert named("python -m pkg") == {"src/pkg/__main__.py", "src/pkg/__init__.py"}


def test_what_lies_outside_the_tree_names_nothing() -> None:
    assert named("cat ../uv.lock /uv.lock") == set()


def test_configuration_locks_and_conftests_above_the_inputs_and_the_module_are_added() -> None:
    assert inputs("/tests/billing/test_a.py") == {
        "Makefile",
        "conftest.py",
        "pyproject.toml",
        "src/pkg/__init__.py",
        "src/setup.cfg",
        "tests/billing/conftest.py",
        "tests/billing/test_a.py",
        "tests/conftest.py",
        "uv.lock",
    }


def test_configuration_beside_what_the_command_names_is_added() -> None:
    found = inputs("/uv.lock", run="pytest web/test_c.py")
    assert {"web/test_c.py", "web/requirements-dev.txt"} <= found


def test_configuration_of_other_directories_is_not_added() -> None:
    assert "tests/other/conftest.py" not in inputs("/tests/billing/**")


def test_configuration_above_the_card_is_added_where_the_module_owns_files_elsewhere() -> None:
    assert "web/requirements-dev.txt" in inputs("/uv.lock", directory="web")


@given(
    st.lists(st.sampled_from((*TREE, "tests", "src/pkg/x/tool.py")), min_size=1, unique=True),
    st.sampled_from(
        ("*.py", "/tests/**", "tests/billing/*", "/uv.lock", "pkg/", "**/test_*.py", "/tests", "test_[ab].py")
    ),
    st.sampled_from(("", "tests", "src", "tests/billing")),
)
def test_looking_only_beneath_the_literal_beginning_of_a_pattern_loses_nothing(
    names: list[str], text: str, directory: str
) -> None:
    place = TreePath(directory.encode())
    pattern = Pattern(text, place)
    everything = sorted(TreePath(name.encode()) for name in names)
    assert paths(*names).matching(text, place) == tuple(filter(pattern.matches, everything))
