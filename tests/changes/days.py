"""Days of a queue whose figures have a level and some noise, with a change of level if asked for."""

from collections.abc import Callable
from random import Random

from mergecast.queues.model.queue_changes import LevelChange, QueueDay
from mergecast.signals.changes.looks import find_changes

MONDAY = 20_514  # 2026-03-02
_WEEKEND = 0.3


def usual(number: int, load: float = 1.0, length: float = 1.0, failures: float = 1.0) -> QueueDay:
    """A day with these multiples of what is usual."""
    draw = Random(f"day {number}")
    place = number - MONDAY
    entered = round(60 * load * draw.lognormvariate(0, 0.1) * (_WEEKEND if place % 7 >= 5 else 1))
    failed = sum(draw.random() < 0.05 * failures for _ in range(entered))
    passed = 900 * length * draw.lognormvariate(0, 0.05)
    waited = 30.0 * entered * draw.lognormvariate(0, 0.1)
    return QueueDay(
        number, entered, entered, failed, entered - failed, passed * 1.5, passed * 3, entered, passed,
        entered, waited,
    )  # fmt: skip


def weeks(number: int, change: Callable[[int], dict[str, float]] = lambda _: {}) -> list[QueueDay]:
    """This many weeks; `change` says what differs from what is usual on the n-th day."""
    return [usual(MONDAY + place, **change(place)) for place in range(7 * number)]


def only_length(day: QueueDay) -> QueueDay:
    """The day without figures other than the length of CI runs, so that looks at it are quick."""
    return QueueDay(day.number, day.entered, merged=day.merged, passed_p50=day.passed_p50)


def from_day(first: int, **multiples: float) -> Callable[[int], dict[str, float]]:
    return lambda place: multiples if place >= first else {}


def found_in(days: list[QueueDay]) -> list[LevelChange]:
    """The changes that are shown on the Monday after the last day."""
    return list(find_changes(days, days[-1].number + 1).changes)
