"""Which values of a queue are still normal, learned from its last eight weeks."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, TypeVar

from mergecast.queues.model.instant import MINUTE, SECOND, WEEK
from mergecast.signals.course import Cases, Course, Span
from mergecast.signals.queue_history import QueueHistory, happenings, most_in_flight
from mergecast.signals.queue_problem import (
    EVERYONE_FAILS,
    GOING_ROUND,
    NO_RUN_STARTED,
    NOTHING_MERGES,
    RUN_TOO_LONG,
    SOURCE_SILENT,
)
from mergecast.signals.rates import Rates, learn_rates
from mergecast.signals.tails import Case, count_level, tail_level

LEARNED: Final = 8 * WEEK
LEAST_RUNS: Final = 200
LEAST_WEEKS: Final = 2  # for what depends on the hour of the week
SIGN: Final = 5 * MINUTE  # events of a source within it are one sign of life
# Below these, a problem would be over before anyone has looked.
LEAST_SECONDS: Final = 300.0
LEAST_EXPECTED: Final = 3.0
LEAST_FAILURES: Final = 3
LEAST_ENTRIES: Final = 3
_LEAST_TOGETHER = MINUTE
# More problems, or more cases in them, are usual for a queue: to tell of each again would not help.
_MOST_PROBLEMS = 2
_MOST_UNHEALTHY = 0.1

T = TypeVar("T")


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


def learn(history: QueueHistory, now: int, unhealthy: Mapping[str, Sequence[Span]]) -> Levels:
    """The levels of a queue; `unhealthy` has the spans of earlier problems, which show nothing normal."""
    slots = most_in_flight(history.runs, _LEAST_TOGETHER)
    course = Course(slots)
    for happening in happenings(history):
        if happening.at > now:
            break
        course.tell(happening)
    return levels_from(course, history.sources, now, unhealthy)


def levels_from(
    course: Course, sources: Mapping[str, Sequence[int]], now: int, unhealthy: Mapping[str, Sequence[Span]]
) -> Levels:
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
    learning = _Learning(cases, window, unhealthy)
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
    unhealthy: Mapping[str, Sequence[Span]]

    def idle(self, starts: Rates) -> float | None:
        recent = [idle for idle in self.cases.idle if idle.end >= self.window.start]
        found = [Case(idle.end, starts.open_time(idle.start, idle.end), idle.is_complete) for idle in recent]
        return self._in_seconds(NO_RUN_STARTED, found)

    def lengths(self) -> float | None:
        found = [case for case in self.cases.lengths if case.at >= self.window.start]
        return self._in_seconds(RUN_TOO_LONG, found)

    def _in_seconds(self, problem: str, found: Sequence[Case]) -> float | None:
        level = tail_level(self._healthy(problem, found, lambda case: case.at), self._length)
        return None if level is None else max(level / SECOND, LEAST_SECONDS)

    def failures(self) -> float:
        return self._counted(EVERYONE_FAILS, self.cases.streaks, LEAST_FAILURES)

    def rounds(self) -> float:
        return self._counted(GOING_ROUND, self.cases.rounds, LEAST_ENTRIES)

    def splits(self) -> int:
        return int(self._counted(GOING_ROUND, self.cases.splits, LEAST_ENTRIES))

    def _counted(self, problem: str, found: Sequence[tuple[int, int]], least: int) -> float:
        recent = [counted for counted in found if counted[0] >= self.window.start]
        healthy = self._healthy(problem, recent, lambda counted: counted[0])
        return float(count_level([count for _, count in healthy], self._length, least))

    def merges(self, rates: Rates, busy: Sequence[Span]) -> float | None:
        if not self._has_weeks:
            return None
        cases = gaps(rates, _since(self.cases.merges, self.window.start), busy)
        return self._expected(NOTHING_MERGES, cases)

    def source(self, instants: Sequence[int]) -> SourceLevel | None:
        if not self._has_weeks:
            return None
        recent = signs_of_life(_since(instants, self.window.start))
        rates = learn_rates(recent, [self.window])
        level = self._expected(SOURCE_SILENT, gaps(rates, recent, [self.window]))
        return None if level is None else SourceLevel(rates, level)

    def _expected(self, problem: str, cases: Sequence[Case]) -> float | None:
        level = tail_level(self._healthy(problem, cases, lambda case: case.at), self._length)
        return None if level is None else max(level, LEAST_EXPECTED)

    @property
    def _has_weeks(self) -> bool:
        return self._length >= LEAST_WEEKS * WEEK

    @property
    def _length(self) -> int:
        return self.window.end - self.window.start

    def _healthy(self, problem: str, found: Sequence[T], at: Callable[[T], int]) -> Sequence[T]:
        """The cases outside earlier problems, unless these have become usual for this queue."""
        spans = [span for span in self.unhealthy.get(problem, ()) if span.end >= self.window.start]
        if len(spans) > _MOST_PROBLEMS:
            return found
        healthy = [case for case in found if not any(start <= at(case) <= end for start, end in spans)]
        return healthy if len(found) - len(healthy) <= _MOST_UNHEALTHY * len(found) else found


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
        cases.append(Case(at, expected))
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
