"""Does each architecture rule find what breaks it, and nothing else? Small packages, kept and broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.architecture import rules
from tests.architecture.rules import RULES, Rule
from tests.architecture.sources import read_package

DOC = '"""What?"""\n'
Sample = dict[str, str]

KEPT: list[tuple[Rule, Sample]] = [
    (rules.layers, {"gate/a.py": "from pkg.status.b import x", "status/b.py": "x = 1"}),
    (rules.layers, {"gate/a.py": "from . import c", "gate/c.py": "from ..errors import E", "errors.py": "E = 1"}),
    (rules.doors, {"cli/a.py": "import click\nimport json", "documents/b.py": "import yaml"}),
    (rules.doors, {"gate/a.py": "import msgspec\nfrom pkg.values import x"}),
    (
        rules.cycles,
        {"a.py": "from pkg import b", "b.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import pkg.a"},
    ),
    (rules.sizes, {"a.py": "def f():\n" + "    x = 1\n" * 49}),
    (rules.names, {"gate/decide.py": "", "gate/commonality.py": ""}),
    (rules.questions, {"a.py": ""}),
    (rules.surroundings, {"cli/a.py": "print(1)", "git/b.py": "def f(env):\n    return env['HOME']"}),
    (rules.excepts, {"a.py": "try:\n    f()\nexcept Exception as error:\n    raise ValueError() from error"}),
    (rules.excepts, {"a.py": "try:\n    f()\nexcept (KeyError, OSError):\n    pass"}),
    (rules.import_time, {"a.py": "import os\nX = frozenset({1})\ndef f(): ...\nclass C: ..."}),
]

BROKEN: list[tuple[Rule, Sample, str]] = [
    (rules.layers, {"status/a.py": "from pkg.gate.b import x", "gate/b.py": "x = 1"}, "status may not import gate"),
    (rules.layers, {"gate/a.py": "import pkg.attest.b", "attest/b.py": ""}, "gate may not import attest"),
    (rules.layers, {"git/a.py": "def f():\n    from ..cones import b", "cones/b.py": ""}, "git may not import cones"),
    (rules.layers, {"newcomer/a.py": ""}, "folder newcomer stands in no layer"),
    (rules.doors, {"gate/a.py": "def f():\n    import click"}, "click belongs to cli"),
    (rules.doors, {"gate/a.py": "import subprocess"}, "subprocess belongs to"),
    (rules.doors, {"gate/a.py": "import requests"}, "requests has no door"),
    (rules.cycles, {"a.py": "from pkg import b", "b.py": "def f():\n    import pkg.a"}, "imports"),
    (rules.sizes, {"a.py": "def f():\n" + "    x = 1\n" * 50}, "f has 51 lines"),
    (rules.sizes, {"a.py": "x = 1\n" * 400}, "401 lines"),
    (rules.names, {"gate/utils.py": ""}, "utils says nothing"),
    (rules.names, {"gate/git_helpers.py": ""}, "git_helpers says nothing"),
    (rules.questions, {"a.py": "no docstring"}, "no docstring"),
    (rules.surroundings, {"git/a.py": "print(1)"}, "print() outside cli"),
    (rules.surroundings, {"git/a.py": "import os\nX = os.environ"}, "os.environ outside cli"),
    (rules.surroundings, {"git/a.py": "import sys\ndef f():\n    sys.exit(1)"}, "sys.exit outside cli"),
    (rules.excepts, {"a.py": "try:\n    f()\nexcept:\n    pass"}, "catches everything"),
    (rules.excepts, {"a.py": "try:\n    f()\nexcept (KeyError, Exception):\n    x = 1"}, "catches everything"),
    (rules.import_time, {"a.py": "import os\nos.getcwd()"}, "runs when it is imported"),
    (rules.import_time, {"a.py": "for x in (1, 2):\n    pass"}, "runs when it is imported"),
]


def write(root: Path, sample: Sample) -> Path:
    package = root / "pkg"
    for place, text in sample.items():
        path = package / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1\n" if text == "no docstring" else DOC + text)
    return package


@pytest.mark.parametrize(("rule", "sample"), KEPT)
def test_a_package_that_keeps_the_rule_passes(rule: Rule, sample: Sample, tmp_path: Path) -> None:
    assert rule(read_package(write(tmp_path, sample))) == ()


@pytest.mark.parametrize(("rule", "sample", "said"), BROKEN)
def test_a_package_that_breaks_the_rule_is_named(rule: Rule, sample: Sample, said: str, tmp_path: Path) -> None:
    found = rule(read_package(write(tmp_path, sample)))
    assert len(found) == 1
    assert said in found[0]


def test_every_rule_has_a_kept_and_a_broken_sample() -> None:
    assert {rule for rule, _ in KEPT} == set(RULES)
    assert {rule for rule, _, _ in BROKEN} == set(RULES)
