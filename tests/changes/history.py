"""Events of a queue whose CI takes longer from one day on."""

from random import Random
from typing import Any

from builders import ended, entered, left, started
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, format_instant, parse_instant

MONDAY = parse_instant("2026-05-04T00:00:00Z")
WEEKS = 18
SLOWER_FROM = MONDAY + 72 * DAY  # Wednesday, 2026-07-15
END = MONDAY + WEEKS * 7 * DAY
_A_DAY = 7


def slower_from(
    slower_at: int = SLOWER_FROM, weeks: int = WEEKS, start: int = MONDAY
) -> list[dict[str, Any]]:
    """Merged pull requests of working days, each tested alone: in about 15 minutes, and then in 24."""
    draw, events = Random(1), list[dict[str, Any]]()
    for day in range(7 * weeks):
        if day % 7 < 5:
            for place in range(_A_DAY):
                at = start + day * DAY + (8 + place) * HOUR
                minutes = (15 if at < slower_at else 24) * draw.lognormvariate(0, 0.1)
                events += _merged(day * _A_DAY + place + 1, at, at + int(minutes * MINUTE))
    return events


def _merged(number: int, start: int, end: int) -> list[dict[str, Any]]:
    session, batch = f"s{number}", f"b{number}"
    begin, done = format_instant(start), format_instant(end)
    return [
        entered(begin, session, number),
        started(begin, session, number, batch, [number]),
        ended(done, session, number, batch),
        left(done, session, number),
    ]
