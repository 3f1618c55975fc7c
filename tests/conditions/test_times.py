"""Timestamps, relative times, intervals and schedules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conditions.builders import NOW, judge, leaf, snapshot
from mergecast.language.conditions.errors import InvalidValue
from mergecast.language.conditions.times.intervals import parse_interval
from mergecast.language.conditions.times.schedules import parse_schedule
from mergecast.language.conditions.times.timestamps import parse_relative, parse_timestamp, zone
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, SECOND, format_instant, parse_instant

BARE = snapshot()
_INTERVAL = "write it like `2026-07-14T14:00/2026-07-14T19:00[Europe/Paris]`, with XXXX for every year"
_TIMESTAMP = "write it like `2026-01-31`, `2026-01-31T09:00Z` or `2026-01-31T09:00[Europe/Paris]`"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2021-04-05", "2021-04-05T00:00:00Z"),
        ("2021-04-05[Europe/Paris]", "2021-04-04T22:00:00Z"),
        ("2012-09-17T22:02:51", "2012-09-17T22:02:51Z"),
        ("2012-09-17 22:02", "2012-09-17T22:02:00Z"),
        ("2012-09-17T22:02:51Z", "2012-09-17T22:02:51Z"),
        ("2012-09-17T22:02:51.25Z", "2012-09-17T22:02:51.250000Z"),
        ("2012-09-17T22:02:51-08:00", "2012-09-18T06:02:51Z"),
        ("2012-09-17T22:02:51+0530", "2012-09-17T16:32:51Z"),
        ("2013-12-05T07:19:04[Europe/Paris]", "2013-12-05T06:19:04Z"),
    ],
)
def test_a_timestamp_is_an_instant(text: str, expected: str) -> None:
    """The default zone is UTC; a zone in brackets applies to the time as written."""
    assert expected == format_instant(parse_timestamp(text).at)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("2021", f"Invalid timestamp; {_TIMESTAMP}"),
        ("2021-4-5", f"Invalid timestamp; {_TIMESTAMP}"),
        ("2021-02-30", f"Invalid timestamp: this date or time does not exist; {_TIMESTAMP}"),
        ("0000-01-01", f"Invalid timestamp: this date or time does not exist; {_TIMESTAMP}"),
        ("2021-02-03T25:00", f"Invalid timestamp: this date or time does not exist; {_TIMESTAMP}"),
        ("0001-01-01T00:00+14:00", f"Invalid timestamp: this date or time does not exist; {_TIMESTAMP}"),
        ("2021-02-03T00:00+25:00", f"Invalid timestamp: there is no UTC offset `+25:00`; {_TIMESTAMP}"),
        (
            "2021-02-03T00:00Z[Europe/Paris]",
            "Invalid timestamp: write an offset or a zone in brackets, not both",
        ),
        (
            "2021-02-03T00:00[Europe/Pariss]",
            "Invalid timezone: `Europe/Pariss`; did you mean `Europe/Paris`?",
        ),
    ],
)
def test_an_invalid_timestamp_is_an_error(text: str, reason: str) -> None:
    """The calendar starts with the year 1 in UTC."""
    with pytest.raises(InvalidValue) as caught:
        parse_timestamp(text)

    assert reason == caught.value.reason


@pytest.mark.parametrize(
    "name",
    [
        "",
        "..",
        "../../etc/passwd",
        "/etc/passwd",
        "Europe",
        "Europe/",
        "zone.tab",
        "tzdata.zi",
        "localtime",
        "\x00",
        "Europe/Paris\x00",
        "é/è",
        "�",
        "a" * 10000,
        "Europe/Paris/..",
        " Europe/Paris",
        "posix/../UTC",
    ],
)
def test_an_invalid_zone_name_never_reaches_the_file_system(name: str) -> None:
    """The message is always the same."""
    with pytest.raises(InvalidValue, match=r"^Invalid timezone: "):
        zone(name)


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("14 days ago", 14 * DAY),
        ("1 day ago", DAY),
        ("2 days 3 hours ago", 2 * DAY + 3 * HOUR),
        ("2 days 3 hours 5 minutes ago", 2 * DAY + 3 * HOUR + 5 * MINUTE),
        ("24h ago", DAY),
        ("5 min ago", 5 * MINUTE),
        ("30 s ago", 30 * SECOND),
        ("7 days 18:02 ago", 7 * DAY + 18 * HOUR + 2 * MINUTE),
        ("18:02 ago", 18 * HOUR + 2 * MINUTE),
    ],
)
def test_a_relative_time_counts_back(text: str, before: int) -> None:
    """Documented, abbreviated and legacy spellings."""
    assert before == parse_relative(text).before


@pytest.mark.parametrize(
    "text", ["ago", "3 weeks ago", "hours ago", "3 hours 2 days ago", "-3 days ago", "9" * 99 + " d ago"]
)
def test_an_invalid_relative_time_is_an_error(text: str) -> None:
    """Weeks, months and years are not supported."""
    with pytest.raises(InvalidValue, match=r"^Invalid relative date; write it like `14 days ago`"):
        parse_relative(text)


JULY = "XXXX-07-14T14:00/XXXX-07-14T19:00[Europe/Paris]"


@pytest.mark.parametrize(
    ("text", "now", "expected"),
    [
        ("2023-07-14T14:00/2023-07-14T19:00[Europe/Paris]", "2023-07-14T12:00:00Z", True),
        ("2023-07-14T14:00/2023-07-14T19:00[Europe/Paris]", "2023-07-14T17:00:00Z", True),
        ("2023-07-14T14:00/2023-07-14T19:00[Europe/Paris]", "2023-07-14T17:00:01Z", False),
        ("2023-07-14T14:00Z/2023-07-14T19:00Z", "2023-07-14T14:00:00Z", True),
        ("2023-07-14T14:00:30.5/2023-07-14T19:00", "2023-07-14T14:00:30.4Z", False),
        (JULY, "2026-07-14T15:00:00Z", True),
        (JULY, "2031-07-14T15:00:00Z", True),
        (JULY, "2026-07-15T15:00:00Z", False),
        ("XXXX-XX-31T00:00/XXXX-XX-31T23:59", "2026-01-31T12:00:00Z", True),
        ("XXXX-XX-31T00:00/XXXX-XX-31T23:59", "2026-02-28T12:00:00Z", False),
        ("2023-07-XXT14:00/XXXX-07-XXT19:00", "2023-07-20T15:00:00Z", True),
        ("2023-07-XXT14:00/XXXX-07-XXT19:00", "2024-07-20T15:00:00Z", False),
        ("2023-07-XXT14:00/XXXX-07-XXT19:00", "2023-08-20T15:00:00Z", False),
        ("2023-02-XXT00:00/2023-02-XXT23:00", "2023-03-31T12:00:00Z", False),
        ("XXXX-12-25", "2026-12-25T23:59:59.5Z", True),
        ("XXXX-12-25", "2026-12-26T00:00:00Z", False),
        ("XXXX-12-25T10:00", "2026-12-25T10:00:59Z", True),
        ("XXXX-12-25T10:00:07", "2026-12-25T10:00:07.9Z", True),
        ("XXXX-02-29", "2027-03-01T00:00:00Z", False),
        ("XXXX-07-01/2025-07-01", "2026-08-01T00:00:00Z", False),
    ],
)
def test_whether_an_interval_contains_the_current_time(text: str, now: str, expected: bool) -> None:  # noqa: FBT001
    """Open fields take the current value, the same at both ends; both ends are included."""
    assert expected is parse_interval(text).contains(parse_instant(now))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("XXXX-12-20/XXXX-01-05", f"Invalid interval: it ends before it starts; {_INTERVAL}"),
        ("2026-01-02/2026-01-01", f"Invalid interval: it ends before it starts; {_INTERVAL}"),
        ("XXX6-01-02/2026-01-01", f"Invalid timestamp; {_INTERVAL}"),
        ("2026-1X-02/2026-01-01", f"Invalid timestamp; {_INTERVAL}"),
        ("XXXX-02-30", f"Invalid timestamp: this date or time does not exist; {_TIMESTAMP}"),
        (
            "2026-01-01/2026-01-02[Mars]",
            "Invalid timezone: `Mars`; a zone is an IANA name such as `Europe/Paris`",
        ),
    ],
)
def test_an_invalid_interval_is_an_error(text: str, reason: str) -> None:
    """X replaces whole fields; an interval runs forward."""
    with pytest.raises(InvalidValue) as caught:
        parse_interval(text)

    assert reason == caught.value.reason


@pytest.mark.parametrize(
    ("text", "now", "expected"),
    [
        ("Mon-Fri", "2026-11-16T00:00:00Z", True),
        ("Mon-Fri", "2026-11-15T23:59:59Z", False),
        ("monday-FRIDAY", "2026-11-16T00:00:00Z", True),
        ("1-5", "2026-11-20T00:00:00Z", True),
        ("Sun-Sun", "2026-11-15T12:00:00Z", True),
        ("09:00-19:00", "2026-11-15T19:00:00Z", True),
        ("09:00-19:00", "2026-11-15T19:00:00.5Z", False),
        ("09:00-19:00", "2026-11-15T19:00:30Z", False),
        ("09:00-19:00", "2026-11-15T08:59:59Z", False),
        ("00:00-23:59", "2026-11-15T23:59:30Z", True),
        ("9:00-17:30", "2026-11-15T09:00:00Z", True),
        ("Mon-Fri 09:00-17:30[Europe/Paris]", "2026-11-16T08:00:00Z", True),
        ("Mon-Fri 09:00-17:30[Europe/Paris]", "2026-11-16T16:31:00Z", False),
        ("Mon-Mon 00:00-02:00[Asia/Tokyo]", "2026-11-15T16:00:00Z", True),
        ("09:00[Europe/Paris]-17:00", "2026-11-15T15:30:00Z", True),
        ("09:00[Europe/Paris]-17:00[America/New_York]", "2026-11-15T21:30:00Z", True),
        ("09:00[Europe/Paris]-08:00[America/New_York]", "2026-11-15T12:59:00Z", True),
    ],
)
def test_whether_a_schedule_contains_the_current_time(text: str, now: str, expected: bool) -> None:  # noqa: FBT001
    """Days are in the zone of the schedule; both ends are included, and 23:59 is the end of the day."""
    assert expected is parse_schedule(text).contains(parse_instant(now))


_SCHEDULE = "write it like `Mon-Fri`, `09:00-17:30[Europe/Paris]` or `Mon-Fri 09:00-17:30[Europe/Paris]`"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", f"Invalid schedule; {_SCHEDULE}"),
        ("Mon", "Invalid schedule; write a single day as `Mon-Mon`"),
        ("Mon-Fri 09:00", f"Invalid schedule; {_SCHEDULE}"),
        ("Mon-Fri[Europe/Paris]", f"Invalid schedule; {_SCHEDULE}"),
        ("Mon-Frx", "Invalid schedule: `Frx` is not a day; use Mon to Sun, or 1 to 7"),
        (
            "Fri-Mon",
            "Invalid schedule: Fri-Mon ends before it starts; join two schedules with `or` instead",
        ),
        (
            "22:00-06:00",
            (
                "Invalid schedule: 22:00-06:00 ends before it starts; "
                "write `or` of `22:00-23:59` and `00:00-06:00`"
            ),
        ),
        ("0-5", "Day of the week must be between 1 and 7"),
        ("1-8", "Day of the week must be between 1 and 7"),
        ("09:00-24:00", "Hour must be between 0 and 23"),
        ("09:60-10:00", "Minute must be between 0 and 59"),
        ("09:00-10:00[]", "Invalid timezone: ``; a zone is an IANA name such as `Europe/Paris`"),
    ],
)
def test_an_invalid_schedule_is_an_error(text: str, reason: str) -> None:
    """Including one that could never hold."""
    with pytest.raises(InvalidValue) as caught:
        parse_schedule(text)

    assert reason == caught.value.reason


CHANGES = [
    ("schedule = Mon-Fri 09:00-17:30[Europe/Paris]", "2026-11-16T08:00:00Z"),
    ("schedule != Sun-Sun", "2026-11-16T00:00:00Z"),
    ("schedule = 09:00-17:00", "2026-11-15T17:00:00.000001Z"),
    ("schedule = 09:00-23:59", "2026-11-16T00:00:00Z"),
    ("schedule = Mon-Sun 00:00-23:59", None),
    ("current-datetime >= 2026-12-24", "2026-12-24T00:00:00Z"),
    ("current-datetime > 2026-12-24", "2026-12-24T00:00:00.000001Z"),
    ("current-datetime < 2026-01-01", None),
    (f"current-datetime = {JULY}", "2027-07-14T12:00:00Z"),
    ("current-datetime = XXXX-02-29", "2028-02-29T00:00:00Z"),
    ("current-datetime = XXXX-XX-31", "2026-12-31T00:00:00Z"),
    ("current-datetime = XXXX-XX-XXT20:00/XXXX-XX-XXT21:00", "2026-11-15T20:00:00Z"),
    ("current-datetime != 2026-11-15T10:00/2026-11-15T12:00", "2026-11-15T12:00:00.000001Z"),
    ("current-datetime = 2020-07-XXT10:00/2020-07-XXT12:00", None),
    ("created-at < 3 days ago", "2026-11-16T12:00:00.000001Z"),
    ("created-at <= 3 days ago", "2026-11-16T12:00:00Z"),
    ("created-at > 3 days ago", "2026-11-16T12:00:00Z"),
    ("created-at < 1 day ago", None),
    ("created-at < 2027-01-01", None),
    ("merged-at < 1 day ago", None),
    ("label = x", None),
]


@pytest.mark.parametrize(("text", "expected"), CHANGES, ids=[row[0] for row in CHANGES])
def test_the_next_change_is_known(text: str, expected: str | None) -> None:
    """The first instant at which the passing of time changes the result."""
    result = judge(text, BARE)

    change = result.next_change

    assert expected == (None if change is None else format_instant(change))
    if change is not None:
        assert result.truth is judge(text, BARE, change - 1).truth
        assert result.truth is not judge(text, BARE, change).truth


@given(
    st.sampled_from(
        ["Mon-Fri", "Sat-Sun", "09:00-17:00", "Tue-Wed 22:15-23:59", "Mon-Fri 02:30-03:00[Europe/Paris]"]
    ),
    st.integers(
        parse_instant("2024-01-01T00:00:00Z") // SECOND, parse_instant("2028-01-01T00:00:00Z") // SECOND
    ),
    st.integers(0, 8 * 24 * 60),
)
def test_nothing_changes_before_the_next_change(text: str, seconds: int, minutes: int) -> None:
    """Until then the result stays the same."""
    now = seconds * SECOND
    schedule = parse_schedule(text)
    change = judge(f"schedule = {text}", BARE, now).next_change
    later = now + minutes * MINUTE

    assert change is not None
    assert later >= change or schedule.contains(later) is schedule.contains(now)


def test_a_clock_condition_observes_the_current_time() -> None:
    """It keeps its operator."""
    assert NOW == judge("schedule = Mon-Fri", BARE).observed
    assert "!=" == leaf("schedule != Mon-Fri").operator
