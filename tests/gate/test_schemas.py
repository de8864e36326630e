"""The published JSON Schemas of policy and exemptions are those of the types. `ASSAY_GOLDEN=write` rewrites them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import msgspec
import pytest

from git_assay.gate.exemptions import Exemptions
from git_assay.gate.policy import Policy

SCHEMAS = Path(__file__).parents[2] / "docs" / "schemas"


@pytest.mark.parametrize(("name", "type_"), [("assay-policy-1.json", Policy), ("assay-exemptions-1.json", Exemptions)])
def test_the_published_schema_is_that_of_the_types(name: str, type_: type) -> None:
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(type_)}
    text = json.dumps(schema, indent=2) + "\n"
    if os.environ.get("ASSAY_GOLDEN") == "write":
        (SCHEMAS / name).write_text(text)
    assert (SCHEMAS / name).read_text() == text
