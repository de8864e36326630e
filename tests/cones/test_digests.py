"""Do two implementations that share nothing agree, on random graphs and on the committed vectors?"""

from __future__ import annotations

import json
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
