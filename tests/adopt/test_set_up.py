"""Is a check proposed where tests are found, for what they test, and nowhere else?"""

from __future__ import annotations

import pytest

from git_assay.adopt.areas import find_areas
from git_assay.adopt.set_up import SetUp
from git_assay.values.ids import TreePath
from tests.snapshots import memory_snapshot

CONFIG = {"pyproject.toml": "[tool.pytest.ini_options]\n"}
LARGE = {f"src/shop/tax/m{number}.py": "" for number in range(50)}


def checks(files: dict[str, str]) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Returns directory -> (command, inputs) of every proposed check."""
    snapshot = memory_snapshot(files)
    areas = find_areas(TreePath(name.encode()) for name in files if name.endswith(".py"))
    set_up = SetUp(snapshot, areas)
    found = {area.directory.decode(): set_up.check_of(area) for area in areas}
    return {directory: (check.run, check.inputs) for directory, check in found.items() if check is not None}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"shop/__init__.py": "", "tests/test_x.py": ""}, {"shop": ("python -m pytest -q tests", ("/tests/**",))}),
        (
            {"shop/__init__.py": "", "tests/test_x.py": "", "shop/tests/test_y.py": ""},
            {"shop": ("python -m pytest -q shop/tests", ("/shop/tests/**",))},
        ),
        ({"shop/__init__.py": "", "bank/__init__.py": "", "tests/test_x.py": ""}, {}),
        ({"shop/__init__.py": "", "tests/data.py": ""}, {}),
        ({"shop.py": "", "tests/test_x.py": ""}, {}),
        (
            {**LARGE, "src/shop/__init__.py": "", "tests/tax/test_x.py": ""},
            {
                "src/shop/tax": ("python -m pytest -q tests/tax", ("/tests/tax/**",)),
                "src/shop": ("python -m pytest -q tests", ("/tests/**",)),
            },
        ),
        (
            {**LARGE, "src/shop/__init__.py": "", "src/bank/__init__.py": "", "tests/test_tax.py": ""},
            {"src/shop/tax": ("python -m pytest -q tests/test_tax.py", ("/tests/test_tax.py",))},
        ),
        ({"sh op/__init__.py": "", "sh op/tests/test_x.py": ""}, {}),
    ],
)
def test_tests_are_found_where_they_usually_lie(
    files: dict[str, str], expected: dict[str, tuple[str, tuple[str, ...]]]
) -> None:
    assert checks({**CONFIG, **files}) == expected


def test_without_a_sign_of_pytest_nothing_is_proposed() -> None:
    files = {"shop/__init__.py": "", "tests/test_x.py": ""}
    assert checks({**files, "pyproject.toml": "[project]\n"}) == {}
    assert checks({**files, "tests/conftest.py": ""}) != {}
    assert checks({**files, "tox.ini": "[testenv]\ncommands = pytest\n"}) != {}
