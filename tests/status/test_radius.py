"""Tests of the radius: its law over random histories, its chains, its effects."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import HealthCheck, given, settings

from git_assay.cones.analysis import Analysis, analyze
from git_assay.graph.store import FactStore
from git_assay.report.radius import radius_text
from git_assay.status.effects import find_effects
from git_assay.status.radius import Radius, Reached, Touch, by_module, find_radius
from git_assay.status.standings import index_runs
from git_assay.values.ids import ModuleId, TreePath
from tests.evidences import CI, evidence, run
from tests.gate.worlds import subject_digests
from tests.histories import Step, histories
from tests.snapshots import memory_snapshot

CONFIG = "format: assay-config/1\nrepository: 0123456789abcdef0123456789abcdef\nextractor: 1\n"


def _analysis(files: dict[str, str]) -> Analysis:
    snapshot = memory_snapshot(files)
    return analyze(snapshot, FactStore(None, lambda: snapshot.reader))


def _card(module: str, owner: str = "alice@example.com") -> str:
    return (
        f"format: assay-card/1\nmodule: {module}\ngoal: Be.\nowners: [{owner}]\n"
        "checks: [{name: unit, kind: tests, run: pytest, inputs: []}]\n"
    )


def _stops(reached: Reached) -> list[str]:
    """The files of a chain, from the module's own to the changed one."""
    return [*(edge.source.decode() for edge in reached.chain), *([reached.origin.decode()] if reached.origin else [])]


PROJECT = {
    ".assay/config.yml": CONFIG,
    "app/__init__.py": "",
    "app/assay.yml": _card("app"),
    "app/main.py": "from mid import work\n",
    "mid/__init__.py": "",
    "mid/assay.yml": _card("mid"),
    "mid/work.py": "from base import low\n",
    "base/__init__.py": "",
    "base/assay.yml": _card("base"),
    "base/low.py": "VALUE = 1\n",
    "lone/__init__.py": "",
    "lone/assay.yml": _card("lone"),
}


def _radius(**edits: str | None) -> Radius:
    files: dict[str, str] = {**PROJECT}
    for path, text in edits.items():
        if text is None:
            del files[path]
        else:
            files[path] = text
    return find_radius(_analysis(PROJECT), _analysis(files))


def _naive(analysis: Analysis, module: ModuleId) -> object:
    """What a module is, compared as plain structure: its card, its pieces, and all that it reaches, with every edge."""
    entries, graph = analysis.snapshot.entries, analysis.graph
    own = analysis.ownership.pieces[module]
    reached: set[TreePath] = set()
    waiting = [piece.path for piece in own]
    hubs: set[bytes] = set()
    while waiting:
        path = waiting.pop()
        if path in reached:
            continue
        reached.add(path)
        for edge in graph.edges.get(path, ()):
            if edge.target.hub:
                hubs.add(edge.target.name)
                waiting += graph.hubs[edge.target.name]
            else:
                waiting.append(TreePath(edge.target.name))
    files = {path: entries[path] for path in reached}
    edges = {(e.source, e.target.name, e.kind, e.written) for path in reached for e in graph.edges.get(path, ())}
    loose = {(x.source, x.written, x.kind, x.external, x.reason) for p in reached for x in graph.loose.get(p, ())}
    assets = [(path, entries[path]) for path in analysis.ownership.assets[module]]
    members = {hub: graph.hubs[hub] for hub in hubs}
    return analysis.declarations.cards[module].card, own, files, edges, loose, assets, members


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(histories())
def test_radius_is_the_set_of_modules_whose_cones_differ(history: tuple[Step, ...]) -> None:
    for before, after in pairwise(history):
        old, new = _analysis(before.project.files()), _analysis(after.project.files())
        differ = set(old.modules) ^ set(new.modules)
        differ |= {m for m in set(old.modules) & set(new.modules) if _naive(old, m) != _naive(new, m)}
        found = find_radius(old, new)
        assert found.ids == differ
        for reached in found.modules:
            if Touch.THROUGH in reached.touches and Touch.GOV not in reached.touches:
                assert reached.distance is not None, f"no chain for {reached.module}"


def test_nearest_modules_come_first_with_the_chain_that_carries_the_change() -> None:
    radius = _radius(**{"base/low.py": "VALUE = 2\n"})
    assert [(r.module, r.distance) for r in radius.modules] == [("base", 0), ("mid", 1), ("app", 2)]
    chain = by_module(radius)[ModuleId("app")].chain
    assert [(edge.source, edge.target.name) for edge in chain] == [
        (b"app/main.py", b"mid/work.py"),
        (b"mid/work.py", b"base/low.py"),
    ]
    assert by_module(radius)[ModuleId("app")].origin == b"base/low.py"


def test_a_deleted_file_is_carried_by_the_imports_of_the_base() -> None:
    radius = _radius(**{"base/low.py": None})
    assert _stops(by_module(radius)[ModuleId("mid")]) == ["mid/work.py", "base/low.py"]
    assert _stops(by_module(radius)[ModuleId("app")]) == ["app/main.py", "mid/work.py", "base/low.py"]
    assert ModuleId("lone") not in radius.ids


def test_a_new_file_that_captures_an_import_counts() -> None:
    radius = _radius(**{"mid/work/__init__.py": "VALUE = 3\n"})
    assert _stops(by_module(radius)[ModuleId("app")]) == ["app/main.py", "mid/work/__init__.py"]


def test_a_renamed_file_is_carried_to_the_importers_of_both_names() -> None:
    base = {**PROJECT, "lone/__init__.py": "import base.high\n"}
    result = {**base, "base/high.py": base["base/low.py"]}
    del result["base/low.py"]
    radius = find_radius(_analysis(base), _analysis(result))
    found = by_module(radius)
    assert _stops(found[ModuleId("mid")]) == ["mid/work.py", "base/low.py"]
    assert _stops(found[ModuleId("lone")]) == ["lone/__init__.py", "base/high.py"]
    assert radius.renames == ((TreePath(b"base/low.py"), TreePath(b"base/high.py")),)
    assert "renamed      base/low.py => base/high.py" in radius_text(radius, ()).splitlines()


def test_a_conftest_that_comes_or_goes_reaches_the_tests_beneath_it() -> None:
    base = {**PROJECT, "lone/test_it.py": ""}
    result = {**base, "conftest.py": ""}
    for before, after in ((base, result), (result, base)):
        radius = find_radius(_analysis(before), _analysis(after))
        assert radius.ids == {ModuleId("lone")}
        assert _stops(by_module(radius)[ModuleId("lone")]) == ["lone/test_it.py", "conftest.py"]


def test_a_build_file_that_moves_a_root_names_the_file_whose_imports_lead_elsewhere() -> None:
    base = {**PROJECT, "lib/tool.py": "", "lone/__init__.py": "import tool\n"}
    radius = find_radius(_analysis(base), _analysis({**base, "pytest.ini": "[pytest]\npythonpath = lib\n"}))
    assert radius.ids == {ModuleId("lone")}
    reached = by_module(radius)[ModuleId("lone")]
    assert (reached.chain, reached.origin) == ((), TreePath(b"lone/__init__.py"))
    assert "    through lone/__init__.py, whose imports lead elsewhere" in radius_text(radius, ()).splitlines()


def test_added_and_removed_modules_and_changed_cards_are_in_the_radius() -> None:
    radius = _radius(
        **{
            "new/__init__.py": "",
            "new/assay.yml": _card("new"),
            "lone/assay.yml": None,
            "base/assay.yml": _card("base", "bob@example.com"),
        }
    )
    touches = {reached.module: reached.touches for reached in radius.modules}
    assert touches[ModuleId("new")] == (Touch.ADDED,)
    assert touches[ModuleId("lone")] == (Touch.REMOVED,)
    assert touches[ModuleId("base")] == (Touch.GOV,)
    assert ModuleId("mid") not in touches


def test_evidence_goes_stale_where_code_changes_and_holds_where_it_does_not() -> None:
    base = _analysis(PROJECT)
    passes = [run(CI, module, subject_digests(base, module)) for module in ("app", "mid", "base", "lone")]
    radius = _radius(**{"mid/work.py": "from base import low\nMORE = 1\n"})
    effects = {effect.module: effect for effect in find_effects(radius, index_runs(evidence(*passes)))}
    assert {m for m, effect in effects.items() if effect.goes_stale} == {"app", "mid"}
    assert "base" not in effects


def test_renaming_a_team_makes_no_test_stale() -> None:
    base = _analysis(PROJECT)
    radius = _radius(**{"base/assay.yml": _card("base", "bob@example.com")})
    (effect,) = find_effects(radius, index_runs(evidence(run(CI, "base", subject_digests(base, "base")))))
    assert effect.holds
    assert effect.unchanged
