"""Are the published JSON Schemas those of the types, and do they say what the reader says?

`ASSAY_GOLDEN=write` rewrites them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from git_assay.documents.reader import decode, decode_stream
from git_assay.documents.schema import json_schema
from git_assay.gate.exemptions import Exemptions
from git_assay.gate.policy import Policy
from git_assay.modules.card import Card
from git_assay.modules.config import Config, Retired
from git_assay.values.ids import TreePath

ROOT = Path(__file__).parents[2]
TYPES: dict[str, type[msgspec.Struct]] = {
    "assay-card-1": Card,
    "assay-config-1": Config,
    "assay-retired-1": Retired,
    "assay-policy-1": Policy,
    "assay-exemptions-1": Exemptions,
}
GOOD = {
    "assay-card-1": """\
format: assay-card/1
module: invoice
goal: Turn a priced order into an invoice document.
parent: billing
owners: ["@acme/billing", alice@example.com]
labels: [critical]
executor: string-work
owns:
  - "*.py"
  - "/common/rounding.py::round_money"
lends: [{pattern: "util.py::round_up", to: order}]
depends: [order, tax]
inputs:  [{name: order, type: Order, from: "module:order"}]
outputs: [{name: invoice, type: Invoice}]
interface:
  - name: render_invoice
    in: invoice.py
    params: [{name: order, type: Order, from: "module:order"}, {name: locale, type: str, from: task}]
    returns: {type: Invoice}
    pre:  ["order.lines is not empty"]
    post: ["total == sum of lines + tax"]
    invariants: []
complexity: {time: O(n), memory: O(n), budget: {seconds: 2, mebibytes: 256}}
assets: [templates/*.html]
checks:
  - name: unit
    kind: tests
    run: pytest -q tests/billing
    timeout: 120
    inputs: [/tests/billing/**, /uv.lock]
    verdicts: {retry: [1], fatal: [2, 3, 4]}
    report: junit.xml
    scope: internal
""",
    "assay-config-1": f"format: assay-config/1\nrepository: {'0f' * 16}\nextractor: 1\nroots: [src]\n",
    "assay-retired-1": "format: assay-retired/1\nretired:\n- {id: old, date: '2026-01-02', reason: split}\n",
    "assay-policy-1": (ROOT / ".assay" / "policy.yml").read_text(),
    "assay-exemptions-1": (ROOT / ".assay" / "exemptions.yml").read_text(),
}


def valid(name: str, *files: Path) -> bool:
    """Returns whether a validator that is not ours accepts the files."""
    schema = ROOT / "docs" / "schemas" / f"{name}.json"
    done = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--schemafile", str(schema), *map(str, files)],
        capture_output=True,
        check=False,
    )
    return done.returncode == 0


@pytest.mark.parametrize("name", TYPES)
def test_the_published_schema_is_that_of_the_types(name: str) -> None:
    file = ROOT / "docs" / "schemas" / f"{name}.json"
    text = json.dumps(json_schema(TYPES[name]), indent=2) + "\n"
    if os.environ.get("ASSAY_GOLDEN") == "write":
        file.write_text(text)
    assert file.read_text() == text


@pytest.mark.parametrize("name", TYPES)
def test_a_schema_accepts_what_is_read_and_refuses_an_unknown_key(name: str, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.yml", tmp_path / "bad.yml"
    good.write_text(GOOD[name])
    bad.write_text(f"{GOOD[name]}unknown: 1\n")
    path = TreePath(b"x.yml")
    assert decode(good.read_bytes(), path=path, type=TYPES[name])[1] == ()
    assert [problem.code for problem in decode(bad.read_bytes(), path=path, type=TYPES[name])[1]] == ["unknown-key"]
    assert valid(name, good)
    assert not valid(name, bad)


def test_every_card_of_this_project_is_valid_by_the_published_schema(tmp_path: Path) -> None:
    files: list[Path] = []
    for card in sorted(ROOT.glob("**/assay.yml")):
        documents, problems = decode_stream(card.read_bytes(), path=TreePath(b"assay.yml"), type=Card)
        assert problems == ()
        for document in documents:
            files.append(tmp_path / f"{len(files)}.yml")
            files[-1].write_bytes(document.source)
    assert files
    assert valid("assay-card-1", *files)
