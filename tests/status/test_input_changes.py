"""Is it said which input of a check changed?"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from git_assay.cones.analysis import Analysis, analyze
from git_assay.graph.store import FactStore
from git_assay.status.input_changes import changed_inputs
from git_assay.values.digests import Reach
from git_assay.values.ids import ModuleId
from tests.snapshots import memory_snapshot

CARD = """\
format: assay-card/1
module: app
goal: Be the app.
checks:
  - {{name: unit, kind: tests, run: pytest -q tests/test_app.py{inputs}}}
"""
FILES = {
    ".assay/config.yml": "format: assay-config/1\nrepository: 0123456789abcdef0123456789abcdef\nextractor: 1\n",
    "app/__init__.py": "x = 1\n",
    "pyproject.toml": "[tool.pytest.ini_options]\n",
    "tests/test_app.py": "import app\nimport tests.data\n",
    "tests/data.py": "y = 1\n",
    "notes.txt": "",
}


def tree(inputs: str, changes: Mapping[str, str | None]) -> Analysis:
    files = {**FILES, "app/assay.yml": CARD.format(inputs=inputs), **changes}
    snapshot = memory_snapshot({path: text for path, text in files.items() if text is not None})
    return analyze(snapshot, FactStore(None, lambda: snapshot.reader, workers=1))


def changed(inputs: str, changes: Mapping[str, str | None]) -> list[tuple[bytes, str, int]]:
    return between(tree(inputs, {}), tree(inputs, changes))


def between(then: Analysis, now: Analysis) -> list[tuple[bytes, str, int]]:
    check = now.declarations.cards[ModuleId("app")].card.checks[0]
    found = changed_inputs(ModuleId("app"), check, Reach.RUN, now=now, then=then)
    assert all(each.input for each in found)
    return [(each.path, each.how, len(each.chain)) for each in found]


def test_a_changed_configuration_and_a_new_one_are_named() -> None:
    found = changed(", inputs: []", {"pyproject.toml": "[project]\n", "conftest.py": ""})
    assert found == [(b"conftest.py", "entered", 0), (b"pyproject.toml", "changed", 0)]


def test_what_an_input_imports_is_named_with_its_chain() -> None:
    assert changed(", inputs: []", {"tests/data.py": "y = 2\n"}) == [(b"tests/data.py", "changed", 1)]


def test_what_is_no_input_is_not_named() -> None:
    assert changed(", inputs: []", {"notes.txt": "new\n"}) == []


def test_a_check_without_inputs_has_the_whole_tree() -> None:
    assert changed("", {"notes.txt": "new\n"}) == [(b"notes.txt", "changed", 0)]


@pytest.mark.parametrize(
    "trigger", ["pytest.ini", "tox.ini", "setup.cfg", "conftest.py", "tests/conftest.py", "uv.lock", "poetry.lock"]
)
def test_what_steers_every_test_counts_when_it_comes_and_when_it_goes(trigger: str) -> None:
    without, beside = tree(", inputs: []", {}), tree(", inputs: []", {trigger: "# x\n"})
    assert between(without, beside) == [(trigger.encode(), "entered", 0)]
    assert between(beside, without) == [(trigger.encode(), "left", 0)]


def test_a_dependency_that_is_no_longer_declared_reaches_the_checks_of_what_imports_it() -> None:
    declared = {"pyproject.toml": "[project]\ndependencies = ['pyyaml']\n", "app/__init__.py": "import yaml\n"}
    dropped = {**declared, "pyproject.toml": "[project]\ndependencies = []\n"}
    found = between(tree(", inputs: []", declared), tree(", inputs: []", dropped))
    assert found == [(b"pyproject.toml", "changed", 0)]


def test_a_dependency_that_only_the_lock_raises_reaches_the_checks() -> None:
    lock = {"uv.lock": '[[package]]\nname = "pyyaml"\nversion = "6.0"\n', "app/__init__.py": "import yaml\n"}
    raised = {**lock, "uv.lock": '[[package]]\nname = "pyyaml"\nversion = "6.1"\n'}
    assert between(tree(", inputs: []", lock), tree(", inputs: []", raised)) == [(b"uv.lock", "changed", 0)]
