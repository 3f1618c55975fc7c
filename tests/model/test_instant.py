"""Instants: which texts are valid, and the message for those that are not."""

import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import msgspec
import pytest
from hypothesis import given, settings
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
        ("1970-01-01T05:30:00+0530", 0),
        ("1970-01-01T01+01", 0),
        ("19700101T0530+05:30", 0),
        ("19700101T000000,25Z", 250_000),
        ("1970-01-01T00:00,5Z", 30_000_000),
        ("1970-01-01T00.5Z", 1_800_000_000),
        ("1970-01-01T00.00027777777777777778Z", 1_000_000),
        ("1970-W01-4T00:00Z", 0),
        ("1970W014t00z", 0),
        ("1970-001T00:00:00Z", 0),
        ("1970001T00Z", 0),
        ("1969-12-31T24:00Z", 0),
        ("19691231T24Z", 0),
        ("1969-365T24:00:00.000+00", 0),
        ("9999-12-31T24:00+00:01", 253_402_300_740_000_000),
    ],
)
def test_valid_date_times(text: str, instant: int) -> None:
    """ISO 8601 with a UTC offset; what is less than a microsecond is cut."""
    assert instant == parse_instant(text)


_EXISTS = "a date-time is written like 2026-01-31T09:00:00Z"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1769850000", "a Unix timestamp is not accepted; write a date-time such as 2026-01-31T09:00:00Z"),
        ("-1.5", "a Unix timestamp is not accepted; write a date-time such as 2026-01-31T09:00:00Z"),
        ("2026-01-31T09:00:00", "a date-time needs a UTC offset, such as 2026-01-31T09:00:00Z"),
        (
            "2026-01-31",
            "a date without a time is not accepted; write a date-time such as 2026-01-31T09:00:00Z",
        ),
        (
            "2026-01-31T09:00:00 01:00",
            "the `+` of the UTC offset arrived as a blank; write it as %2B in a URL, or use Z",
        ),
        ("2026-02-30T09:00:00Z", f"this date does not exist; {_EXISTS}"),
        ("2026-01-31T24:00:01Z", f"this time of day does not exist; {_EXISTS}"),
        (
            "2026-06-30T23:59:60Z",
            "a leap second is not accepted; write second 59, or second 0 of the next minute",
        ),
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
            f"only the digits 0 to 9 are accepted; {_EXISTS}",
        ),
    ],
)
def test_invalid_date_times(text: str, message: str) -> None:
    """The message says what a valid text looks like."""
    with pytest.raises(NotAnInstant) as refusal:
        parse_instant(text)

    assert message == str(refusal.value)


_FIRST, _LAST = datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 29, tzinfo=UTC)
_DATES = {"": ("%Y%m%d", "%GW%V%u", "%Y%j"), "-": ("%Y-%m-%d", "%G-W%V-%u", "%Y-%j")}
_TIMES = {"": ("%H", "%H%M", "%H%M%S"), "-": ("%H", "%H:%M", "%H:%M:%S")}
_UNITS = (3600, 60, 1)
_THREE = st.integers(0, 2)


@st.composite
def _spellings(draw: st.DrawFn) -> tuple[str, int]:
    """What `strftime` writes, with a fraction and an offset, and its instant by integer arithmetic."""
    separator, kind, precision = draw(st.sampled_from(["", "-"])), draw(_THREE), draw(_THREE)
    seconds = (
        draw(st.integers(0, int((_LAST - _FIRST).total_seconds()))) // _UNITS[precision] * _UNITS[precision]
    )
    local = _FIRST + timedelta(seconds=seconds)
    fraction = draw(st.text("0123456789", max_size=30))
    hours, minutes, sign = draw(st.integers(0, 23)), draw(st.integers(0, 59)), draw(st.sampled_from("+-"))
    offset, ahead = draw(
        st.sampled_from(
            [
                ("Z", 0),
                ("z", 0),
                (f"{sign}{hours:02}", hours * 3600),
                (f"{sign}{hours:02}{minutes:02}", hours * 3600 + minutes * 60),
                (f"{sign}{hours:02}:{minutes:02}", hours * 3600 + minutes * 60),
            ]
        )
    )
    written = _written(
        local, _DATES[separator][kind], draw(st.sampled_from("Tt")), _TIMES[separator][precision]
    )
    written += f"{draw(st.sampled_from('.,'))}{fraction}{offset}" if fraction else offset
    since = int((local - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()) - (
        -ahead if sign == "-" else ahead
    )
    part = int(fraction or 0) * _UNITS[precision] * 10**6 // 10 ** len(fraction)
    return written, since * 10**6 + part


def _written(local: datetime, date: str, separator: str, time: str) -> str:
    # `strftime` writes the year 1 as 1 on some systems.
    years = {"%Y": f"{local.year:04}", "%G": f"{local.isocalendar().year:04}"}
    for directive, year in years.items():
        date = date.replace(directive, year)
    return local.strftime(date) + separator + local.strftime(time)


@settings(max_examples=1000)
@given(_spellings())
def test_every_spelling_is_the_instant_it_was_made_from(spelling: tuple[str, int]) -> None:
    """Calendar, week and ordinal dates, basic or extended, down to hours, minutes or seconds."""
    text, instant = spelling

    assert instant == parse_instant(text)


@settings(max_examples=500)
@given(
    st.one_of(
        st.text(),
        st.text("0123456789-:.,TtWZz+ \N{MINUS SIGN}", max_size=40),
        st.tuples(_spellings(), st.integers(0, 40), st.text(max_size=3)).map(
            lambda parts: parts[0][0][: parts[1]] + parts[2] + parts[0][0][parts[1] + 1 :]
        ),
    )
)
def test_any_other_text_raises_nothing_but_the_refusal(text: str) -> None:
    """What is accepted is in the range that `format_instant` can write."""
    instant = None
    with suppress(NotAnInstant):
        instant = parse_instant(text)

    assert instant is None or instant == parse_instant(format_instant(instant))


@given(_spellings())
def test_without_its_offset_or_with_a_blank_for_a_plus_it_is_refused(spelling: tuple[str, int]) -> None:
    """Neither is guessed."""
    text, _ = spelling
    local, sign, offset = text.partition("+")

    with pytest.raises(NotAnInstant) as refusal:
        parse_instant(f"{local} {offset}" if sign else re.sub("[Zz]$|(?<=[0-9])-[0-9:]{2,5}$", "", text))

    expected = "the `+` of the UTC offset arrived as a blank" if sign else "a date-time needs a UTC offset"
    assert str(refusal.value).startswith(expected)


def test_a_long_fraction_takes_no_long_time() -> None:
    """Python converts no more than 4,300 digits, and takes long for many."""
    assert 1_800_000_000 == parse_instant(f"1970-01-01T00.5{'0' * 1_000_000}Z")


@given(st.integers(-62_135_596_800_000_000, 253_402_300_799_999_999))
def test_a_formatted_instant_parses_as_itself(instant: int) -> None:
    """This holds for every instant, and JSON writes the same text."""
    assert instant == parse_instant(format_instant(instant))
    assert format_instant(instant) == msgspec.to_builtins(to_datetime(instant))


@pytest.mark.parametrize(("instant", "second"), [(0, 0), (1, 1_000_000), (1_000_000, 1_000_000), (-1, 0)])
def test_now_is_rounded_up_to_a_second(instant: int, second: int) -> None:
    """An event acknowledged a moment ago is before it."""
    assert second == next_whole_second(instant)
