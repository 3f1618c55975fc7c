"""What do pull requests wait for in a queue?"""

from typing import Any

from msgspec import Struct

from mergecast.queues.model.seconds import in_seconds, percentile_in_seconds
from mergecast.queues.stats.answer import Bounds, Calendar, Entry, GroupEntries, by_group, group_names
from mergecast.queues.stats.question import Question
from mergecast.queues.stats.statistic import GROUPS, WINDOW, Statistic
from mergecast.queues.store.reader import Reader

_COMPONENTS = 4


class IdleTime(Entry, frozen=True):
    idle_capacity: float
    idle_schedule: float
    idle_freeze: float
    ci_runtime: float
    p95_idle_capacity: float
    p95_idle_schedule: float
    p95_idle_freeze: float
    p95_ci_runtime: float
    max_idle_capacity: float
    max_idle_schedule: float
    max_idle_freeze: float
    max_ci_runtime: float
    sum_idle_capacity: float
    sum_idle_schedule: float
    sum_idle_freeze: float
    sum_ci_runtime: float
    count_idle: int


class IdleSummary(Struct, frozen=True):
    avg_idle_capacity: float
    avg_idle_schedule: float
    avg_idle_freeze: float
    avg_ci_runtime: float
    p95_idle_capacity: float
    p95_idle_schedule: float
    p95_idle_freeze: float
    p95_ci_runtime: float
    max_idle_capacity: float
    max_idle_schedule: float
    max_idle_freeze: float
    max_ci_runtime: float


class GroupIdleTimes(GroupEntries[IdleTime]):
    summary: IdleSummary


class IdleTimes(Struct):
    groups: list[GroupIdleTimes]


def answer(reader: Reader, question: Question) -> object:
    rows = reader.rows("idle_queue_time", question.by_interval())
    calendar = Calendar(question.grid)
    return {
        "groups": [
            {
                **group_names(group),
                # The first row of a group has no interval: it sums up the others.
                "stats": [_entry(calendar[row[1]], *row[2:]) for row in members[1:]],
                "summary": _summary(*members[0][2:]),
            }
            for group, members in by_group(question, rows)
        ]
    }


def _entry(bounds: Bounds, stays: int, *values: Any) -> IdleTime:
    averages, sums, others = _in_seconds(stays, values)
    numbers: list[Any] = [*averages, *others, *sums, stays]
    return IdleTime(*bounds, *numbers)


def _summary(stays: int, *values: Any) -> IdleSummary:
    averages, _, others = _in_seconds(stays, values)
    return IdleSummary(*averages, *others)


def _in_seconds(stays: int, values: tuple[Any, ...]) -> tuple[list[float], list[float], list[float]]:
    """Averages, sums and the rest, from four sums, four percentiles and four maxima in microseconds."""
    sums = [int(total) for total in values[:_COMPONENTS]]
    percentiles, maxima = values[_COMPONENTS : 2 * _COMPONENTS], values[2 * _COMPONENTS :]
    averages = [in_seconds(total, stays) for total in sums]
    others = [*map(percentile_in_seconds, percentiles), *map(in_seconds, maxima)]
    return averages, [in_seconds(total) for total in sums], others


STATISTIC = Statistic(
    name="idle_queue_time",
    summary="Idle time spent in queue, by time intervals",
    parameters=(*GROUPS, *WINDOW),
    answer=answer,
    answer_type=IdleTimes,
)
