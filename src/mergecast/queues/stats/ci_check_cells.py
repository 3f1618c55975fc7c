"""Counts of CI checks by interval, check and runner, from sums of days and from single executions."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from mergecast.queues.model.flake_rate import Group
from mergecast.queues.model.instant import DAY, Grid, Window
from mergecast.queues.stats.answer import Filters, Question
from mergecast.queues.stats.ci_check_suspects import Tried
from mergecast.queues.store.ci.day_sums import add_buckets
from mergecast.queues.store.ci.rows import DAYS_PER_BLOCK, first_day_of_block
from mergecast.queues.store.reader import Reader

WHOLE = Grid(2**62, 0)  # everything is in interval 0
# Beyond this many spans of days without sums, all days between them are read without sums.
_MOST_SPANS = 10


class Parts(NamedTuple):
    """The days and blocks of days of a window that are read from their sums, and the rest of it."""

    days: list[int]
    blocks: list[int]  # by their first days
    rest: list[Window]


def parts_of(reader: Reader, repository_id: int, window: Window, grid: Grid) -> Parts:
    """A day that the store does not list has no executions."""
    first, end = -(-window.start // DAY), window.end // DAY
    if grid.width < DAY or first >= end:
        return Parts([], [], [window])
    days = reader.rows("ci_days_between", [repository_id, first, end])
    spans = _spans([day for day, is_summed in days if not is_summed])
    blocks = _blocks(reader, repository_id, range(first, end), spans) if grid == WHOLE else []
    others = [range(block, block + DAYS_PER_BLOCK) for block in blocks] + spans
    singly = {day for span in others for day in span}
    rest = [(window.start, first * DAY), *((span.start * DAY, span.stop * DAY) for span in spans)]
    rest.append((end * DAY, window.end))
    return Parts(
        [day for day, _ in days if day not in singly],
        blocks,
        [Window(*part) for part in rest if part[0] < part[1]],
    )


def _spans(days: Sequence[int]) -> list[range]:
    """Few spans that contain these days, which are sorted."""
    spans: list[range] = []
    for day in days:
        start = spans.pop().start if spans and spans[-1].stop == day else day
        spans.append(range(start, day + 1))
    return spans if len(spans) <= _MOST_SPANS else [range(spans[0].start, spans[-1].stop)]


def _blocks(reader: Reader, repository_id: int, days: range, spans: Iterable[range]) -> list[int]:
    """The summed blocks among these days that have no day in one of the spans."""
    first, end = first_day_of_block(days.start + DAYS_PER_BLOCK - 1), first_day_of_block(days.stop)
    if first >= end:
        return []
    found: list[int] = reader.column("ci_summed_blocks", [repository_id, first, end, DAYS_PER_BLOCK])
    return [
        block
        for block in found
        if all(span.stop <= block or block + DAYS_PER_BLOCK <= span.start for span in spans)
    ]


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
    tried: Counter[Tried] = field(default_factory=Counter)  # failures, by what else is known about them
    groups: Counter[Group] = field(default_factory=Counter)
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
        self.tried.update(other.tried)
        self.groups.update(other.groups)
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


def count_executions(reader: Reader, asked: Asked, cells: Cells) -> None:
    """Add how often and how long the checks ran and waited."""
    for statement, given in _parts(reader, asked):
        for key, interval, runs, failed, seconds, waited in _totals(reader, asked, statement, given):
            cells.by_interval[interval][key].add(Cell(int(runs), int(failed), int(seconds), int(waited)))
        buckets = reader.rows(f"{statement}_buckets", given)
        if statement == "ci_day":
            _add_buckets_of_days(asked, cells, buckets)
        else:
            _count_buckets(asked, cells, buckets)


def running_times(reader: Reader, asked: Asked) -> Counter[Key]:
    """How long the executions of the window ran, in microseconds."""
    times: Counter[Key] = Counter()
    for statement, given in _parts(reader, asked):
        for key, _, _, _, seconds, _ in _totals(reader, asked, statement, given):
            times[key] += int(seconds)
    return times


Rows = Sequence[tuple[Any, ...]]


def _totals(reader: Reader, asked: Asked, statement: str, given: list[object]) -> Iterator[tuple[Any, ...]]:
    """The key and the numbers of each check in the queues that were asked for."""
    for base_ref, queue_name, name, runner, *numbers in reader.rows(f"{statement}_totals", given):
        if asked.keeps(base_ref, queue_name):
            yield Key(name, runner), *numbers


def _count_buckets(asked: Asked, cells: Cells, rows: Rows) -> None:
    """Add to the buckets of each cell, which is looked up once: it has hundreds."""
    counters: dict[tuple[Any, ...], Counter[int]] = {}
    for row in rows:
        counter = counters.get(place := row[:6])
        if counter is None:
            counter = counters[place] = _counter(asked, cells, place)
        counter[row[6]] += int(row[7])


def _add_buckets_of_days(asked: Asked, cells: Cells, rows: Rows) -> None:
    """Add what sums of days and blocks say about running and waiting."""
    for base_ref, queue_name, name, runner, interval, *lists in rows:
        if asked.keeps(base_ref, queue_name):
            cell = cells.by_interval[interval][Key(name, runner)]
            add_buckets(cell.running, *lists[:2])
            add_buckets(cell.waiting, *lists[2:])


def _counter(asked: Asked, cells: Cells, place: tuple[Any, ...]) -> Counter[int]:
    """The buckets of a cell; for a queue that was not asked for, ones that are thrown away."""
    base_ref, queue_name, name, runner, interval, is_waiting = place
    if not asked.keeps(base_ref, queue_name):
        return Counter()
    cell = cells.by_interval[interval][Key(name, runner)]
    return cell.waiting if is_waiting else cell.running


def _parts(reader: Reader, asked: Asked) -> Iterator[tuple[str, list[object]]]:
    """How the names of the statements begin that read each part of the window, and their parameters."""
    parts = parts_of(reader, asked.repository_id, asked.window, asked.grid)
    if parts.days or parts.blocks:
        yield "ci_day", [asked.repository_id, parts.days, parts.blocks, asked.name, *asked.grid]
    for part in parts.rest:
        yield "ci", [asked.repository_id, *part, asked.name, *asked.grid]
