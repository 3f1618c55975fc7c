"""A question with every default filled in, and its answer from rows: groups, and the intervals of each."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, Generic, NamedTuple, TypeVar

from msgspec import Struct

from mergecast.queues.answers.described import DateTime
from mergecast.queues.model.event import Group
from mergecast.queues.model.instant import Grid, Window, format_instant


@dataclass(frozen=True, slots=True)
class Filters:
    """Which groups to keep; an empty filter keeps all."""

    base_refs: frozenset[str] = frozenset()
    queue_names: frozenset[str] = frozenset()
    priority_rule_names: frozenset[str] = frozenset()

    def keep(self, group: Group) -> bool:
        return (
            (not self.base_refs or group.base_ref in self.base_refs)
            and (not self.queue_names or group.queue_name in self.queue_names)
            and (not self.priority_rule_names or group.priority_rule_name in self.priority_rule_names)
        )


@dataclass(frozen=True, slots=True)
class Page:
    """For a list: how it is sorted, and how many of its entries are wanted."""

    order: str = "-seconds"  # a minus: the largest first
    limit: int = 100


@dataclass(frozen=True, slots=True)
class Question:
    """One repository, one window, and the groups that the filters keep."""

    repository_id: int
    window: Window
    observed: Window  # the observed part of the window; empty if start >= end
    grid: Grid
    groups: Mapping[int, Group]
    since: int | None = None  # the first event of the repository
    with_intervals: bool = False  # for a summary: a series of intervals too
    page: Page = Page()
    last_at: int | None = None  # the last event of the repository
    is_present: bool = False  # the window reaches up to now
    is_looking: bool = False  # this server has not looked at the repository yet
    before: Window | None = None  # for a summary: what to compare with; the usual window if None
    filters: Filters = Filters()
    name: str | None = None  # of a CI check
    kept_since: int | None = None  # what ended before may have been deleted because of its age
    repository: str = ""  # for a page: its name, and the time zone of its readers
    time_zone: str = "UTC"

    def by_window(self) -> list[object]:
        """Parameters of a query over the whole window."""
        return [self.repository_id, self.window.start, self.window.end, list(self.groups)]

    def by_interval(self) -> list[object]:
        """Parameters of a query that cuts the window into intervals."""
        return [*self.by_window(), self.grid.width, self.grid.shift]

    def observed_by_interval(self) -> list[object]:
        """The same for the observed part of the window."""
        span = [self.repository_id, self.observed.start, self.observed.end, list(self.groups)]
        return [*span, self.grid.width, self.grid.shift]


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
