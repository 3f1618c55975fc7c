"""Instants: which texts are valid, and the message for those that are not."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergecast.queues.model.instant import (
    NotAnInstant,
    format_instant,
    next_whole_second,
    parse_instant,
    to_datetime,
)


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("1970-01-01t00:00:00z", 0),
        ("1970-01-01T01:00:00+01:00", 0),
        ("1969-12-31T23:00:00-01:00", 0),
        ("1970-01-01T00:00:00-00:00", 0),
        ("1970-01-01T00:00:00.5Z", 500_000),
        ("1970-01-01T00:00:00.1234569Z", 123_456),
        ("2026-01-31T10:00:00.5+01:00", 1_769_850_000_500_000),
        ("0001-01-01T00:00:00Z", -62_135_596_800_000_000),
        ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
    ],
)
def test_valid_date_times(text: str, instant: int) -> None:
    """RFC 3339 with six fractional digits; further digits are truncated."""
    assert instant == parse_instant(text)


_EXISTS = "a date-time is written like 2026-01-31T09:00:00Z"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1769850000", "a Unix timestamp is not accepted; write a date-time such as 2026-01-31T09:00:00Z"),
        ("-1.5", "a Unix timestamp is not accepted; write a date-time such as 2026-01-31T09:00:00Z"),
        ("2026-01-31T09:00:00", "a date-time needs a UTC offset, such as 2026-01-31T09:00:00Z"),
        ("2026-01-31", "a date-time needs a UTC offset, such as 2026-01-31T09:00:00Z"),
        (
            "2026-01-31T09:00:00 01:00",
            "the `+` of the UTC offset arrived as a blank; write it as %2B in a URL, or use Z",
        ),
        ("2026-02-30T09:00:00Z", f"this date does not exist; {_EXISTS}"),
        ("2026-01-31T24:00:00Z", f"this time of day does not exist; {_EXISTS}"),
        ("2026-06-30T23:59:60Z", f"this time of day does not exist; {_EXISTS}"),
        ("2026-01-31T09:00:00+24:00", f"this UTC offset does not exist; {_EXISTS}"),
        ("0000-01-01T00:00:00Z", f"this date does not exist; {_EXISTS}"),
        ("0001-01-01T00:00:00+00:01", "a date-time must be in the years 1 to 9999 (UTC)"),
        ("9999-12-31T23:59:59-00:01", "a date-time must be in the years 1 to 9999 (UTC)"),
        (
            "yesterday",
            "this is not a date-time; write it like 2026-01-31T09:00:00Z or 2026-01-31T10:00:00.5+01:00",
        ),
        (
            "2026-01-31T09:00:00Z\n",
            "this is not a date-time; write it like 2026-01-31T09:00:00Z or 2026-01-31T10:00:00.5+01:00",
        ),
        (
            "２０２６-01-31T09:00:00Z",  # noqa: RUF001 - digits that are not ASCII are the point
            "this is not a date-time; write it like 2026-01-31T09:00:00Z or 2026-01-31T10:00:00.5+01:00",
        ),
    ],
)
def test_invalid_date_times(text: str, message: str) -> None:
    """The message says what a valid text looks like."""
    with pytest.raises(NotAnInstant) as refusal:
        parse_instant(text)

    assert message == str(refusal.value)


@given(st.integers(-62_135_596_800_000_000, 253_402_300_799_999_999))
def test_a_formatted_instant_parses_as_itself(instant: int) -> None:
    """This holds for every instant, and JSON writes the same text."""
    assert instant == parse_instant(format_instant(instant))
    assert format_instant(instant) == msgspec.to_builtins(to_datetime(instant))


@pytest.mark.parametrize(("instant", "second"), [(0, 0), (1, 1_000_000), (1_000_000, 1_000_000), (-1, 0)])
def test_now_is_rounded_up_to_a_second(instant: int, second: int) -> None:
    """An event acknowledged a moment ago is before it."""
    assert second == next_whole_second(instant)
