"""Measures every problem of a queue at one instant, against what is normal for it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from mergecast.queues.model.instant import MINUTE, SECOND
from mergecast.signals.detection.course import Course, Span
from mergecast.signals.detection.levels import Levels, SourceLevel
from mergecast.signals.detection.queue_history import SeenSplit
from mergecast.signals.detection.queue_problem import (
    EVERYONE_FAILS,
    GOING_ROUND,
    NO_RUN_STARTED,
    NOTHING_MERGES,
    RUN_TOO_LONG,
    SOURCE_SILENT,
    UNITS,
    Evidence,
    Level,
)

MOST_LISTED: Final = 100  # pull requests, or CI runs, that the evidence lists
SPLITS: Final = "splits"  # another unit of going_round


@dataclass(frozen=True, slots=True)
class Reading:
    """One problem, measured. It holds when the value reaches the level."""

    name: str
    level: Level
    since: int
    evidence: Evidence
    next_at: int | None = None  # when time alone brings the value to its level
    runs: tuple[int, ...] = ()  # numbers of the CI runs, or of the bisection, that it is about

    @property
    def holds(self) -> bool:
        return self.evidence.value >= self.level.value

    @property
    def is_calm(self) -> bool:
        """Whether the value is so low that a problem may end."""
        return self.evidence.value <= self.level.value / 2


@dataclass(frozen=True, slots=True)
class Gauge:
    """What a reading needs: the state of the queue, what is normal, and when its sources last sent."""

    course: Course
    levels: Levels
    last_sent: Mapping[str, int] = field(default_factory=dict)
    set_by_hand: Mapping[str, float] = field(default_factory=dict)

    def read(self, at: int) -> list[Reading]:
        """The problems that can be judged; the others have too little history."""
        return [
            *self._idle(at),
            *self._longest_run(at),
            *self._failures(at),
            *self._rounds(at),
            *self._merges(at),
            *self._sources(at),
        ]

    def _level(self, problem: str) -> Level | None:
        by_hand = self.set_by_hand.get(problem)
        value = self.levels.values.get(problem) if by_hand is None else by_hand
        return None if value is None else Level(value, UNITS[problem], by_hand is not None)

    def _idle(self, at: int) -> Iterator[Reading]:
        since, starts = self.course.idle_since, self.levels.starts
        if since is None or starts is None:
            lasted = 0.0 if since is None else float(at - since)
        else:
            lasted = starts.open_time(since, at)
        yield from self._lasting(NO_RUN_STARTED, since, lasted, self.course.waiting, at)

    def _longest_run(self, at: int) -> Iterator[Reading]:
        run = min(self.course.running.values(), key=lambda run: run.started_at, default=None)
        since = None if run is None else run.started_at
        lasted = 0.0 if since is None else float(at - since)
        pulls, runs = ((), ()) if run is None else (run.pull_requests, (run.number,))
        for reading in self._lasting(RUN_TOO_LONG, since, lasted, pulls, at):
            yield replace(reading, runs=runs)

    def _lasting(
        self, problem: str, since: int | None, lasted: float, pulls: Iterable[int], at: int
    ) -> Iterator[Reading]:
        """Something that should have ended by now, in seconds."""
        level = self._level(problem)
        if level is None:
            return
        if since is None:
            yield Reading(problem, level, at, Evidence(0.0))
            return
        seconds = max(lasted, 0.0) / SECOND
        left = int((level.value - seconds) * SECOND)
        yield Reading(problem, level, since, _concerning(seconds, pulls), at + max(left, 0) + 1)

    def _failures(self, at: int) -> Iterator[Reading]:
        level, streak = self._level(EVERYONE_FAILS), self.course.streak
        if level is not None:
            pulls = {number for run in streak for number in run.pull_requests}
            since = (streak[0].ended_at if streak else None) or at
            runs = tuple(run.number for run in streak[-MOST_LISTED:])
            yield Reading(EVERYONE_FAILS, level, since, _concerning(float(len(streak)), pulls), runs=runs)

    def _rounds(self, at: int) -> Iterator[Reading]:
        """The pull request that entered most often, or the batch that was split most often."""
        found = []
        if (level := self._level(GOING_ROUND)) is not None:
            count, pull = max(((count, pull) for pull, count in self.course.rounds.items()), default=(0, 0))
            since = self.course.entered.get(pull, at)
            found.append(Reading(GOING_ROUND, level, since, Evidence(float(count), (pull,) if pull else ())))
        most_splits = self.levels.most_splits
        if most_splits is not None and GOING_ROUND not in self.set_by_hand:
            split = max(self._open_splits(), key=lambda split: (split.depth, split.at), default=None)
            depth, since, runs = (0, at, ()) if split is None else (split.depth, split.at, (split.bisection,))
            level = Level(float(most_splits), SPLITS)
            found.append(Reading(GOING_ROUND, level, since, Evidence(float(depth)), runs=runs))
        if found:
            yield max(found, key=lambda one: one.evidence.value / one.level.value)

    def _open_splits(self) -> Iterator[SeenSplit]:
        """The splits that may still go on: not every source says when a bisection ends.

        A batch was in the queue when it was split, so nothing remains of it once everything that had entered
        by then has left.
        """
        oldest = min(self.course.entered.values(), default=None)
        return (split for split in self.course.splits.values() if oldest is not None and oldest <= split.at)

    def _merges(self, at: int) -> Iterator[Reading]:
        level, rates, course = self._level(NOTHING_MERGES), self.levels.merges, self.course
        if level is None or rates is None:
            return
        if course.busy_since is None:
            yield Reading(NOTHING_MERGES, level, at, Evidence(0.0))
            return
        since = course.last_merge_at
        busy = [*_after(course.cases.busy, since), Span(max(course.busy_since, since or 0), at)]
        expected = sum(rates.expected(*span) for span in busy)
        next_at = rates.when(at, level.value - expected)
        evidence, runs = _concerning(expected, course.entered), _listed(course.running)
        yield Reading(NOTHING_MERGES, level, since or busy[0].start, evidence, next_at, runs)

    def _sources(self, at: int) -> Iterator[Reading]:
        """The source that has been silent for longest, compared with its level."""
        found = [
            reading
            for name, source in sorted(self.levels.sources.items())
            if (reading := self._source(name, source, at)) is not None
        ]
        if found:
            worst = max(found, key=lambda one: one.evidence.value / one.level.value)
            times = [reading.next_at for reading in found if reading.next_at is not None]
            yield Reading(worst.name, worst.level, worst.since, worst.evidence, min(times, default=None))

    def _source(self, name: str, source: SourceLevel, at: int) -> Reading | None:
        last = self.last_sent.get(name)
        if last is None:
            return None
        by_hand = self.set_by_hand.get(SOURCE_SILENT)
        level = Level(source.level if by_hand is None else by_hand, UNITS[SOURCE_SILENT], by_hand is not None)
        expected = source.rates.expected(last, at)
        next_at = source.rates.when(at, level.value - expected)
        return Reading(SOURCE_SILENT, level, last, Evidence(expected, source=name), next_at)


def next_evaluation(readings: Sequence[Reading], at: int, *, has_open: bool) -> int | None:
    """When to measure again if nothing happens; at most once a minute."""
    times = [reading.next_at for reading in readings if reading.next_at is not None]
    soonest = at + MINUTE
    if has_open or any(reading.holds for reading in readings):
        return soonest
    return max(min(times), soonest) if times else None


def _concerning(value: float, pulls: Iterable[int]) -> Evidence:
    """A value with the pull requests that it concerns, of which only some are listed."""
    every = set(pulls)
    listed = _listed(every)
    return Evidence(value, listed, unlisted=len(every) - len(listed))


def _listed(numbers: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(numbers)[:MOST_LISTED])


def _after(busy: Sequence[Span], since: int | None) -> list[Span]:
    """The spans after the last merge, of which the first may have begun before it."""
    found: list[Span] = []
    for start, end in reversed(busy):
        if since is not None and end <= since:
            break
        found.append(Span(start if since is None else max(start, since), end))
    return found[::-1]
