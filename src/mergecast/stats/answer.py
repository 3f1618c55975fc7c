"""Rows of a query in the shape of an answer: groups, and in each group its intervals."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from msgspec import Struct

from mergecast.model.event import Group
from mergecast.model.instant import format_instant
from mergecast.model.window import Grid
from mergecast.stats.question import Question

Row = Sequence[Any]


class Bounds(NamedTuple):
    """Start and end of an interval, as text."""

    start: str
    end: str


class Entry(Struct, frozen=True, gc=False):
    """What is said of one interval; a Struct, because answers may have thousands of them."""

    start: str
    end: str


class Calendar(dict[int, Bounds]):
    """The bounds of intervals by number, each written once an answer."""

    def __init__(self, grid: Grid) -> None:
        super().__init__()
        self._grid = grid

    def __missing__(self, number: int) -> Bounds:
        start = self._grid.start_of(number)
        bounds = Bounds(format_instant(start), format_instant(start + self._grid.width))
        self[number] = bounds
        return bounds


def by_group(question: Question, rows: Iterable[Row]) -> list[tuple[Group, list[Row]]]:
    """The rows of each group, which begin with its id; groups in the order of an answer."""
    found = [(question.groups[id], list(members)) for id, members in groupby(rows, key=itemgetter(0))]
    return sorted(found, key=lambda pair: _order(pair[0]))


def _order(group: Group) -> tuple[str, str, bool, str]:
    """Text by code point; no priority rule before any."""
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
        {**named(group, names), "stats": [entry(calendar[row[1]], *row[2:]) for row in members]}
        for group, members in by_group(question, rows)
    ]


def named(group: Group, names: Sequence[str] = Group._fields) -> dict[str, object]:
    return {name: getattr(group, name) for name in names}
