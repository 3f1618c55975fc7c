"""Dates and times as options take them."""

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

import pytest

from mergecast.cli.errors import WrongUsage
from mergecast.cli.periods import Period, instant, read_dates

_PARIS = ZoneInfo("Europe/Paris")


@pytest.mark.parametrize(
    ("text", "tz", "hour"),
    [
        ("2026-01-31T09:00:00Z", _PARIS, 9),
        ("2026-01-31T14:30+0530", _PARIS, 9),
        ("20260131T10+01", UTC, 9),
        ("2026-W05-6T09:00", UTC, 9),
        ("2026-031T09:00", _PARIS, 8),
        ("2026-01-31 09:00", _PARIS, 8),
        ("2026-01-31 09:00Z", _PARIS, 9),
        ("2026-W05-6", UTC, 0),
        ("2026-01-30T24:00", UTC, 0),
    ],
)
def test_iso_8601_in_a_time_zone(text: str, tz: tzinfo, hour: int) -> None:
    """An option takes what the API takes, and also dates, local times and a blank for T."""
    assert datetime(2026, 1, 31, hour, tzinfo=UTC) == instant(text, tz, "--start")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("20260131", "a Unix timestamp is not accepted; write a date-time such as 2026-01-31T09:00:00Z"),
        ("2026-02-30", "this date does not exist; a date-time is written like 2026-01-31T09:00:00Z"),
        (
            "2026-01-31T0900",
            (
                "date and time must both have separators, or both have none; "
                "write a date-time like 2026-01-31T09:00:00Z or 20260131T090000Z"
            ),
        ),
        ("0001-01-01", "a date-time must be in the years 1 to 9999 (UTC)"),
        ("9999-12-31T24:00", "a date-time must be in the years 1 to 9999 (UTC)"),
    ],
)
def test_the_reason_is_that_of_the_api(text: str, reason: str) -> None:
    """The option and the text come first."""
    with pytest.raises(WrongUsage) as refusal:
        instant(text, _PARIS, "--start")

    assert f"--start: `{text}`: {reason}" == str(refusal.value)


_NOW = datetime(2026, 3, 18, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("given", "start", "end"),
    [
        ((None, None, None), datetime(2026, 2, 18, 12, tzinfo=UTC), _NOW),
        (("7d", None, None), datetime(2026, 3, 11, 12, tzinfo=UTC), _NOW),
        ((None, "2026-03-01", None), datetime(2026, 3, 1, tzinfo=UTC), _NOW),
        ((None, None, "2026-03-01"), datetime(2026, 2, 1, tzinfo=UTC), datetime(2026, 3, 1, tzinfo=UTC)),
    ],
)
def test_the_usual_length_is_for_what_is_left_out(
    given: tuple[str | None, str | None, str | None], start: datetime, end: datetime
) -> None:
    assert Period(start, end) == read_dates(given, "28d", UTC, _NOW)
