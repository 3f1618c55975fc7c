"""The figures of a whole window, of all queues together and of each, compared with another window."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec import Struct

from mergecast.queues.model.instant import DAY, FIRST_INSTANT, WEEK, format_instant
from mergecast.queues.model.seconds import in_seconds, percentile_in_seconds
from mergecast.queues.model.window import Window
from mergecast.queues.stats.answer import Calendar, DateTime
from mergecast.queues.stats.question import Question
from mergecast.queues.stats.statistic import BEFORE, GROUPS, WINDOW, Statistic
from mergecast.queues.stats.summary_ci import Cost, Wasted, ci_figures
from mergecast.queues.store.reader import Reader

_PERCENTILES = ("p50", "p90", "p95", "p99")
_WAITS = ("ci", "capacity", "schedule", "freeze")
_RATES = ("failure_rate",)  # their change is a difference, in points
_COUNTS = frozenset({"entered", "merged", "retries", "bisections", "runs_saved"})  # they grow with the window

Number = float | None
Values = dict[
    str, tuple[Number, int]
]  # a value, and the number of things behind it, by the name of the figure


class Figure(Struct, frozen=True):
    """`change` is relative, but a difference for rates; `count` is the number of things behind the value."""

    value: float | None
    before: float | None
    change: float | None
    count: int


class Point(Struct, frozen=True):
    value: float | None
    count: int


class Span(Struct, frozen=True):
    start: DateTime
    end: DateTime


FIGURES = (
    *("entered", "merged", "merged_per_day", "failure_rate"),
    *(f"time_in_queue_{name}" for name in _PERCENTILES),
    *(f"waiting_{name}" for name in _WAITS),
    *("ci_runs_per_merge", "ci_seconds_per_merge", "batch_size", "retries", "bisections", "runs_saved"),
)
AllQueues = msgspec.defstruct("AllQueues", [(name, Figure) for name in FIGURES])
OneQueue = msgspec.defstruct(
    "OneQueue", [("base_ref", str), ("queue_name", str), *((name, Figure) for name in FIGURES)]
)
Interval = msgspec.defstruct(
    "Interval", [("start", DateTime), ("end", DateTime), *((name, Point) for name in FIGURES)]
)
Summary = msgspec.defstruct(
    "Summary",
    [
        ("window", Span),
        ("window_before", Span),
        ("all", AllQueues),
        ("queues", list[OneQueue]),  # type: ignore[valid-type]
        ("first_event_at", DateTime | None),  # of the repository: no period before it has figures
        ("series", list[Interval] | None, None),  # type: ignore[valid-type]
        # If there are reports about CI checks, and the last one if prices are set.
        ("ci_wait_share", float | None, None),
        ("ci_seconds_wasted", Wasted | None, None),
        ("cost", Cost | None, None),
    ],
)


@dataclass(slots=True)
class _Tally:
    """What the queries count; each row of a query sets one of these fields."""

    entered: tuple[int] = (0,)
    left: tuple[Any, ...] = (0,) * 6 + (None,) * 5
    runs_ended: tuple[int, int] = (0, 0)
    runs_started: tuple[int, int] = (0, 0)
    bisections: tuple[int] = (0,)
    runs_saved: tuple[int] = (0,)

    def values(self, length: int) -> Values:
        """The figures of a window of this length."""
        exits, failures, merged, retries, retried, stays, percentiles, *waits = self.left
        (runs, run_time), (started, sizes) = self.runs_ended, self.runs_started
        times = percentiles or (None,) * len(_PERCENTILES)
        return {
            "entered": (self.entered[0], self.entered[0]),
            "merged": (merged, merged),
            "merged_per_day": (merged * DAY / length, merged),
            "failure_rate": (_ratio(failures, exits), exits),
            **{
                f"time_in_queue_{name}": (None if value is None else percentile_in_seconds(value), stays)
                for name, value in zip(_PERCENTILES, times, strict=True)
            },
            **{
                f"waiting_{name}": (_mean_seconds(value, stays), stays)
                for name, value in zip(_WAITS, waits, strict=True)
            },
            "ci_runs_per_merge": (_ratio(runs, merged), runs),
            "ci_seconds_per_merge": (_mean_seconds(run_time, merged), runs),
            "batch_size": (_ratio(sizes, started), started),
            "retries": (int(retries), retried),
            "bisections": (self.bisections[0], self.bisections[0]),
            "runs_saved": (self.runs_saved[0], self.runs_saved[0]),
        }


@dataclass(slots=True)
class _Tallies:
    whole: _Tally = field(default_factory=_Tally)
    queues: dict[int, _Tally] = field(default_factory=dict)
    intervals: dict[int, _Tally] = field(default_factory=dict)

    def add(self, name: str, queue: int | None, interval: int | None, numbers: Sequence[Any]) -> None:
        setattr(self._tally(queue, interval), name, tuple(numbers))

    def _tally(self, queue: int | None, interval: int | None) -> _Tally:
        if queue is not None:
            return self.queues.setdefault(queue, _Tally())
        return self.whole if interval is None else self.intervals.setdefault(interval, _Tally())


def answer(reader: Reader, question: Question) -> object:
    names = sorted({(group.base_ref, group.queue_name) for group in question.groups.values()})
    numbers = {name: number for number, name in enumerate(names)}
    earlier = question.before or before(question.window)
    now, then = _tallies(reader, question, earlier, numbers)
    lengths = _length(question.window), _length(earlier)
    comparable = _comparable(question, earlier)

    def figures(one: _Tally, other: _Tally) -> dict[str, Figure]:
        return _figures(one.values(lengths[0]), other.values(lengths[1]), comparable)

    found: dict[str, object] = {
        "window": _span(question.window),
        "window_before": _span(earlier),
        "all": figures(now.whole, then.whole),
        "queues": [
            {
                "base_ref": base_ref,
                "queue_name": queue_name,
                **figures(now.queues.get(number, _Tally()), then.queues.get(number, _Tally())),
            }
            for number, (base_ref, queue_name) in enumerate(names)
            if number in now.queues or number in then.queues
        ],
    }
    found["first_event_at"] = None if question.since is None else format_instant(question.since)
    found |= ci_figures(reader, question, now.whole.values(lengths[0])["merged"][1])
    if question.with_intervals:
        found["series"] = _series(question, now.intervals)
    return found


def before(window: Window) -> Window:
    """The adjoining window of the same length; under 7 days, the same hours a week earlier."""
    shift = max(window.end - window.start, WEEK)
    return Window(max(window.start - shift, FIRST_INSTANT), max(window.end - shift, FIRST_INSTANT))


def _tallies(
    reader: Reader, question: Question, earlier: Window, numbers: Mapping[tuple[str, str], int]
) -> tuple[_Tallies, _Tallies]:
    """The counts of both windows, read together because planning a query takes longer than a few rows."""
    queues = [numbers[group.base_ref, group.queue_name] for group in question.groups.values()]
    asked = [*question.by_window(), queues, question.grid.width, question.grid.shift, *earlier]
    now, then = _Tallies(), _Tallies()
    for name in ("entered", "left", "runs_ended", "runs_started", "bisections", "runs_saved"):
        for is_now, queue, interval, *counts in reader.rows(f"summary_{name}", asked):
            (now if is_now else then).add(name, queue, interval, counts)
    return now, then


def _length(window: Window) -> int:
    return max(window.end - window.start, 1)


def _comparable(question: Question, earlier: Window) -> frozenset[str]:
    """The figures that have a change: none if something is missing, and no counts if lengths differ."""
    if question.since is None or question.since > earlier.start:
        return frozenset()
    if question.kept_since is not None and question.kept_since > earlier.start:
        return frozenset()
    is_as_long = question.before is None or _length(question.window) == _length(earlier)
    return frozenset(FIGURES) if is_as_long else frozenset(FIGURES) - _COUNTS


def _figures(now: Values, then: Values, comparable: frozenset[str]) -> dict[str, Figure]:
    def change(name: str, value: Number) -> Number:
        return _change(name, value, then[name][0]) if name in comparable else None

    return {
        name: Figure(value, then[name][0], change(name, value), count) for name, (value, count) in now.items()
    }


def _change(name: str, value: Number, earlier: Number) -> Number:
    if value is None or earlier is None:
        return None
    if name in _RATES:
        return value - earlier
    return value / earlier - 1 if earlier else None


def _series(question: Question, intervals: Mapping[int, _Tally]) -> list[dict[str, object]]:
    calendar = Calendar(question.grid)
    return [
        {
            **calendar[number]._asdict(),
            **{name: Point(*point) for name, point in intervals[number].values(question.grid.width).items()},
        }
        for number in sorted(intervals)
    ]


def _span(window: Window) -> Span:
    # The day before the first instant does not exist.
    return Span(format_instant(max(window.start, FIRST_INSTANT)), format_instant(window.end))


def _ratio(part: Any, whole: int) -> Number:
    return int(part) / whole if whole else None


def _mean_seconds(total: Any, count: int) -> Number:
    return in_seconds(int(total), count) if count else None


SUMMARY = Statistic(
    name="summary",
    summary="Figures of a whole period, compared with the period before or another one",
    parameters=(*GROUPS, *WINDOW, "intervals", *BEFORE),
    answer=answer,
    answer_type=Summary,
    sees_ci_checks=True,
)
