"""When? Moments are UTC, whole seconds, written with a `Z`."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z")


def format_moment(moment: datetime) -> str:
    """Returns `2026-11-30T19:10:00Z`. Raises ValueError for a naive datetime."""
    if moment.tzinfo is None:
        raise ValueError("a moment needs a time zone")
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def parse_moment(text: str) -> datetime:
    """Returns the moment in UTC. Raises ValueError for anything but the one written form."""
    if not _MOMENT.fullmatch(text):
        raise ValueError(f"not a UTC time of the form 2026-11-30T19:10:00Z: {text!r}")
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)


def parse_day(text: str) -> date:
    """Returns the day of `2026-11-30`. Raises ValueError otherwise."""
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
        raise ValueError(f"not a date of the form 2026-11-30: {text!r}")
    return date.fromisoformat(text)
