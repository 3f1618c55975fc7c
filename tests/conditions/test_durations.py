"""Durations of the document's options."""

import time
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergecast.language.conditions.errors import InvalidDuration
from mergecast.language.conditions.times.timestamps import parse_duration

_EXAMPLES = "write it like `30 s`, `5 min` or `1 d 15 h`"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("30 s", timedelta(seconds=30)),
        ("0 s", timedelta()),
        ("5 min", timedelta(minutes=5)),
        ("5mins", timedelta(minutes=5)),
        ("2h", timedelta(hours=2)),
        ("1 d 15 h 6 m 42 s", timedelta(days=1, hours=15, minutes=6, seconds=42)),
        ("1day2hours3minutes4seconds", timedelta(days=1, hours=2, minutes=3, seconds=4)),
        ("1 hour -10 minutes", timedelta(minutes=50)),
        ("+1 h", timedelta(hours=1)),
        (" 3 days ", timedelta(days=3)),
        ("999999999 d", timedelta(days=999999999)),
    ],
)
def test_a_duration_is_parsed(text: str, expected: timedelta) -> None:
    """Quantities from days to seconds, blanks or not, a sign on each."""
    assert expected == parse_duration(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (text, f"Invalid date interval: {_EXAMPLES}, with days before hours before minutes")
        for text in ("", "30", "PT5M", "soon", "5 min later", "5 min 1 h", "5 weeks", "1.5 h", "5 M", "٣ h")
    ]
    + [
        ("-1 h", f"Interval must be positive; {_EXAMPLES}"),
        ("9999999999 d", "Invalid date interval: a quantity has at most 9 digits"),
        ("9" * 100_000 + " s", "Invalid date interval: a quantity has at most 9 digits"),
        ("999999999 d 999999999 h", "Invalid date interval: the duration is too long"),
    ],
    ids=lambda text: text[:30],
)
def test_an_invalid_duration_is_an_error(text: str, reason: str) -> None:
    """The message gives examples."""
    with pytest.raises(InvalidDuration) as caught:
        parse_duration(text)

    assert reason == caught.value.reason


@pytest.mark.parametrize(
    "text", [" " * 1_000_000, "1" + " " * 1_000_000, "1 d" + " " * 1_000_000 + "x", "1 d " * 200_000]
)
def test_very_long_text_is_rejected_quickly(text: str) -> None:
    """Long runs of spaces do not make it slow."""
    start = time.thread_time()

    with pytest.raises(InvalidDuration):
        parse_duration(text)

    assert time.thread_time() - start < 10


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 10**6))
def test_quantities_add_up(days: int, hours: int, minutes: int, seconds: int) -> None:
    """Each may be larger than the next unit."""
    expected = timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)

    assert expected == parse_duration(f"{days} d {hours} h {minutes} m {seconds} s")
