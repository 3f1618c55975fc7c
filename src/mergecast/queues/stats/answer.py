"""Turns the rows of a query into an answer: groups, and the intervals of each group."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Generic, NamedTuple, TypeVar

from msgspec import Struct

from mergecast.queues.answers.described import DateTime
from mergecast.queues.model.event import Group
from mergecast.queues.model.instant import format_instant
from mergecast.queues.model.window import Grid
from mergecast.queues.stats.question import Question

Row = Sequence[Any]
T = TypeVar("T")


class Bounds(NamedTuple):
    """Start and end of an interval, as text."""

    start: str
    end: str


class Entry(Struct, frozen=True, gc=False):
    """The values of one interval; a Struct, because an answer may have thousands of them."""

    start: DateTime
    end: DateTime


class GroupEntries(Struct, Generic[T]):
    """One group of an answer, as clients see it."""

    base_ref: str
    queue_name: str
    priority_rule_name: str | None
    stats: list[T]


class Groups(Struct, Generic[T]):
    """The answer of most statistics, as clients see it."""

    groups: list[GroupEntries[T]]


class Calendar(dict[int, Bounds]):
    """The bounds of intervals by number, each formatted once per answer."""

    def __init__(self, grid: Grid) -> None:
        super().__init__()
        self._grid = grid

    def __missing__(self, number: int) -> Bounds:
        start = self._grid.start_of(number)
        bounds = Bounds(format_instant(start), format_instant(start + self._grid.width))
        self[number] = bounds
        return bounds


def by_group(question: Question, rows: Iterable[Row]) -> list[tuple[Group, list[Row]]]:
    """The rows of each group. Rows begin with the group id; groups are sorted as in an answer."""
    found = [(question.groups[id], list(members)) for id, members in groupby(rows, key=itemgetter(0))]
    return sorted(found, key=lambda pair: _order(pair[0]))


def _order(group: Group) -> tuple[str, str, bool, str]:
    """Sort by code point; a group without a priority rule comes before those with one."""
    rule = group.priority_rule_name
    return group.base_ref, group.queue_name, rule is not None, rule or ""


def with_intervals(
    question: Question,
    rows: Iterable[Row],
    entry: Callable[..., Entry],
    *,
    names: Sequence[str] = Group._fields,
) -> list[dict[str, object]]:
    """Groups of entries, from rows of (group, interval number, values of the entry)."""
    calendar = Calendar(question.grid)
    return [
        {**group_names(group, names), "stats": [entry(calendar[row[1]], *row[2:]) for row in members]}
        for group, members in by_group(question, rows)
    ]


def group_names(group: Group, names: Sequence[str] = Group._fields) -> dict[str, object]:
    return {name: getattr(group, name) for name in names}
