"""Is there exactly one way to write a moment?"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_assay.values.moments import format_moment, parse_day, parse_moment


@given(st.datetimes(min_value=datetime(1970, 1, 1), max_value=datetime(9999, 1, 1)))
def test_a_moment_survives_being_written(moment: datetime) -> None:
    moment = moment.replace(tzinfo=UTC, microsecond=0)
    assert parse_moment(format_moment(moment)) == moment


def test_other_zones_are_written_in_utc() -> None:
    tokyo = datetime(2026, 1, 1, 9, tzinfo=timezone(timedelta(hours=9)))
    assert format_moment(tokyo) == "2026-01-01T00:00:00Z"


def test_a_naive_moment_is_refused() -> None:
    with pytest.raises(ValueError, match="time zone"):
        format_moment(datetime(2026, 1, 1))


@pytest.mark.parametrize(
    "text", ["2026-01-01", "2026-01-01T00:00:00", "2026-01-01T00:00:00+00:00", "2026-13-01T00:00:00Z"]
)
def test_other_forms_are_not_moments(text: str) -> None:
    with pytest.raises(ValueError):
        parse_moment(text)


@pytest.mark.parametrize("text", ["20260101", "2026-1-1", "2026-02-30", "2026-W01-1"])
def test_other_forms_are_not_days(text: str) -> None:
    with pytest.raises(ValueError):
        parse_day(text)
