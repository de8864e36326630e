"""What may stand in a document of a type, as JSON Schema for editors?

Generated from the same types that `reader` decodes, so that what an editor completes is what is read. Rules that need
more than one document (unknown ids, cycles) are not in it: `git assay check` has them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_schema(type: type[msgspec.Struct]) -> Mapping[str, Any]:
    """Returns the schema of a document type. **Source:** JSON Schema 2020-12."""
    return {"$schema": _DIALECT, **msgspec.json.schema(type)}
