"""What do pull requests wait for in a queue?"""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct, defstruct

from mergecast.queues.model.seconds import in_seconds, percentile_in_seconds
from mergecast.queues.stats.answer import (
    Bounds,
    Calendar,
    Entry,
    GroupEntries,
    Question,
    by_group,
    group_names,
)
from mergecast.queues.stats.statistic import GROUPS, WINDOW, Statistic
from mergecast.queues.store.reader import Reader

_COMPONENTS = ("idle_capacity", "idle_schedule", "idle_freeze", "ci_runtime")


def _seconds(*prefixes: str) -> list[tuple[str, type]]:
    return [(f"{prefix}{component}", float) for prefix in prefixes for component in _COMPONENTS]


IdleTime = defstruct(
    "IdleTime", [*_seconds("", "p95_", "max_", "sum_"), ("count_idle", int)], bases=(Entry,), frozen=True
)
IdleSummary = defstruct("IdleSummary", _seconds("avg_", "p95_", "max_"), frozen=True)


class GroupIdleTimes(GroupEntries[IdleTime]):  # type: ignore[valid-type]
    summary: IdleSummary  # type: ignore[valid-type]


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


# The sum, the 95th percentile and the maximum of a component, in microseconds.
_Figures = tuple[int, float, int]


def _entry(bounds: Bounds, stays: int, *components: _Figures) -> Struct:
    averages, percentiles, maxima = _in_seconds(stays, components)
    sums = [in_seconds(total) for total, _, _ in components]
    numbers: list[Any] = [*averages, *percentiles, *maxima, *sums, stays]
    return IdleTime(*bounds, *numbers)


def _summary(stays: int, *components: _Figures) -> Struct:
    averages, percentiles, maxima = _in_seconds(stays, components)
    return IdleSummary(*averages, *percentiles, *maxima)


def _in_seconds(stays: int, components: Iterable[_Figures]) -> tuple[list[float], list[float], list[float]]:
    """Averages, percentiles and maxima."""
    sums, percentiles, maxima = zip(*components, strict=True)
    averages = [in_seconds(total, stays) for total in sums]
    return averages, [*map(percentile_in_seconds, percentiles)], [*map(in_seconds, maxima)]


STATISTIC = Statistic(
    name="idle_queue_time",
    summary="Idle time spent in queue, by time intervals",
    parameters=(*GROUPS, *WINDOW),
    answer=answer,
    answer_type=IdleTimes,
)
