"""When the silence of a source becomes unusual."""

from mergecast.queues.model.instant import DAY, HOUR, MINUTE, WEEK, parse_instant
from mergecast.signals.thresholds.course import Span
from mergecast.signals.thresholds.source_hours import SourceHours, learn_hours

MONDAY = parse_instant("2026-11-02T00:00:00Z")


def _office(*, weekends: bool = False, without: tuple[int, ...] = ()) -> SourceHours:
    """Eight weeks in which something comes every hour of working days from 9 to 17."""
    signs = [
        day + hour * HOUR + 10 * MINUTE
        for day in range(MONDAY - 8 * WEEK, MONDAY, DAY)
        for hour in range(9, 17)
        if (weekends or (day - MONDAY) % WEEK < 5 * DAY) and (day - MONDAY) // DAY not in without
    ]
    found = learn_hours(signs, Span(MONDAY - 8 * WEEK, MONDAY))
    assert found is not None
    return found


def test_twelve_usual_hours_are_too_long() -> None:
    """From Monday at 12:30: four and a half hours that day, and the rest on Tuesday."""
    last = MONDAY + 12 * HOUR + 30 * MINUTE

    assert MONDAY + DAY + 12 * HOUR + 30 * MINUTE == _office().silent_from(last)


def test_a_weekend_is_usual() -> None:
    """Nothing comes from Friday at 16:10 on; on Tuesday that is too long."""
    friday = MONDAY + 4 * DAY + 16 * HOUR + 10 * MINUTE
    silent_from = _office().silent_from(friday)

    assert silent_from is not None
    assert MONDAY + WEEK + DAY < silent_from < MONDAY + WEEK + 2 * DAY


def test_a_day_by_the_clock_is_too_long_if_every_week_had_an_event() -> None:
    """Few hours of the day are usual, so twelve of them would take days."""
    often, seldom = (
        learn_hours(
            [
                day + (6 + day // DAY % 9 + more) * HOUR
                for day in range(MONDAY - 8 * WEEK, MONDAY, DAY)
                for more in range(events)
            ],
            Span(MONDAY - 8 * WEEK, MONDAY),
        )
        for events in (3, 1)
    )

    assert often is not None
    assert seldom is not None
    assert (MONDAY + DAY, None) == (often.silent_from(MONDAY), seldom.silent_from(MONDAY))


def test_one_week_without_events_shows_that_silence_happens() -> None:
    """A holiday four weeks ago, on the same day of the week."""
    holiday = -4 * 7 + 1
    evening = MONDAY + 16 * HOUR + 30 * MINUTE

    assert _office(weekends=True).is_due(evening)
    assert not _office(weekends=True, without=(holiday,)).is_due(evening)


def test_an_hour_is_usual_in_six_of_eight_weeks() -> None:
    missing = tuple(-7 * week for week in range(1, 4))  # three Mondays

    assert 8 == _office(without=missing[:2]).usual.expected(MONDAY, MONDAY + DAY)
    assert 0 == _office(without=missing).usual.expected(MONDAY, MONDAY + DAY)
