"""The figures of a whole window, of all queues together and of each, compared with another window."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec import Struct

from mergecast.queues.answers.described import DateTime
from mergecast.queues.answers.summary import Cost, Figure, Span
from mergecast.queues.answers.verdicts import RemovalCauses
from mergecast.queues.model.figures import FIGURES, PERCENTILES, SUMMARY_FIGURES, WAITS, Unit
from mergecast.queues.model.instant import DAY, FIRST_INSTANT, WEEK, Window, format_instant, format_optional
from mergecast.queues.model.ratio import Ratio, difference, relative_change
from mergecast.queues.model.seconds import exact_percentile, in_seconds, percentile_in_seconds
from mergecast.queues.stats.answer import Calendar, Question
from mergecast.queues.stats.ci_times import Before, Merges, Wasted, ci_figures
from mergecast.queues.stats.statistic import BEFORE, GROUPS, WINDOW, Statistic
from mergecast.queues.stats.verdicts import causes_of_removals
from mergecast.queues.store.reader import Reader


@dataclass(frozen=True, slots=True)
class Value:
    shown: float | None
    count: int  # the number of things behind it
    exact: Ratio | None  # a duration is in microseconds


Values = dict[str, Value]  # by the name of the figure


def counted_value(number: int) -> Value:
    return Value(number, number, Ratio(number))


def ratio_value(part: Any, whole: int, count: int) -> Value:
    exact = Ratio(int(part), whole) if whole else None
    return Value(None if exact is None else exact.part / exact.whole, count, exact)


def mean_seconds_value(total: Any, whole: int, count: int) -> Value:
    """A sum of microseconds divided by a number."""
    exact = Ratio(int(total), whole) if whole else None
    return Value(None if exact is None else in_seconds(*exact), count, exact)


def percentile_value(microseconds: float | None, count: int) -> Value:
    if microseconds is None:
        return Value(None, count, None)
    return Value(percentile_in_seconds(microseconds), count, exact_percentile(microseconds))


def waiting_values(totals: Sequence[Any], stays: int) -> Values:
    """What a stay waited for on average, from sums of microseconds."""
    return {
        f"waiting_{wait}": mean_seconds_value(total, stays, stays)
        for wait, total in zip(WAITS, totals, strict=True)
    }


_COUNTS = frozenset({"entered", "merged", "retries", "bisections", "runs_saved"})  # they grow with the window
_OF_CI = (
    *("waiting_ci", "waiting_capacity", "ci_runs_per_merge", "ci_seconds_per_merge"),
    *("retries", "bisections", "runs_saved"),
)
_UNKNOWN = Value(None, 0, None)
_SMALL_PART = 7  # less than such a part of the usual window before says nothing: a day of a week


class Point(Struct, frozen=True):
    value: float | None
    count: int


AllQueues = msgspec.defstruct("AllQueues", [(name, Figure) for name in SUMMARY_FIGURES])
OneQueue = msgspec.defstruct(
    "OneQueue", [("base_ref", str), ("queue_name", str), *((name, Figure) for name in SUMMARY_FIGURES)]
)
Interval = msgspec.defstruct(
    "Interval", [("start", DateTime), ("end", DateTime), *((name, Point) for name in SUMMARY_FIGURES)]
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
        ("removal_causes", RemovalCauses | None, None),
        ("removals_not_judged", int | None, None),  # CI runs say why, and were not looked at yet
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
    left: tuple[Any, ...] = (0,) * 6 + (None, 0) + (None,) * 5
    runs_ended: tuple[int, int] = (0, 0)
    runs_started: tuple[int, int] = (0, 0)
    bisections: tuple[int] = (0,)
    runs_saved: tuple[int] = (0,)

    @property
    def merged(self) -> int:
        return int(self.left[2])

    @property
    def has_runs(self) -> bool:
        return bool(self.runs_ended[0] or self.runs_started[0])

    def values(self, length: int, *, knows_ci: bool) -> Values:
        """The figures of a window of this length. Without reports about CI, its figures are not known."""
        exits, failures, merged, retries, retried, stays, times, merged_stays, merged_times, *waits = (
            self.left
        )
        (runs, run_time), (started, sizes) = self.runs_ended, self.runs_started
        return {
            "entered": counted_value(*self.entered),
            "merged": counted_value(merged),
            "merged_per_day": Value(merged * DAY / length, merged, Ratio(merged * DAY, length)),
            "failure_rate": ratio_value(failures, exits, exits),
            **_percentiles("time_in_queue", times, stays),
            **waiting_values(waits, stays),
            **_percentiles("time_to_merge", merged_times, merged_stays),
            "ci_runs_per_merge": ratio_value(runs, merged, runs),
            "ci_seconds_per_merge": mean_seconds_value(run_time, merged, runs),
            "batch_size": ratio_value(sizes, started, started),
            "retries": Value(int(retries), retried, Ratio(int(retries))),
            "bisections": counted_value(*self.bisections),
            "runs_saved": counted_value(*self.runs_saved),
            **({} if knows_ci else dict.fromkeys(_OF_CI, _UNKNOWN)),
        }


def _percentiles(name: str, times: Sequence[float] | None, count: int) -> Values:
    known = times or (None,) * len(PERCENTILES)
    return {
        f"{name}_{share}": percentile_value(value, count)
        for share, value in zip(PERCENTILES, known, strict=True)
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
    earlier = question.before or observed_before(question.window, question.since)
    now, then = _tallies(reader, question, earlier, numbers)
    lengths = _length(question.window), _length(earlier)
    comparable = comparable_figures(question.window, earlier, question.since, question.kept_since)

    with_ci = _queues_with_ci(reader, question, numbers, (now, then))
    # Where nothing happened, there were certainly no retries.
    knows_ci = bool(with_ci) or not (now.queues or then.queues)

    def figures(one: _Tally, other: _Tally, *, knows_ci: bool) -> dict[str, Figure]:
        found = one.values(lengths[0], knows_ci=knows_ci), other.values(lengths[1], knows_ci=knows_ci)
        return compared(*found, comparable)

    found: dict[str, object] = {
        "window": Span(*map(format_instant, question.window)),
        "window_before": Span(*map(format_instant, earlier)),
        "all": figures(now.whole, then.whole, knows_ci=knows_ci),
        "queues": [
            {
                "base_ref": base_ref,
                "queue_name": queue_name,
                **figures(
                    now.queues.get(number, _Tally()),
                    then.queues.get(number, _Tally()),
                    knows_ci=number in with_ci,
                ),
            }
            for number, (base_ref, queue_name) in enumerate(names)
            if number in now.queues or number in then.queues
        ],
    }
    found["first_event_at"] = format_optional(question.since)
    found["removal_causes"], found["removals_not_judged"] = _removal_causes(reader, question, numbers)
    has_change = ("merged" in comparable, "merged_per_day" in comparable)
    found |= ci_figures(
        reader, question, _merges(names, now), Before(earlier, _merges(names, then), *has_change)
    )
    if question.with_intervals:
        found["series"] = _series(question, now.intervals, knows_ci=knows_ci)
    return found


def _removal_causes(
    reader: Reader, question: Question, queues: Collection[tuple[str, str]]
) -> tuple[RemovalCauses, int]:
    """Of the removals of the window that are judged, whatever their priority rule; and how many are not."""
    counts, not_judged = Counter[str](), 0
    by_queue = causes_of_removals(reader, question.repository_id, question.window)
    for queue, causes in by_queue.items():
        if queue in queues:
            counts.update(causes.counts)
            not_judged += causes.not_judged
    return RemovalCauses(**counts), not_judged


def _merges(names: Sequence[tuple[str, str]], tallies: _Tallies) -> Merges:
    return Merges(
        tallies.whole.merged, {names[number]: tally.merged for number, tally in tallies.queues.items()}
    )


def before(window: Window) -> Window:
    """The adjoining window of the same length; under 7 days, the same hours a week earlier."""
    shift = max(window.end - window.start, WEEK)
    return Window(max(window.start - shift, FIRST_INSTANT), max(window.end - shift, FIRST_INSTANT))


def observed_before(window: Window, since: int | None) -> Window:
    """The usual window before, or the part of it since the first event, if that is not a small one."""
    usual = before(window)
    if since is None or since <= usual.start:
        return usual
    is_enough = _SMALL_PART * (usual.end - since) >= usual.end - usual.start
    return Window(since, usual.end) if is_enough else usual


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


def _queues_with_ci(
    reader: Reader, question: Question, numbers: Mapping[tuple[str, str], int], both: Collection[_Tallies]
) -> set[int]:
    """The numbers of the queues of which CI runs are known; not every source reports them.

    The whole history is asked only about queues that had none in either window, and if no queue had any.
    """
    of_group = {id: numbers[group.base_ref, group.queue_name] for id, group in question.groups.items()}
    found = {number for one in both for number, tally in one.queues.items() if tally.has_runs}
    silent = {number for one in both for number in one.queues} - found if found else {*numbers.values()}
    groups = [id for id, number in of_group.items() if number in silent]
    rows = reader.rows("groups_with_runs", [question.repository_id, groups]) if groups else []
    return found | {of_group[id] for (id,) in rows}


def _length(window: Window) -> int:
    return max(window.end - window.start, 1)


def comparable_figures(
    window: Window, earlier: Window, since: int | None, kept_since: int | None
) -> frozenset[str]:
    """The figures that have a change: none if something is missing, and no counts if lengths differ."""
    if since is None or since > earlier.start or (kept_since is not None and kept_since > earlier.start):
        return frozenset()
    is_as_long = _length(window) == _length(earlier)
    return frozenset(SUMMARY_FIGURES) if is_as_long else frozenset(SUMMARY_FIGURES) - _COUNTS


def compared(now: Values, then: Values, comparable: Collection[str]) -> dict[str, Figure]:
    """The figures of a period beside those of another; only comparable ones have a change."""

    def change(name: str) -> float | None:
        """Relative, but a difference for rates; None if there is nothing to compare."""
        if name not in comparable:
            return None
        how = difference if FIGURES[name].unit is Unit.RATE else relative_change
        return how(now[name].exact, then[name].exact)

    return {
        name: Figure(value.shown, then[name].shown, change(name), value.count, then[name].count)
        for name, value in now.items()
    }


def _series(
    question: Question, intervals: Mapping[int, _Tally], *, knows_ci: bool
) -> list[dict[str, object]]:
    calendar = Calendar(question.grid)
    return [
        {
            **calendar[number]._asdict(),
            **{
                name: Point(value.shown, value.count)
                for name, value in intervals[number].values(question.grid.width, knows_ci=knows_ci).items()
            },
        }
        for number in sorted(intervals)
    ]


SUMMARY = Statistic(
    name="summary",
    summary="Figures of a whole period, compared with the period before or another one",
    parameters=(*GROUPS, *WINDOW, "intervals", *BEFORE),
    answer=answer,
    answer_type=Summary,
    sees_ci_checks=True,
)
