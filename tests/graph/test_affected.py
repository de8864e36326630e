"""What changes in graph and cones when a file is deleted, renamed, added, or is no file at all (cases A and P16)?"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from git_assay.git.snapshot import MODE_LINK, MODE_SUBMODULE
from git_assay.graph.build import build_graph
from git_assay.graph.model import ImportGraph
from git_assay.graph.store import FactStore
from git_assay.syntax.languages import language_of
from tests.graph.test_cases import Settings, graph_of
from tests.snapshots import memory_snapshot


def pairs(graph: ImportGraph) -> set[tuple[str, str]]:
    return {(edge.source.decode(), edge.target.name.decode()) for found in graph.edges.values() for edge in found}


def dependents(graph: ImportGraph, path: str) -> set[str]:
    """Whatever reaches `path` over any number of edges."""
    edges = pairs(graph) | {
        (hub.decode(), member.decode()) for hub, members in graph.hubs.items() for member in members
    }
    found, frontier = {path}, {path}
    while frontier:
        frontier = {source for source, target in edges if target in frontier} - found
        found |= frontier
    return {path for path in found if not path.startswith("*")}


def tree(files: Mapping[str, str], modes: Mapping[str, int] | None = None) -> ImportGraph:
    return graph_of(memory_snapshot(files, modes=modes))


def rooted(files: Mapping[str, str], *roots: str) -> ImportGraph:
    snapshot = memory_snapshot(files)
    sources = {path: name for path in snapshot.entries if (name := language_of(path)) is not None}
    store = FactStore(None, lambda: snapshot.reader, workers=1)
    return build_graph(snapshot, sources, Settings(roots), store=store, dynamic={})


def test_a_deleted_file_affects_its_importers_through_the_graph_before() -> None:
    base = {"foo.py": "x = 1\n", "foo_test.py": "import foo\n", "other.py": ""}
    head = {path: text for path, text in base.items() if path != "foo.py"}
    assert "foo_test.py" in dependents(tree(base), "foo.py")
    assert pairs(tree(head)) == set()
    [lost] = tree(head).loose[next(iter(tree(head).loose))]
    assert lost.external == "foo"


def test_a_renamed_file_affects_the_importers_of_both_names() -> None:
    base = {"a/x.py": "", "u.py": "import a.x\n", "v.py": "import b.x\n"}
    head = {"b/x.py": "", "u.py": "import a.x\n", "v.py": "import b.x\n"}
    assert dependents(tree(base), "a/x.py") == {"a/x.py", "u.py"}
    assert dependents(tree(head), "b/x.py") == {"b/x.py", "v.py"}


def test_an_empty_file_is_not_a_missing_one() -> None:
    assert pairs(tree({"a.py": "", "u.py": "import a\n"})) == {("u.py", "a.py")}
    assert pairs(tree({"u.py": "import a\n"})) == set()


def test_the_order_of_files_changes_nothing() -> None:
    files = {"z.py": "import a\n", "a.py": "import m\n", "m.py": "import z\n"}
    snapshot = memory_snapshot(files)
    assert graph_of(snapshot).edges == graph_of(snapshot, reverse=True).edges


def test_an_added_file_captures_an_import_that_stood_there_unchanged(tmp_path: Path) -> None:
    cache = tmp_path / "facts.sqlite"
    base = memory_snapshot({"u.py": "import base\n"})
    head = memory_snapshot({"u.py": "import base\n", "base.py": ""})
    assert pairs(graph_of(base, cache=cache)) == set()
    assert pairs(graph_of(head, cache=cache)) == {("u.py", "base.py")}
    assert pairs(graph_of(base, cache=cache)) == set()


def test_an_added_test_is_affected_itself() -> None:
    assert dependents(tree({"test_new.py": "def test(): pass\n"}), "test_new.py") == {"test_new.py"}


def test_a_changed_import_leaves_no_old_edge(tmp_path: Path) -> None:
    files = {"p/__init__.py": "", "p/one.py": "", "p/two.py": ""}
    cache = tmp_path / "facts.sqlite"
    assert ("p/u.py", "p/one.py") in pairs(
        graph_of(memory_snapshot({**files, "p/u.py": "from . import one\n"}), cache=cache)
    )
    after = pairs(graph_of(memory_snapshot({**files, "p/u.py": "from . import two\n"}), cache=cache))
    assert ("p/u.py", "p/two.py") in after
    assert ("p/u.py", "p/one.py") not in after


def test_a_partly_known_tree_has_the_same_nodes_and_edges_as_a_new_one(tmp_path: Path) -> None:
    files = {f"m{n}.py": f"import m{n + 1}\n" for n in range(20)}
    cache = tmp_path / "facts.sqlite"
    graph_of(memory_snapshot(files), cache=cache)
    changed = memory_snapshot({**files, "m3.py": "import m7, m9\n"})
    again, fresh = graph_of(changed, cache=cache), graph_of(changed)
    assert (again.edges, again.loose, again.hubs, again.files) == (fresh.edges, fresh.loose, fresh.hubs, fresh.files)


def test_a_submodule_is_a_leaf_and_a_link_leads_to_itself_and_its_target() -> None:
    files = {"sub": "a" * 40, "u.py": "import sub\nimport real.x\nimport way.x\n", "real/x.py": "", "way": "real"}
    graph = tree(files, {"sub": MODE_SUBMODULE, "way": MODE_LINK})
    assert pairs(graph) == {("u.py", "sub"), ("u.py", "real/x.py"), ("u.py", "way")}


@pytest.mark.parametrize("order", [("one", "two"), ("two", "one")])
def test_a_namespace_package_lies_in_all_roots_and_the_order_takes_nothing_away(order: tuple[str, str]) -> None:
    files = {"one/ns/a.py": "", "two/ns/b.py": "", "two/ns/a.py": "", "one/u.py": "import ns.a\nfrom ns import b\n"}
    graph = rooted(files, *order)
    assert pairs(graph) == {("one/u.py", "one/ns/a.py"), ("one/u.py", "two/ns/a.py"), ("one/u.py", "two/ns/b.py")}


def test_tests_outside_src_find_what_lies_in_it() -> None:
    files = {"pyproject.toml": "", "src/pk/__init__.py": "", "src/pk/m.py": "", "tests/test_m.py": "import pk.m\n"}
    assert pairs(tree(files)) == {("tests/test_m.py", "src/pk/__init__.py"), ("tests/test_m.py", "src/pk/m.py")}


def test_two_stubs_of_one_module_are_both_taken_and_reported() -> None:
    graph = tree({"m/__init__.pyi": "", "m.pyi": "", "m.py": "", "u.py": "import m\n"})
    assert pairs(graph) == {("u.py", "m.py"), ("u.py", "m.pyi"), ("u.py", "m/__init__.pyi")}
    [flagged] = graph.loose[next(iter(graph.loose))]
    assert flagged.reason == "two stubs of one module: m.pyi, m/__init__.pyi"


OPEN = "import importlib\nimportlib.import_module(name)\n"


def test_an_open_file_outside_the_roots_reaches_its_own_directory_too() -> None:
    graph = rooted({"tools/run.py": OPEN, "tools/hidden.py": "", "src/a.py": "", "docs/c.py": ""}, "src")
    assert {target for _, target in pairs(graph)} == {"*python:src", "*python:tools"}
    assert dependents(graph, "tools/hidden.py") >= {"tools/run.py"}
    assert "tools/run.py" not in dependents(graph, "docs/c.py")


def test_a_changed_path_reaches_the_whole_tree_whatever_the_roots() -> None:
    graph = rooted({"src/run.py": "import sys\nsys.path.append(x)\n", "docs/c.py": "", "src/a.py": OPEN}, "src")
    # a.py is open only towards src, where it may load run.py
    assert dependents(graph, "docs/c.py") == {"docs/c.py", "src/run.py", "src/a.py"}


def test_a_renamed_loader_is_in_the_cone_of_whoever_takes_it() -> None:
    files = {
        "a.py": "from importlib import import_module as load\n",
        "b.py": "from a import load\nload(x)\n",
        "c.py": "",
    }
    assert "b.py" in dependents(tree(files), "c.py")


def test_a_child_process_and_a_plugin_list_are_edges() -> None:
    files = {
        "u.py": "import subprocess, sys\nsubprocess.run([sys.executable, '-m', 'pk.run'])\n",
        "pk/run.py": "import pk.inner\n",
        "pk/inner.py": "",
        "conftest.py": "pytest_plugins = ['pk.plugin']\n",
        "pk/plugin.py": "",
        "test_x.py": "",
        "v.py": "import os\nos.system('python pk/inner.py')\n",
    }
    graph = tree(files)
    assert {"u.py", "v.py", "pk/run.py"} <= dependents(graph, "pk/inner.py")
    assert {"conftest.py", "test_x.py"} <= dependents(graph, "pk/plugin.py")
