"""Hours of an invented queue, and a reference period of them."""

from collections.abc import Callable

from mergecast.queues.model.instant import DAY, HOUR
from mergecast.queues.model.reference_period import Limits, QueueHour, ReferencePeriod
from mergecast.signals.thresholds.reference_figures import figures_of

MONDAY = 1_788_134_400 // 3600  # 2026-08-31, in hours since the epoch
WEEK = 7 * 24


def hours(first: int, count: int, seconds: Callable[[int], float], failures: int = 0) -> list[QueueHour]:
    """Two merges in each hour; `seconds` says how long those of an hour stayed, one of them 10 % longer."""
    return [
        QueueHour(
            number,
            2 + failures,
            failures,
            2,
            2 + failures,
            (round(seconds(number)), round(1.1 * seconds(number))),
        )
        for number in range(first, first + count)
    ]


def uneven(number: int) -> float:
    """Slower by day than by night, and a little different every hour."""
    return (1200 if 8 <= number % 24 < 18 else 600) * (1 + (number * 37 % 11) / 50)


def pinned(weeks: int = 1, limits: Limits | None = None) -> tuple[ReferencePeriod, list[QueueHour]]:
    """A reference period of the weeks from MONDAY on."""
    found = hours(MONDAY, weeks * WEEK, uneven)
    start = MONDAY * HOUR
    end = start + weeks * 7 * DAY
    merges = sum(hour.merges for hour in found)
    figures = figures_of(found)
    return ReferencePeriod(
        "march", "main", "default", start, end, limits or Limits(), end, merges, figures
    ), found
