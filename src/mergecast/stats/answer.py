"""Rows of a query in the shape of an answer: groups, and in each group its intervals."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from mergecast.model.event import Group
from mergecast.model.instant import format_instant
from mergecast.model.window import Grid
from mergecast.stats.question import Question

Row = Sequence[Any]
Entry = Callable[..., dict[str, object]]


def by_group(question: Question, rows: Iterable[Row]) -> Iterator[tuple[Group, list[Row]]]:
    """The rows of each group, which begin with its id; groups in the order of an answer."""
    found = [(question.groups[id], list(members)) for id, members in groupby(rows, key=itemgetter(0))]
    return iter(sorted(found, key=lambda pair: order_of(pair[0])))


def order_of(group: Group) -> tuple[str, str, bool, str]:
    """Text by code point; no priority rule before any."""
    rule = group.priority_rule_name
    return group.base_ref, group.queue_name, rule is not None, rule or ""


def with_intervals(question: Question, rows: Iterable[Row], entry: Entry) -> list[dict[str, object]]:
    """Groups of entries, from rows of (group, interval number, values of the entry)."""
    bounds = Bounds(question.grid)
    return [
        {**group._asdict(), "stats": [{**bounds[row[1]], **entry(*row[2:])} for row in members]}
        for group, members in by_group(question, rows)
    ]


class Bounds(dict[int, dict[str, object]]):
    """Start and end of an interval as text, written once an answer."""

    def __init__(self, grid: Grid) -> None:
        super().__init__()
        self._grid = grid

    def __missing__(self, number: int) -> dict[str, object]:
        start = self._grid.start_of(number)
        bounds: dict[str, object] = {
            "start": format_instant(start),
            "end": format_instant(start + self._grid.width),
        }
        self[number] = bounds
        return bounds
