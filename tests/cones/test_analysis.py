"""Is an analysis a pure function of the tree, whatever was cached, and do digests change exactly when they should?"""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from git_assay.cones.analysis import Analysis, analyze, open_tree_cache
from git_assay.cones.model import ModuleDigests
from git_assay.cones.tree_cache import TreeCache
from git_assay.errors import AssayError
from git_assay.git.snapshot import MODE_EXECUTABLE, MODE_SUBMODULE
from git_assay.graph.store import FactStore
from git_assay.values.digests import Mode, Reach
from git_assay.values.ids import ASSAY_SUBJECT, ModuleId, TreePath
from tests.histories import CONFIG, Project, SourceFile, Step, histories
from tests.snapshots import memory_snapshot

APP, BASE, UTIL = ModuleId("app"), ModuleId("base"), ModuleId("util")
TREE = {
    ".assay/config.yml": CONFIG,
    "app/assay.yml": "format: assay-card/1\nmodule: app\ngoal: Do.\nowners: [a@example.com]\nassets: ['*.txt']\n",
    "app/__init__.py": "",
    "app/main.py": "from base import core\n\n\ndef run():\n    from util import text\n",
    "app/page.txt": "page\n",
    "base/assay.yml": (
        "format: assay-card/1\nmodule: base\ngoal: Hold.\n"
        "checks:\n  - {name: unit, kind: tests, run: 'true', inputs: ['*.py']}\n"
        "  - {name: lint, kind: static, run: 'true', inputs: ['*.py']}\n"
        "  - {name: all, kind: tests, run: 'true'}\n"
    ),
    "base/__init__.py": "",
    "base/core.py": "import base.low\n",
    "base/low.py": "VALUE = 1\n",
    "util/assay.yml": "format: assay-card/1\nmodule: util\ngoal: Help.\n",
    "util/__init__.py": "",
    "util/text.py": "import numpy\n",
}


def analysis_of(files: dict[str, str], modes: dict[str, int] | None = None) -> Analysis:
    snapshot = memory_snapshot(files, modes=modes)
    return analyze(snapshot, FactStore(None, lambda: snapshot.reader, workers=1))


def digests(analysis: Analysis) -> dict[str, ModuleDigests]:
    subjects = (*analysis.modules, ASSAY_SUBJECT)
    return {f"{subject} {mode.value}": analysis.digests(subject, mode) for subject in subjects for mode in Mode}


def differing(old: dict[str, str], new: dict[str, str], mode: Mode = Mode.EXACT) -> dict[str, set[str]]:
    """Returns which digests of which module differ: own, gov, a reach, or a check's name."""
    sides = [analysis_of(old), analysis_of(new)]
    found: dict[str, set[str]] = {}
    for module in (*sides[0].modules, ASSAY_SUBJECT):
        one, other = (side.digests(module, mode) for side in sides)
        words = {word for word in ("own", "gov") if getattr(one, word) != getattr(other, word)}
        words |= {reach.value for reach in Reach if one.cone[reach] != other.cone[reach]}
        words |= {name for name in one.checks.keys() | other.checks if one.checks.get(name) != other.checks.get(name)}
        if words:
            found[module] = words
    return found


def test_a_dependency_two_imports_away_is_in_the_cone() -> None:
    analysis = analysis_of(TREE)
    assert TreePath(b"base/low.py") in analysis.members(APP)
    chain = analysis.chain(APP, TreePath(b"base/low.py"))
    assert [(edge.source, edge.target.name) for edge in chain] == [
        (b"app/main.py", b"base/core.py"),
        (b"base/core.py", b"base/low.py"),
    ]


def test_reach_load_leaves_out_what_is_imported_inside_functions() -> None:
    analysis = analysis_of(TREE)
    assert TreePath(b"util/text.py") not in analysis.members(APP, Reach.LOAD)
    assert TreePath(b"util/text.py") in analysis.members(APP, Reach.RUN)


def test_a_change_below_changes_the_cones_above_and_nothing_else() -> None:
    changed = differing(TREE, {**TREE, "base/low.py": "VALUE = 2\n"})
    assert changed == {
        "app": {"Load", "Run", "All"},
        "base": {"own", "Load", "Run", "All", "unit", "lint", "all"},
    }


def test_a_comment_changes_exact_digests_and_no_code_digest() -> None:
    commented = {**TREE, "base/low.py": "VALUE = 1  # why\n"}
    assert differing(TREE, commented)["app"] == {"Load", "Run", "All"}
    assert differing(TREE, commented, Mode.CODE) == {}


def test_static_checks_have_no_digest_in_code_mode() -> None:
    analysis = analysis_of(TREE)
    assert set(analysis.digests(BASE, Mode.EXACT).checks) == {"unit", "lint", "all"}
    assert set(analysis.digests(BASE, Mode.CODE).checks) == {"unit", "all"}


def test_owners_labels_and_prose_change_governance_alone() -> None:
    card = TREE["app/assay.yml"].replace("a@example.com", "b@example.com").replace("Do.", "Do more.")
    assert differing(TREE, {**TREE, "app/assay.yml": card}) == {"app": {"gov"}, "base": {"all"}}


def test_a_contract_changes_own_and_cone() -> None:
    card = TREE["app/assay.yml"] + "interface: [{name: run, in: main.py}]\n"
    assert differing(TREE, {**TREE, "app/assay.yml": card})["app"] == {"own", "gov", "Load", "Run", "All"}


def test_a_weakened_command_changes_the_check_and_governance() -> None:
    card = TREE["base/assay.yml"].replace("kind: tests, run: 'true', inputs", "kind: tests, run: 'false', inputs")
    assert differing(TREE, {**TREE, "base/assay.yml": card})["base"] == {"gov", "unit", "all"}


def test_an_asset_changes_own() -> None:
    assert differing(TREE, {**TREE, "app/page.txt": "other\n"})["app"] == {"own", "Load", "Run", "All"}


def test_a_check_without_inputs_is_bound_to_every_file() -> None:
    assert differing(TREE, {**TREE, "README": "read\n"}) == {"base": {"all"}}


def test_a_conftest_above_the_inputs_changes_the_check() -> None:
    assert differing(TREE, {**TREE, "conftest.py": "import os\n"})["base"] >= {"unit", "lint"}


def test_the_executable_bit_is_part_of_the_digests() -> None:
    one, other = analysis_of(TREE), analysis_of(TREE, {"base/low.py": MODE_EXECUTABLE})
    for mode in Mode:
        assert one.digests(BASE, mode).own != other.digests(BASE, mode).own
        assert one.digests(APP, mode).cone != other.digests(APP, mode).cone


def test_a_submodule_counts_by_its_commit() -> None:
    commits = ["a" * 40, "b" * 40]
    sides = [analysis_of({**TREE, "vendored": commit}, {"vendored": MODE_SUBMODULE}) for commit in commits]
    checks = [side.digests(BASE, Mode.EXACT).checks for side in sides]
    assert checks[0]["all"] != checks[1]["all"]
    assert checks[0]["unit"] == checks[1]["unit"]


def test_an_import_that_starts_to_resolve_to_nothing_changes_the_cone() -> None:
    gone = {path: text for path, text in TREE.items() if path != "base/low.py"}
    assert differing(TREE, gone)["app"] == {"Load", "Run", "All"}


def test_a_new_file_that_captures_an_old_import_changes_the_cone() -> None:
    assert differing(TREE, {**TREE, "numpy.py": ""})["util"] >= {"Run"}


def test_configuration_changes_the_subject_assay() -> None:
    changed = differing(TREE, {**TREE, ".assay/notes.txt": "x\n", "base/.gitattributes": "* text\n"})
    assert changed[ASSAY_SUBJECT] == {"own", "Load", "Run", "All"}
    assert set(analysis_of({**TREE, "base/.gitattributes": ""}).pieces(ASSAY_SUBJECT)) == {
        ".assay/config.yml",
        "base/.gitattributes",
    }


def test_a_carved_symbol_belongs_to_the_module_that_claims_it() -> None:
    lending = TREE["base/assay.yml"] + "lends: [{pattern: 'low.py::round_up', to: util}]\n"
    files = {
        **TREE,
        "base/assay.yml": lending,
        "util/assay.yml": TREE["util/assay.yml"] + "owns: ['*.py', '/base/low.py::round_up']\n",
        "base/low.py": "VALUE = 1\n\n\ndef round_up(x):\n    return x + 1\n",
    }
    own = {"own"}
    inside = differing(files, {**files, "base/low.py": files["base/low.py"].replace("x + 1", "x + 2")})
    assert own <= inside["util"]
    assert not own & inside["base"]
    outside = differing(files, {**files, "base/low.py": files["base/low.py"].replace("VALUE = 1", "VALUE = 2")})
    assert own <= outside["base"]
    assert not own & outside["util"]
    analysis = analysis_of(files)
    assert "base/low.py::round_up" in analysis.pieces(UTIL)
    assert "base/low.py::" in analysis.pieces(BASE)
    assert TreePath(b"base/low.py") in analysis.members(UTIL)


def test_unknown_modules_and_paths_are_clear_errors() -> None:
    analysis = analysis_of(TREE)
    with pytest.raises(AssayError, match="no module 'nothing'"):
        analysis.members(ModuleId("nothing"))
    with pytest.raises(AssayError, match="not in the run cone of util"):
        analysis.chain(UTIL, TreePath(b"app/main.py"))


def test_the_owner_of_a_path_may_be_the_reserved_subject_or_an_asset_owner() -> None:
    analysis = analysis_of(TREE)
    paths = [b".assay/config.yml", b"app/main.py", b"app/page.txt", b"nothing"]
    assert [analysis.piece_owner(TreePath(path)) for path in paths] == [ASSAY_SUBJECT, APP, APP, None]


def test_an_open_file_reaches_every_file_unless_it_is_accepted() -> None:
    files = {**TREE, "base/low.py": "import importlib\n\n\ndef f(n):\n    return importlib.import_module(n)\n"}
    analysis = analysis_of(files)
    assert TreePath(b"util/text.py") in analysis.members(BASE)
    assert set(analysis.opens(BASE)) == {b"base/low.py"}
    accepted = analysis_of({**files, ".assay/config.yml": CONFIG + "open_accepted: [/base/low.py]\n"})
    assert TreePath(b"util/text.py") not in accepted.members(BASE)
    assert set(accepted.opens(BASE)) == accepted.graph.accepted == {b"base/low.py"}
    card = TREE["base/assay.yml"] + "dynamic: ['/util/*.py']\n"
    named = analysis_of({**files, "base/assay.yml": card})
    assert TreePath(b"util/text.py") in named.members(BASE)
    assert TreePath(b"app/main.py") not in named.members(BASE)


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
@given(histories())
def test_cached_is_fresh_over_random_histories(
    tmp_path_factory: pytest.TempPathFactory, history: tuple[Step, ...]
) -> None:
    folder = tmp_path_factory.mktemp("cache")
    for step in (*history, *history):
        snapshot = step.project.snapshot()
        store = FactStore(folder / "facts.sqlite", lambda: snapshot.reader, workers=1)  # noqa: B023
        cached = analyze(snapshot, store, trees=open_tree_cache(folder / "trees"))
        fresh = analyze(snapshot, FactStore(None, lambda: snapshot.reader, workers=1))  # noqa: B023
        assert digests(cached) == digests(fresh)
        for module in fresh.modules:
            assert cached.chains(module).step == fresh.chains(module).step
            assert cached.pieces(module) == fresh.pieces(module)
        assert cached.declarations.cards == fresh.declarations.cards
        store.close()


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(histories())
def test_a_cone_digest_differs_exactly_when_own_or_a_member_or_its_edges_differ(history: tuple[Step, ...]) -> None:
    for before, after in pairwise(step.project for step in history):
        one, other = (analysis_of(project.files()) for project in (before, after))
        for module in one.modules:
            same = one.digests(module, Mode.EXACT) == other.digests(module, Mode.EXACT)
            cones = [one.digests(module, Mode.EXACT).cone[Reach.RUN], other.digests(module, Mode.EXACT).cone[Reach.RUN]]
            assert (cones[0] == cones[1]) == (_content(one, module) == _content(other, module))
            assert same or before.files() != after.files()


def _content(analysis: Analysis, module: ModuleId) -> object:
    """Returns what a run cone is made of, spelled out: pieces, contract, members with content, edges as written."""
    entries, graph = analysis.snapshot.entries, analysis.graph
    members = sorted(analysis.members(module))
    runs = (Reach.LOAD, Reach.RUN)
    return (
        dict(analysis.pieces(module)),
        analysis.card(module).card.interface,
        [(path, entries[path]) for path in members],
        {
            (edge.source, edge.target, edge.written, edge.kind)
            for path in members
            for edge in graph.edges.get(path, ())
            if edge.reach in runs
        },
        {
            (loose.source, loose.written, loose.kind, loose.external, loose.reason)
            for path in members
            for loose in graph.loose.get(path, ())
            if loose.reach in runs
        },
        [
            graph.hubs[edge.target.name]
            for path in members
            for edge in graph.edges.get(path, ())
            if edge.target.hub and edge.reach in runs
        ],
    )


def test_a_damaged_cache_of_trees_is_a_miss(tmp_path: Path) -> None:
    project = Project({"app/a.py": SourceFile()}, Project().cards, {"app/assay.yml": TREE["app/assay.yml"]})
    snapshot = project.snapshot()
    expected = digests(analysis_of(project.files()))
    for damage in (b"", b"short", b"x" * 500):
        store = FactStore(None, lambda: snapshot.reader, workers=1)
        assert digests(analyze(snapshot, store, trees=open_tree_cache(tmp_path))) == expected
        for path in tmp_path.iterdir():
            path.write_bytes(damage)


def test_a_cache_of_another_version_or_an_unwritable_one_is_a_miss(tmp_path: Path) -> None:
    TreeCache(tmp_path, "one").save(memory_snapshot(TREE).tree, "section", "value")
    assert TreeCache(tmp_path, "one").load(memory_snapshot(TREE).tree, "section", str) == "value"
    assert TreeCache(tmp_path, "one").load(memory_snapshot(TREE).tree, "section", int) is None
    assert TreeCache(tmp_path, "two").load(memory_snapshot(TREE).tree, "section", str) is None
    file = tmp_path / "file"
    file.write_bytes(b"")
    TreeCache(file, "one").save(memory_snapshot(TREE).tree, "section", "value")
    assert TreeCache(file, "one").load(memory_snapshot(TREE).tree, "section", str) is None


def test_the_oldest_files_of_the_cache_are_removed(tmp_path: Path) -> None:
    cache = TreeCache(tmp_path, "one")
    tree = memory_snapshot(TREE).tree
    for number in range(300):
        cache.save(tree, f"section{number}", number)
        for entry in tmp_path.glob(f"*section{number}.*"):
            os.utime(entry, ns=(number, number))
    assert cache.load(tree, "section0", int) is None
    assert cache.load(tree, "section299", int) == 299
    assert len(list(tmp_path.iterdir())) <= 256
