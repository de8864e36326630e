"""Does git_assay keep its own rules?"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.architecture.rules import BROAD_EXCEPT, RULES, Rule, names
from tests.architecture.sources import Source, read_package

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def package() -> tuple[Source, ...]:
    return read_package(ROOT / "git_assay")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_package_keeps_the_rule(rule: Rule, package: tuple[Source, ...]) -> None:
    assert rule(package) == ()


def test_tests_have_names_that_say_something() -> None:
    assert names(read_package(ROOT / "tests")) == ()


def test_every_listed_broad_except_is_still_needed(package: tuple[Source, ...]) -> None:
    assert {source.place for source in package if "except Exception" in source.text} >= set(BROAD_EXCEPT)
