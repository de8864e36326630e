"""How does a verb write its answer to stdout? Text, one JSON document, or NUL-terminated items."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping

import click


def print_text(text: str) -> None:
    """Writes text and a newline; styles are kept only where the session wants colour."""
    click.echo(text)


def print_json(document: Mapping[str, object]) -> None:
    """Writes one JSON document: keys in the order given, `format` first, ASCII only, one newline at the end.

    Raises ValueError for a document that does not begin with its format.
    """
    import json

    if next(iter(document), None) != "format":
        raise ValueError("a JSON document begins with its format")
    click.echo(json.dumps(document, indent=2, ensure_ascii=True, allow_nan=False))


def print_z(items: Iterable[bytes]) -> None:
    """Writes raw items, each ended by a NUL, for `xargs -0`."""
    sys.stdout.flush()
    for item in items:
        sys.stdout.buffer.write(item + b"\0")
    sys.stdout.buffer.flush()
