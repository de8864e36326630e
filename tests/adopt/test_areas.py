"""Into which parts does a tree fall?"""

from __future__ import annotations

from git_assay.adopt.areas import LARGE, find_areas
from git_assay.values.ids import ModuleId, TreePath


def areas(*paths: str, taken: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    found = find_areas([TreePath(path.encode()) for path in paths], taken=frozenset(map(ModuleId, taken)))
    return [(str(area.id), area.directory.decode()) for area in found]


def many(directory: str, count: int = LARGE + 1) -> list[str]:
    return [f"{directory}/m{number}.py" for number in range(count)]


def test_packages_and_other_top_directories_are_areas_and_the_root_is_one() -> None:
    found = areas("setup.py", "src/shop/__init__.py", "src/shop/tax/__init__.py", "tools/run/x.py")
    assert found == [("root", ""), ("shop", "src/shop"), ("tools", "tools")]


def test_a_large_package_is_divided_and_a_small_one_is_not() -> None:
    small = ["p/__init__.py", "p/a/x.py", "p/b/x.py"]
    assert areas(*small) == [("root", ""), ("p", "p")]
    assert areas(*small, *many("p/b")) == [("root", ""), ("p", "p"), ("p.a", "p/a"), ("p.b", "p/b")]


def test_tests_and_documentation_are_one_area_however_many_packages_they_hold() -> None:
    suites = [f"tests/suite{number}/__init__.py" for number in range(50)]
    assert areas(*suites, "docs/conf.py", "docs/ext/__init__.py") == [
        ("root", ""),
        ("docs", "docs"),
        ("tests", "tests"),
    ]
    assert areas("tests/__init__.py", *suites, *many("tests/a")) == [("root", ""), ("tests", "tests")]
    assert areas("libs/a/tests/x/__init__.py", "libs/a/tests/y/__init__.py") == [
        ("root", ""),
        ("libs.a.tests", "libs/a/tests"),
    ]


def test_a_directory_of_tests_inside_a_package_is_part_of_it() -> None:
    assert areas("p/__init__.py", "p/tests/__init__.py") == [("root", ""), ("p", "p")]


def test_ids_are_valid_and_unique_and_none_that_is_taken() -> None:
    found = areas("a_b/x.py", "a-b/x.py", "3d/x.py", "Ünï/x.py", "x" * 90 + "/x.py", taken=("root",))
    ids = [ident for ident, _ in found]
    assert len(set(ids)) == len(ids)
    assert ids[:4] == ["root-2", "m3d", "a-b", "a-b-2"]
    assert all(len(ident) <= 64 for ident in ids)


def test_an_empty_tree_has_one_area() -> None:
    assert areas() == [("root", "")]
