"""What do pull requests wait for in a queue?"""

from collections.abc import Sequence
from typing import Any

from mergecast.model.instant import SECOND
from mergecast.stats.answer import Bounds, by_group
from mergecast.stats.question import Question
from mergecast.stats.statistic import GROUPS, INTEGER, NUMBER, WINDOW, Statistic, entries, grouped, record
from mergecast.store.readers import Reader

_COMPONENTS = ("idle_capacity", "idle_schedule", "idle_freeze", "ci_runtime")
_KINDS = len(_COMPONENTS)


def answer(reader: Reader, question: Question) -> object:
    rows = reader.rows("idle_queue_time", question.by_interval())
    bounds = Bounds(question.grid)
    return {
        "groups": [
            {
                **group._asdict(),
                # The first row of a group has no interval: it sums up the others.
                "stats": [{**bounds[row[1]], **_entry(*row[2:])} for row in members[1:]],
                "summary": _summary(*members[0][2:]),
            }
            for group, members in by_group(question, rows)
        ]
    }


def _entry(stays: int, *values: Any) -> dict[str, object]:
    sums, p95s, longest = values[:_KINDS], values[_KINDS : 2 * _KINDS], values[2 * _KINDS :]
    return {
        **_named("", [int(total) / stays for total in sums]),
        **_named("p95_", p95s),
        **_named("max_", longest),
        **_named("sum_", [int(total) for total in sums]),
        "count_idle": stays,
    }


def _summary(stays: int, *values: Any) -> dict[str, object]:
    sums, p95s, longest = values[:_KINDS], values[_KINDS : 2 * _KINDS], values[2 * _KINDS :]
    return {
        **_named("avg_", [int(total) / stays for total in sums]),
        **_named("p95_", p95s),
        **_named("max_", longest),
    }


def _named(prefix: str, microseconds: Sequence[float]) -> dict[str, object]:
    return {prefix + name: value / SECOND for name, value in zip(_COMPONENTS, microseconds, strict=True)}


def _fields(*prefixes: str) -> dict[str, dict[str, object]]:
    return {prefix + name: NUMBER for prefix in prefixes for name in _COMPONENTS}


STATISTIC = Statistic(
    name="idle_queue_time",
    summary="Idle time spent in queue, by time intervals",
    parameters=(*GROUPS, *WINDOW),
    answer=answer,
    schema=grouped(
        entries(**_fields("", "p95_", "max_", "sum_"), count_idle=INTEGER),
        summary=record(_fields("avg_", "p95_", "max_")),
    ),
)
