"""Are components right, in dependency order, and safe on graphs of any shape?"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from git_assay.cones.scc import find_components

_NODES = 7
_GRAPHS = st.lists(st.lists(st.integers(0, _NODES - 1), max_size=4), min_size=_NODES, max_size=_NODES)


def reached(targets: list[list[int]], node: int) -> set[int]:
    found: set[int] = set()
    waiting = [node]
    while waiting:
        for target in targets[waiting.pop()]:
            if target not in found:
                found.add(target)
                waiting.append(target)
    return found


@given(_GRAPHS)
def test_nodes_share_a_component_exactly_when_they_reach_each_other(targets: list[list[int]]) -> None:
    components = find_components(targets)
    for one in range(_NODES):
        for other in range(_NODES):
            mutual = one == other or (other in reached(targets, one) and one in reached(targets, other))
            assert (components.of[one] == components.of[other]) == mutual


@given(_GRAPHS)
def test_a_component_comes_after_all_that_it_imports(targets: list[list[int]]) -> None:
    components = find_components(targets)
    for component, successors in enumerate(components.successors):
        assert all(successor < component for successor in successors)
        direct = {components.of[target] for node in components.members[component] for target in targets[node]}
        assert set(successors) == direct - {component}


@given(_GRAPHS)
def test_members_are_every_node_once(targets: list[list[int]]) -> None:
    components = find_components(targets)
    assert sorted(node for nodes in components.members for node in nodes) == list(range(_NODES))


def test_a_chain_of_a_hundred_thousand_imports_needs_no_recursion() -> None:
    count = 100_000
    components = find_components([[node + 1] for node in range(count - 1)] + [[]])
    assert len(components.members) == count


def test_a_cycle_through_a_hundred_thousand_imports_is_one_component() -> None:
    count = 100_000
    components = find_components([[(node + 1) % count] for node in range(count)])
    assert len(components.members) == 1
