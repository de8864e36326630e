"""Are chains the shortest, the same everywhere, and do they cover exactly the cone?"""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings

from git_assay.cones.chains import find_chains
from git_assay.graph.model import ImportGraph
from git_assay.values.digests import Reach
from git_assay.values.ids import TreePath
from tests.cones.cases import cases, empty_case, file
from tests.cones.naive import Case, Tree
from tests.cones.portable import import_graph


def imports(*pairs: str, **hubs: list[str]) -> ImportGraph:
    """`a>b` is an import of b.py by a.py, `a>*hub` a dynamic one that may lead to any file of a hub."""
    case = empty_case({f"{name}.py": file(name) for pair in pairs for name in pair.split(">") if name[0] != "*"})
    for pair in pairs:
        source, target = pair.split(">")
        end = {"hub": target} if target.startswith("*") else {"path": f"{target}.py"}
        edge = {"source": f"{source}.py", "written": target, "kind": "load", "reach": "load", **end}
        case["edges"].append(edge)
    case["hubs"] = {f"*{name}": members for name, members in hubs.items()}
    return import_graph(case)


def shown(graph: ImportGraph, start: str, target: str) -> list[str]:
    chain = find_chains(graph, [TreePath(start.encode())], Reach.RUN).to(TreePath(target.encode()))
    return [f"{edge.source.decode()}>{edge.target.name.decode()}" for edge in chain]


def test_the_shorter_of_two_chains_is_taken() -> None:
    graph = imports("a>b", "b>c", "c>d", "a>x", "x>d")
    assert shown(graph, "a.py", "d.py") == ["a.py>x.py", "x.py>d.py"]


def test_of_equal_chains_the_first_in_byte_order_is_taken() -> None:
    graph = imports("a>z", "a>m", "z>d", "m>d")
    assert shown(graph, "a.py", "d.py") == ["a.py>m.py", "m.py>d.py"]


def test_an_own_file_has_an_empty_chain_even_when_it_is_imported() -> None:
    assert shown(imports("a>b", "b>a"), "a.py", "a.py") == []


def test_a_step_through_a_hub_is_one_edge_with_the_dynamic_import_as_written() -> None:
    graph = imports("a>*all", "b>c", all=["a.py", "b.py"])
    chain = find_chains(graph, [TreePath(b"a.py")], Reach.RUN).to(TreePath(b"c.py"))
    assert [(edge.source, edge.target.name, edge.written) for edge in chain] == [
        (b"a.py", b"b.py", "*all"),
        (b"b.py", b"c.py", "c"),
    ]


def test_a_file_outside_the_cone_has_no_chain() -> None:
    chains = find_chains(imports("a>b", "c>a"), [TreePath(b"a.py")], Reach.RUN)
    with pytest.raises(KeyError):
        chains.to(TreePath(b"c.py"))


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(cases())
def test_chains_reach_exactly_the_cone_of_the_naive_implementation(case: Case) -> None:
    graph = import_graph(case)
    for reach in Reach:
        tree = Tree(case, reach.value, "exact")
        for start in case["sources"]:
            chains = find_chains(graph, [TreePath(start.encode())], reach)
            nodes = {f"file:{start}", *tree.reached(f"file:{start}")}
            assert chains.files == {node[5:].encode() for node in nodes if node.startswith("file:")}


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(cases())
def test_a_chain_is_unbroken_from_a_start_to_its_end(case: Case) -> None:
    graph = import_graph(case)
    start = TreePath(case["sources"][0].encode())
    chains = find_chains(graph, [start], Reach.ALL)
    for path in chains.files - {start}:
        chain = chains.to(path)
        assert chain[0].source == start
        assert chain[-1].target.name == path
        assert all(one.target.name == other.source for one, other in pairwise(chain))
