"""Is this JSON that every reader would read in the same way?

Refused: bytes that are not UTF-8, duplicate keys, NaN and infinities, whole numbers beyond 2^53, lone surrogates,
trailing data, nesting that is too deep. **Source:** RFC 8259 §4, §6, §8; RFC 7493 (I-JSON); design 30-evidence §4.
"""

from __future__ import annotations

import json
import math
from typing import Any

# Beyond it, readers that keep numbers as doubles see another number (RFC 7493 §2.2).
_LARGEST_INT = 2**53


class LooseJsonError(ValueError):
    """The text is not JSON, or readers could disagree about it."""


def decode_strict(data: bytes) -> Any:
    """Returns the decoded value. Raises LooseJsonError."""
    try:
        text = data.decode("utf-8")
        value = json.loads(
            text, object_pairs_hook=_object, parse_int=_int, parse_float=_float, parse_constant=_constant
        )
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except LooseJsonError:
        raise
    except UnicodeError as error:
        raise LooseJsonError("not UTF-8 text") from error
    except RecursionError as error:
        raise LooseJsonError("nested too deeply") from error
    except ValueError as error:
        raise LooseJsonError(f"not JSON: {error}") from error
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise LooseJsonError("a key stands twice in one object")
    return found


def _int(text: str) -> int:
    if len(text) > 17 or abs(int(text)) > _LARGEST_INT:
        raise LooseJsonError("a whole number beyond 2^53")
    return int(text)


def _float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise LooseJsonError("a number that is not finite")
    return number


def _constant(text: str) -> Any:
    raise LooseJsonError(f"{text} is not a JSON number")
