"""Counts of CI checks by interval, check and runner, from sums of days and from single executions."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from mergecast.queues.model.instant import DAY
from mergecast.queues.model.window import Grid, Window
from mergecast.queues.stats.question import Filters, Question
from mergecast.queues.store.reader import Reader

WHOLE = Grid(2**62, 0)  # everything is in interval 0
# Beyond this many parts without sums, all of the period between them is read without sums.
_MOST_PARTS = 10


class Key(NamedTuple):
    """A check on one kind of machine, by the numbers of their texts."""

    name: int
    runner: int


@dataclass(slots=True)
class Cell:
    """What is known about a check on one kind of machine in one interval; durations in microseconds."""

    runs: int = 0
    failed: int = 0
    seconds: int = 0
    waited: int = 0
    running: Counter[int] = field(default_factory=Counter)  # executions with a verdict, by bucket
    waiting: Counter[int] = field(default_factory=Counter)
    removals: int = 0
    blocked: int = 0
    same_commit: int = 0
    next_run: int = 0
    links: list[tuple[int, str]] = field(default_factory=list)  # of flaky failures, with their instants
    critical: Counter[int] = field(default_factory=Counter)  # passed runs that ended with it, by bucket

    def add(self, other: "Cell") -> None:
        self.runs += other.runs
        self.failed += other.failed
        self.seconds += other.seconds
        self.waited += other.waited
        self.running.update(other.running)
        self.waiting.update(other.waiting)
        self.removals += other.removals
        self.blocked += other.blocked
        self.same_commit += other.same_commit
        self.next_run += other.next_run
        self.links += other.links
        self.critical.update(other.critical)


@dataclass(slots=True)
class Cells:
    """All cells by interval, and how many runs passed in each interval."""

    by_interval: defaultdict[int, defaultdict[Key, Cell]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(Cell))
    )
    passed: Counter[int] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, with texts as numbers; a text that no report has is number -1."""

    repository_id: int
    window: Window
    grid: Grid
    texts: Mapping[int, str]
    filters: Filters
    name: int | None

    @classmethod
    def of(cls, question: Question, grid: Grid, texts: Mapping[int, str]) -> "Asked":
        names = [number for number, text in texts.items() if text == question.name]
        name = None if question.name is None else next(iter(names), -1)
        return cls(question.repository_id, question.window, grid, texts, question.filters, name)

    def keeps(self, base_ref: int, queue_name: int) -> bool:
        base_refs, queues = self.filters.base_refs, self.filters.queue_names
        if not base_refs and not queues:
            return True
        return (not base_refs or self.texts[base_ref] in base_refs) and (
            not queues or self.texts[queue_name] in queues
        )

    def numbers(self, kept: frozenset[str]) -> list[int] | None:
        """The numbers of these texts; None for all."""
        return [number for number, text in self.texts.items() if text in kept] if kept else None

    def interval(self, at: int) -> int:
        return (at + self.grid.shift) // self.grid.width


class _Parts(NamedTuple):
    """The days of a window that are read from their sums, and the rest of it."""

    days: list[int]
    rest: list[Window]


def count_executions(reader: Reader, asked: Asked, cells: Cells) -> None:
    """Add how often and how long the checks ran and waited."""
    parts = _parts(reader, asked)
    for totals, buckets in _statements(reader, asked, parts):
        for base_ref, queue_name, name, runner, interval, runs, failed, seconds, waited in totals:
            if asked.keeps(base_ref, queue_name):
                more = Cell(int(runs), int(failed), int(seconds), int(waited))
                cells.by_interval[interval][Key(name, runner)].add(more)
        for base_ref, queue_name, name, runner, interval, is_waiting, bucket, count in buckets:
            if asked.keeps(base_ref, queue_name):
                cell = cells.by_interval[interval][Key(name, runner)]
                (cell.waiting if is_waiting else cell.running)[bucket] += int(count)


Rows = Sequence[tuple[Any, ...]]


def _statements(reader: Reader, asked: Asked, parts: _Parts) -> Iterator[tuple[Rows, Rows]]:
    if parts.days:
        days = [asked.repository_id, parts.days, asked.name, *asked.grid]
        yield reader.rows("ci_day_totals", days), reader.rows("ci_day_buckets", days)
    for part in parts.rest:
        given = [asked.repository_id, *part, asked.name, *asked.grid]
        yield reader.rows("ci_totals", given), reader.rows("ci_buckets", given)


def _parts(reader: Reader, asked: Asked) -> _Parts:
    window = asked.window
    first, last = -(-window.start // DAY), window.end // DAY
    days: list[int] = []
    if asked.grid.width >= DAY and first < last:
        days = reader.column("ci_summed_days", [asked.repository_id, first, last])
    rest = list(_without(window, days))
    if len(rest) > _MOST_PARTS:
        hull = Window(rest[0].start, rest[-1].end)
        days = [day for day in days if not hull.start <= day * DAY < hull.end]
        rest = [hull]
    return _Parts(days, rest)


def _without(window: Window, days: Sequence[int]) -> Iterator[Window]:
    """The parts of a window that are not in these days, which are sorted and lie in it."""
    start = window.start
    for day in days:
        if start < day * DAY:
            yield Window(start, day * DAY)
        start = (day + 1) * DAY
    if start < window.end:
        yield Window(start, window.end)
