"""Which values of a queue are still normal, learned from its last eight weeks."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from mergecast.queues.model.instant import DAY, MINUTE, SECOND, WEEK
from mergecast.signals.detection.course import Cases, Course, Span
from mergecast.signals.detection.exceptions import LevelOf, usual
from mergecast.signals.detection.queue_history import QueueHistory, happenings, most_in_flight
from mergecast.signals.detection.queue_problem import (
    EVERYONE_FAILS,
    GOING_ROUND,
    NO_RUN_STARTED,
    NOTHING_MERGES,
    RUN_TOO_LONG,
)
from mergecast.signals.detection.rates import Rates, learn_rates
from mergecast.signals.detection.tails import Case, count_level, tail_level

LEARNED: Final = 8 * WEEK
LEAST_RUNS: Final = 200
LEAST_WEEKS: Final = 2  # for what depends on the hour of the week
SIGN: Final = 5 * MINUTE  # events of a source within it are one sign of life
# Below these, a problem would be over before anyone has looked.
LEAST_SECONDS: Final = 300.0
# Queues wait up to some minutes to fill a batch, which a busy week does not show.
LEAST_IDLE_SECONDS: Final = 600.0
LEAST_EXPECTED: Final = 3.0
LEAST_FAILURES: Final = 3
LEAST_ENTRIES: Final = 3
_LEAST_TOGETHER = MINUTE
_NEAR_SHARE = 8  # of a short history, so much belongs to one exceptional time; of a long one, a day


@dataclass(frozen=True, slots=True)
class SourceLevel:
    rates: Rates
    level: float


@dataclass(frozen=True, slots=True)
class Levels:
    """What is normal for one queue; problems without a level are not judged."""

    runs: int = 0  # how many there were
    slots: int = 1
    values: Mapping[str, float] = field(default_factory=dict)
    most_splits: int | None = None
    starts: Rates | None = None
    merges: Rates | None = None
    sources: Mapping[str, SourceLevel] = field(default_factory=dict)

    @property
    def is_enough(self) -> bool:
        return self.runs >= LEAST_RUNS


def learn(history: QueueHistory, now: int) -> Levels:
    """The levels of a queue, from what happened up to now."""
    slots = most_in_flight(history.runs, _LEAST_TOGETHER)
    course = Course(slots)
    for happening in happenings(history):
        if happening.at > now:
            break
        course.tell(happening)
    return levels_from(course, history.sources, now)


def levels_from(course: Course, sources: Mapping[str, Sequence[int]], now: int) -> Levels:
    """The levels from what a course has observed up to now."""
    cases, since = course.cases, now - LEARNED
    first = min((cases.starts[0], now) if cases.starts else (now,))
    window = Span(max(since, first), now)
    runs = len(cases.starts) - bisect_left(cases.starts, since)
    if runs < LEAST_RUNS:
        return Levels(runs, course.slots)
    busy = [*_within(cases.busy, window)]
    if course.busy_since is not None:
        busy.append(Span(max(course.busy_since, window.start), now))
    starts = learn_rates(_since(cases.starts, since), [*_within((idle[:2] for idle in cases.idle), window)])
    merges = learn_rates(_since(cases.merges, since), busy)
    learning = _Learning(cases, window)
    values = {
        NO_RUN_STARTED: learning.idle(starts),
        RUN_TOO_LONG: learning.lengths(),
        EVERYONE_FAILS: learning.failures(),
        GOING_ROUND: learning.rounds(),
        NOTHING_MERGES: learning.merges(merges, busy),
    }
    return Levels(
        runs,
        course.slots,
        {name: value for name, value in values.items() if value is not None},
        learning.splits(),
        starts,
        merges,
        {
            name: found
            for name, instants in sources.items()
            if (found := learning.source(instants)) is not None
        },
    )


@dataclass(frozen=True, slots=True)
class _Learning:
    """One function per problem."""

    cases: Cases
    window: Span

    def idle(self, starts: Rates) -> float | None:
        found = [
            Case(idle.start, idle.end, starts.open_time(idle.start, idle.end) / SECOND, idle.is_complete)
            for idle in self.cases.idle
            if idle.end >= self.window.start
        ]
        return self._tail(found, LEAST_IDLE_SECONDS)

    def lengths(self) -> float | None:
        return self._tail(self.cases.lengths, LEAST_SECONDS)

    def failures(self) -> float:
        return self._counted(self.cases.streaks, LEAST_FAILURES)

    def rounds(self) -> float:
        return self._counted(self.cases.rounds, LEAST_ENTRIES)

    def splits(self) -> int:
        return int(self._counted(self.cases.splits, LEAST_ENTRIES))

    def merges(self, rates: Rates, busy: Sequence[Span]) -> float | None:
        if not self._has_weeks:
            return None
        found = gaps(rates, _since(self.cases.merges, self.window.start), busy)
        return self._tail(found, LEAST_EXPECTED)

    def source(self, instants: Sequence[int]) -> SourceLevel | None:
        if not self._has_weeks:
            return None
        recent = signs_of_life(_since(instants, self.window.start))
        rates = learn_rates(recent, [self.window])
        level = self._tail(gaps(rates, recent, [self.window]), LEAST_EXPECTED)
        return None if level is None else SourceLevel(rates, level)

    def _tail(self, found: Sequence[Case], least: float) -> float | None:
        def level(cases: Sequence[Case]) -> float | None:
            fitted = tail_level(cases, self._length)
            return None if fitted is None else max(fitted, least)

        return level(self._usual(found, level))

    def _counted(self, found: Sequence[Case], least: int) -> float:
        def level(cases: Sequence[Case]) -> float:
            return float(count_level([int(case.value) for case in cases], self._length, least))

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


def signs_of_life(instants: Sequence[int]) -> list[int]:
    """The instants without those that follow closely: what a source sends together is one sign of life."""
    signs: list[int] = []
    for at in instants:
        if not signs or at - signs[-1] >= SIGN:
            signs.append(at)
    return signs


def _since(instants: Sequence[int], since: int) -> Sequence[int]:
    return instants[bisect_left(instants, since) :]


def _within(spans: Iterable[tuple[int, int]], window: Span) -> Iterable[Span]:
    for start, end in spans:
        if end > window.start and start < window.end:
            yield Span(max(start, window.start), min(end, window.end))
