"""When the clock keeps conditions from holding."""

from datetime import UTC, datetime

import pytest

from mergecast.language.conditions.times.next_change import asks_the_clock, closed_spans, mixes_the_clock
from mergecast.language.conditions.tree import All
from mergecast.language.configuration.read import read_configuration
from mergecast.queues.model.instant import SECOND, Window, format_instant, parse_instant

_WEEK = Window(parse_instant("2026-11-02T00:00:00Z"), parse_instant("2026-11-09T00:00:00Z"))  # from a Monday


def _conditions(*texts: str) -> All:
    members = "".join(f"\n      - {text}" for text in texts)
    document = f"queue_rules:\n  - name: default\n    merge_conditions:{members}\n"
    today = datetime.fromtimestamp(_WEEK.start // SECOND, UTC).date()
    result = read_configuration(document, today=today)
    assert result.configuration, result.errors
    return result.configuration.queue_rules[0].merge_conditions


def _spans(*texts: str) -> list[tuple[str, str]]:
    found = closed_spans(_conditions(*texts), _WEEK)
    return [(format_instant(start)[5:16], format_instant(end)[5:16]) for start, end in found]


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        (["check-success = build"], []),
        (["schedule = Mon-Fri"], [("11-07T00:00", "11-09T00:00")]),
        (["schedule != Mon-Thu"], [("11-02T00:00", "11-06T00:00")]),
        (["current-datetime >= 2026-11-03"], [("11-02T00:00", "11-03T00:00")]),
        (
            ["schedule = Mon-Fri", "current-datetime != 2026-11-03T09:00/2026-11-03T10:00", "label = x"],
            [("11-03T09:00", "11-03T10:00"), ("11-07T00:00", "11-09T00:00")],
        ),
        (["or: [schedule = Mon-Wed, schedule = Sat-Sun]"], [("11-05T00:00", "11-07T00:00")]),
        (["not: {or: [schedule = Tue-Tue]}"], [("11-03T00:00", "11-04T00:00")]),
        (["or: [schedule = Mon-Fri, label = urgent]"], []),
    ],
)
def test_closed_spans(conditions: list[str], expected: list[tuple[str, str]]) -> None:
    """Only conditions that ask about nothing but the clock count."""
    assert _spans(*conditions) == expected


def test_opening_hours_close_every_night() -> None:
    """A schedule with times of day, in its own time zone."""
    spans = _spans("schedule = Mon-Fri 09:00-17:30[Europe/Paris]")

    assert spans[0] == ("11-02T00:00", "11-02T08:00")
    assert spans[1] == ("11-02T16:30", "11-03T08:00")
    assert spans[-1] == ("11-06T16:30", "11-09T00:00")
    assert len(spans) == 6


def test_conditions_that_join_the_clock_with_something_else() -> None:
    """They are recognized, so that a forecast can say that it leaves them out."""
    assert mixes_the_clock(_conditions("or: [schedule = Mon-Fri, label = urgent]"))
    assert not mixes_the_clock(_conditions("schedule = Mon-Fri", "label = urgent"))
    assert asks_the_clock(_conditions("or: [schedule = Mon-Fri, label = urgent]"))
    assert not asks_the_clock(_conditions("label = urgent"))
