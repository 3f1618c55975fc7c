"""Which values of a queue are still normal, learned from its last eight weeks."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from heapq import nlargest
from statistics import median
from typing import Final

from mergecast.queues.model.instant import DAY, MINUTE, WEEK
from mergecast.signals.thresholds.course import PASSED_OVER, Case, Cases, Course, Span
from mergecast.signals.thresholds.exceptions import LevelOf, usual
from mergecast.signals.thresholds.judged import (
    EVERYONE_FAILS,
    FORGOTTEN,
    GOING_ROUND,
    RUN_TOO_LONG,
    RUNS_SLOW,
)
from mergecast.signals.thresholds.queue_history import (
    LEARNED_FROM,
    USUAL_PAUSE,
    QueueHistory,
    happenings,
    pause_of,
)
from mergecast.signals.thresholds.source_hours import SourceHours, learn_hours
from mergecast.signals.thresholds.speed import Speed, slow_times, unusual_spread, usual_speed
from mergecast.signals.thresholds.standing_still import NOT_KNOWN, BranchKnown
from mergecast.signals.thresholds.streaks import Streaks, count_level

LEAST_RUNS: Final = 200
LEAST_WEEKS: Final = 2  # for what depends on the hour of the week
SIGN: Final = 5 * MINUTE  # events of a source within it are read as one
# Below these, a problem would be over before anyone has looked.
LEAST_SECONDS: Final = 300.0
LEAST_FAILURES: Final = 3
LEAST_ENTRIES: Final = 3
# What fails again and again has a cause in common. Failures count only if none is known.
_THIRD = 3
_ROUNDS = Streaks(continued=0.25, doubt=1.0)
_FAILURES = Streaks(continued=0.1, doubt=0.0)
_LONGER = 1.5  # than the third longest run: what is longer has probably hung
_NEAR_SHARE = 8  # of a short history, so much belongs to one exceptional time; of a long one, a day


@dataclass(frozen=True, slots=True)
class Levels:
    """What is normal for one queue; figures without a level are not judged."""

    runs: int = 0  # how many there were
    pause: int = USUAL_PAUSE  # between failures that have nothing to do with each other
    values: Mapping[str, float] = field(default_factory=dict)
    most_splits: int | None = None
    speed: Speed | None = None
    median_run: float | None = None  # seconds; half of the runs that passed took no longer
    branch: BranchKnown = NOT_KNOWN
    sources: Mapping[str, SourceHours] = field(default_factory=dict)

    @property
    def is_enough(self) -> bool:
        return self.runs >= LEAST_RUNS


def learn(history: QueueHistory, now: int) -> Levels:
    """The levels of a queue, from what happened up to now."""
    course = Course(pause_of(history.runs))
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
        return Levels(runs, course.pause)
    learning = _Learning(cases, window)
    speed = learning.speed()
    values = {
        RUN_TOO_LONG: learning.longest_run(),
        EVERYONE_FAILS: learning.failures(),
        GOING_ROUND: learning.rounds(),
        RUNS_SLOW: None if speed is None else speed.level(speed.usual_count),
        FORGOTTEN: float(PASSED_OVER),
    }
    return Levels(
        runs,
        course.pause,
        {name: value for name, value in values.items() if value is not None},
        learning.splits(),
        speed,
        learning.median_run(),
        sources={
            name: found
            for name, instants in sources.items()
            if (found := learning.source(instants)) is not None
        },
    )


@dataclass(frozen=True, slots=True)
class _Learning:
    """One function per figure."""

    cases: Cases
    window: Span

    def longest_run(self) -> float | None:
        """One or two runs that hung change nothing."""
        found = nlargest(_THIRD, (case.value for case in self.cases.lengths if case.at >= self.window.start))
        return max(_LONGER * found[-1], LEAST_SECONDS) if len(found) == _THIRD else None

    def speed(self) -> Speed | None:
        found = usual_speed(self._passed)
        if found is None:
            return None
        level = partial(unusual_spread, span=self._length)
        spread = level(self._usual([*slow_times(self._passed, found)], level))
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

    def source(self, instants: Sequence[int]) -> SourceHours | None:
        return learn_hours(_since(instants, self.window.start), self.window) if self._has_weeks else None

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


def _since(instants: Sequence[int], since: int) -> Sequence[int]:
    return instants[bisect_left(instants, since) :]


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
