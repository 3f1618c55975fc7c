"""Which values of a queue are still normal, learned from its last eight weeks."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from statistics import median
from typing import Final

from mergecast.queues.model.instant import DAY, MINUTE, SECOND, WEEK
from mergecast.signals.thresholds.course import PASSED_OVER, Cases, Course, Span
from mergecast.signals.thresholds.exceptions import LevelOf, usual
from mergecast.signals.thresholds.judged import (
    EVERYONE_FAILS,
    FORGOTTEN,
    GOING_ROUND,
    NO_RUN_STARTED,
    NOTHING_MERGES,
    RUN_TOO_LONG,
    RUNS_SLOW,
)
from mergecast.signals.thresholds.queue_history import USUAL_PACE, Pace, QueueHistory, happenings, pace
from mergecast.signals.thresholds.rates import Rates, learn_rates
from mergecast.signals.thresholds.source_hours import SourceHours, learn_hours
from mergecast.signals.thresholds.speed import LEAST_FACTOR, Speed, slow_times, usual_speed
from mergecast.signals.thresholds.tails import USUAL_CAUTION, Case, Caution, Streaks, count_level, tail_level

LEARNED_FROM: Final = 8 * WEEK  # before now
LEAST_RUNS: Final = 200
LEAST_WEEKS: Final = 2  # for what depends on the hour of the week
SIGN: Final = 5 * MINUTE  # events of a source within it are read as one
# Below these, a problem would be over before anyone has looked.
LEAST_SECONDS: Final = 300.0
# Queues wait up to some minutes to fill a batch, which a busy week does not show.
LEAST_IDLE_SECONDS: Final = 600.0
# A standstill of this length is a problem even if it is usual, unless the queue usually takes longer: so many
# times the median time in which the next run starts.
CEILING_SECONDS: Final = 1800.0
_TIMES_MEDIAN = 3
LEAST_EXPECTED: Final = 3.0
LEAST_FAILURES: Final = 3
LEAST_ENTRIES: Final = 3
# What fails again and again has a cause in common. Failures count only if none is known.
_ROUNDS = Streaks(continued=0.25, doubt=1.0)
_FAILURES = Streaks(continued=0.1, doubt=0.0)
_LONGEST_RUN = Caution(of_largest=1.5)
_SLOW = Caution(weeks=52, of_fitted=1.0, of_largest=1.3)
_NEAR_SHARE = 8  # of a short history, so much belongs to one exceptional time; of a long one, a day


@dataclass(frozen=True, slots=True)
class Levels:
    """What is normal for one queue; figures without a level are not judged."""

    runs: int = 0  # how many there were
    pace: Pace = USUAL_PACE
    values: Mapping[str, float] = field(default_factory=dict)
    most_splits: int | None = None
    starts: Rates | None = None
    merges: Rates | None = None
    speed: Speed | None = None
    median_run: float | None = None  # seconds; half of the runs that passed took no longer
    standstills: Sequence[Span] = ()
    sources: Mapping[str, SourceHours] = field(default_factory=dict)

    @property
    def is_enough(self) -> bool:
        return self.runs >= LEAST_RUNS


def learn(history: QueueHistory, now: int) -> Levels:
    """The levels of a queue, from what happened up to now."""
    course = Course(pace(history.runs))
    for happening in happenings(history):
        if happening.at > now:
            break
        course.tell(happening)
    return levels_from(course, history.sources, now)


def levels_from(course: Course, sources: Mapping[str, Sequence[int]], now: int) -> Levels:
    """The levels from what a course has observed up to now."""
    cases, since = course.cases, now - LEARNED_FROM
    first = min((cases.starts[0], now) if cases.starts else (now,))
    window = Span(max(since, first), now)
    runs = len(cases.starts) - bisect_left(cases.starts, since)
    if runs < LEAST_RUNS:
        return Levels(runs, course.pace)
    busy = [*_within(cases.busy, window)]
    if course.busy_since is not None:
        busy.append(Span(max(course.busy_since, window.start), now))
    starts = learn_rates(_since(cases.starts, since), [*_within((idle[:2] for idle in cases.idle), window)])
    merges = learn_rates(_since(cases.merges, since), busy)
    learning = _Learning(cases, window)
    no_run_started, speed = learning.idle(starts), learning.speed()
    values = {
        NO_RUN_STARTED: no_run_started,
        RUN_TOO_LONG: learning.lengths(),
        EVERYONE_FAILS: learning.failures(),
        GOING_ROUND: learning.rounds(),
        NOTHING_MERGES: learning.merges(merges, busy),
        RUNS_SLOW: None if speed is None else speed.level(speed.usual_count),
        FORGOTTEN: float(PASSED_OVER * course.pace.slots),
    }
    return Levels(
        runs,
        course.pace,
        {name: value for name, value in values.items() if value is not None},
        learning.splits(),
        starts,
        merges,
        speed,
        learning.median_run(),
        standstills(cases, starts, no_run_started),
        {
            name: found
            for name, instants in sources.items()
            if (found := learning.source(instants)) is not None
        },
    )


def standstills(cases: Cases, starts: Rates | None, level: float | None) -> tuple[Span, ...]:
    """The times in which no run started for longer than a level."""
    if starts is None or level is None:
        return ()
    least = level * SECOND
    return tuple(
        Span(idle.start, idle.end)
        for idle in cases.idle
        # Nearly all are shorter by the clock, too.
        if idle.end - idle.start >= least and starts.open_time(idle.start, idle.end) >= least
    )


@dataclass(frozen=True, slots=True)
class _Learning:
    """One function per figure."""

    cases: Cases
    window: Span

    def idle(self, starts: Rates) -> float | None:
        """What is usual is healthy only up to the ceiling."""
        found = [
            Case(idle.start, idle.end, starts.open_time(idle.start, idle.end) / SECOND, idle.is_complete)
            for idle in self.cases.idle
            if idle.end >= self.window.start
        ]
        started = [case.value for case in found if case.is_complete]
        if not started:
            return None
        ceiling = max(CEILING_SECONDS, _TIMES_MEDIAN * median(started))
        level = self._tail([case for case in found if case.value < ceiling], LEAST_IDLE_SECONDS)
        return ceiling if level is None else min(level, ceiling)

    def lengths(self) -> float | None:
        return self._tail(self.cases.lengths, LEAST_SECONDS, _LONGEST_RUN)

    def speed(self) -> Speed | None:
        found = usual_speed(self._passed)
        if found is None:
            return None
        spread = self._tail([*slow_times(self._passed, found)], LEAST_FACTOR - 1, _SLOW)
        return None if spread is None else replace(found, spread=spread)

    def median_run(self) -> float | None:
        return median(case.value for case in self._passed) if self._passed else None

    @property
    def _passed(self) -> Sequence[Case]:
        return self.cases.passed[
            bisect_left(self.cases.passed, self.window.start, key=lambda case: case.at) :
        ]

    def failures(self) -> float:
        return self._counted(self.cases.streaks, LEAST_FAILURES, _FAILURES)

    def rounds(self) -> float:
        return self._counted(self.cases.rounds, LEAST_ENTRIES, _ROUNDS)

    def splits(self) -> int:
        return int(self._counted(self.cases.splits, LEAST_ENTRIES, _ROUNDS))

    def merges(self, rates: Rates, busy: Sequence[Span]) -> float | None:
        if not self._has_weeks:
            return None
        found = gaps(rates, _since(self.cases.merges, self.window.start), busy)
        return self._tail(found, LEAST_EXPECTED)

    def source(self, instants: Sequence[int]) -> SourceHours | None:
        return learn_hours(_since(instants, self.window.start), self.window) if self._has_weeks else None

    def _tail(self, found: Sequence[Case], least: float, caution: Caution = USUAL_CAUTION) -> float | None:
        def level(cases: Sequence[Case]) -> float | None:
            fitted = tail_level(cases, self._length, caution)
            return None if fitted is None else max(fitted, least)

        return level(self._usual(found, level))

    def _counted(self, found: Sequence[Case], least: int, streaks: Streaks) -> float:
        def level(cases: Sequence[Case]) -> float:
            return float(count_level([int(case.value) for case in cases], self._length, least, streaks))

        return level(self._usual(found, level))

    def _usual(self, found: Sequence[Case], level_of: LevelOf) -> Sequence[Case]:
        recent = [case for case in found if case.at >= self.window.start]
        return usual(recent, level_of, min(DAY, self._length // _NEAR_SHARE))

    @property
    def _has_weeks(self) -> bool:
        return self._length >= LEAST_WEEKS * WEEK

    @property
    def _length(self) -> int:
        return self.window.end - self.window.start


def gaps(rates: Rates, instants: Sequence[int], exposed: Sequence[Span]) -> list[Case]:
    """How many occurrences were to be expected between one and the next."""
    cases: list[Case] = []
    place = 0
    for before, at in pairwise(instants):
        expected = 0.0
        while place < len(exposed) and exposed[place].start < at:
            span = exposed[place]
            expected += rates.expected(max(span.start, before), min(span.end, at))
            if span.end > at:
                break  # the rest of it belongs to the next gap
            place += 1
        cases.append(Case(before, at, expected))
    return cases


def _since(instants: Sequence[int], since: int) -> Sequence[int]:
    return instants[bisect_left(instants, since) :]


def _within(spans: Iterable[tuple[int, int]], window: Span) -> Iterable[Span]:
    for start, end in spans:
        if end > window.start and start < window.end:
            yield Span(max(start, window.start), min(end, window.end))


WITHOUT_HISTORY: Final = DAY  # what is usual while too little is known


def quiet_after(levels: Iterable[Levels], last_at: int) -> int:
    """The instant from which on no event is unusual, if the last one happened at `last_at`.

    Any source may send the next event, so the one for which silence stays usual for longest counts.
    """
    found = [
        source.silent_from(last_at) or last_at + WEEK
        for of_queue in levels
        for source in of_queue.sources.values()
    ]
    return max(found, default=last_at + WITHOUT_HISTORY)
