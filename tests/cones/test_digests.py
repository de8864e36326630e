"""Do two implementations that share nothing agree, on random graphs and on the committed vectors?"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from git_assay.values.canonical import encode
from tests.cones.cases import cases, produced
from tests.cones.make_vectors import DIRECTORY, vectors
from tests.cones.naive import Case, digests, enc


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(cases())
def test_both_implementations_agree_on_random_graphs(case: Case) -> None:
    assert produced(case) == digests(case)


@pytest.mark.parametrize("path", sorted(DIRECTORY.glob("*.json")), ids=lambda path: path.stem)
def test_committed_vectors_hold(path: Path) -> None:
    document = json.loads(path.read_text())
    assert document["format"] == "assay-digest-vector/1"
    assert produced(document["case"]) == document["digests"]


def test_committed_vectors_are_what_the_naive_implementation_writes() -> None:
    written = {path.name: json.loads(path.read_text()) for path in DIRECTORY.glob("*.json")}
    assert written == vectors()


def test_both_encoders_agree() -> None:
    value = ["text é", b"\x00\xff", None, 0, -12, [["a"], []], "", b""]
    assert encode(value) == enc(value)


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_vectors_hold_under_other_versions_of_python(version: str) -> None:
    root = str(Path(__file__).parents[2])
    command = [f"python{version}", "-m", "tests.cones.portable"]
    # PYENV_VERSION makes pyenv's stand-ins start; everything else ignores it
    env = {**os.environ, "PYTHONPATH": root, "PYENV_VERSION": version}
    try:
        done = subprocess.run(command, cwd=root, env=env, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip(f"there is no python{version} here")
    if done.returncode == 127:  # a version manager's stand-in for an interpreter that is not active
        pytest.skip(f"python{version} cannot be started here")
    assert (done.stdout, done.returncode) == (f"{version} ok\n", 0), done.stderr
