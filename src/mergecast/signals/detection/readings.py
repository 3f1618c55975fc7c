"""Measures every problem of a queue at one instant, against what is normal for it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from mergecast.queues.model.instant import DAY, HOUR, MINUTE, SECOND
from mergecast.signals.detection.course import Course, Span
from mergecast.signals.detection.exceptions import times
from mergecast.signals.detection.levels import Levels, standstills
from mergecast.signals.detection.queue_problem import (
    EVERYONE_FAILS,
    FORGOTTEN,
    GOING_ROUND,
    NO_RUN_STARTED,
    NOTHING_MERGES,
    RUN_TOO_LONG,
    RUNS_SLOW,
    SOURCE_SILENT,
    UNITS,
    Evidence,
    Level,
)
from mergecast.signals.detection.source_hours import CLOCK_HOURS, USUAL_HOURS, SourceHours
from mergecast.signals.detection.speed import recent
from mergecast.signals.detection.tails import Case

MOST_LISTED: Final = 100  # pull requests, or CI runs, that the evidence lists
SPLITS: Final = "splits"  # another unit of going_round
BY_THE_CLOCK: Final = "hours by the clock"  # another unit of source_silent
MONTH: Final = 30 * DAY


@dataclass(frozen=True, slots=True)
class Reading:
    """One problem, measured. It holds when the value reaches the level."""

    name: str
    level: Level
    since: int
    evidence: Evidence
    next_at: int | None = None  # when time alone brings the value to its level
    runs: tuple[int, ...] = ()  # numbers of the CI runs, or of the bisection, that it is about
    usual: float = 0.0  # the value if nothing is wrong
    times: int = 1  # how often it has happened in a month

    @property
    def holds(self) -> bool:
        return self.evidence.value >= self.level.value

    @property
    def is_calm(self) -> bool:
        """Whether the value is so low that a problem may end."""
        return self.evidence.value <= (self.level.value + self.usual) / 2


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
            *self._speed(at),
            *self._forgotten(at),
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
        for reading in self._lasting(NO_RUN_STARTED, since, lasted, self.course.waiting_for_a_slot, at):
            yield replace(reading, times=1 + self._earlier_standstills(reading)) if reading.holds else reading

    def _earlier_standstills(self, reading: Reading) -> int:
        """How often no run started in the month before; what is less than an hour apart is one time."""
        seen = standstills(self.course.cases, self.levels.starts, reading.level.value)
        spans = {*self.levels.standstills, *seen}
        return len(
            times([span for span in spans if reading.since - MONTH <= span.start < reading.since], HOUR)
        )

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
            split = max(self.course.open_splits(), key=lambda split: (split.depth, split.at), default=None)
            depth, since, runs = (0, at, ()) if split is None else (split.depth, split.at, (split.bisection,))
            level = Level(float(most_splits), SPLITS)
            found.append(Reading(GOING_ROUND, level, since, Evidence(float(depth)), runs=runs))
        if found:
            yield max(found, key=lambda one: one.evidence.value / one.level.value)

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
        evidence, runs = _concerning(expected, course.present), _listed(course.running)
        yield Reading(NOTHING_MERGES, level, since or busy[0].start, evidence, next_at, runs)

    def _sources(self, at: int) -> Iterator[Reading]:
        """The source that has been silent for longest, compared with its level."""
        found = [
            reading
            for name, source in sorted(self.levels.sources.items())
            if name in self.last_sent
            for reading in self._silence(name, source, self.last_sent[name], at)
        ]
        if found:
            worst = max(found, key=lambda one: one.evidence.value / one.level.value)
            soonest = [reading.next_at for reading in found if reading.next_at is not None]
            yield replace(worst, next_at=min(soonest, default=None))

    def _silence(self, name: str, source: SourceHours, last: int, at: int) -> Iterator[Reading]:
        """Since when nothing came, in usual hours, and by the clock if every week had something by then."""
        by_hand = self.set_by_hand.get(SOURCE_SILENT)
        level = Level(USUAL_HOURS if by_hand is None else by_hand, UNITS[SOURCE_SILENT], by_hand is not None)
        missed = source.usual.expected(last, at)
        next_at = source.usual.when(at, level.value - missed)
        yield Reading(SOURCE_SILENT, level, last, Evidence(missed, source=name), next_at)
        if by_hand is None and source.is_due(last):
            evidence = Evidence((at - last) / HOUR, source=name)
            level, next_at = Level(float(CLOCK_HOURS), BY_THE_CLOCK), last + CLOCK_HOURS * HOUR
            yield Reading(SOURCE_SILENT, level, last, evidence, next_at)

    def _speed(self, at: int) -> Iterator[Reading]:
        """How long the runs took that passed in the last hours, compared with what is usual."""
        speed = self.levels.speed
        if speed is None:
            return
        # A run in progress that is already long counts, too.
        running = [(run.started_at, at - run.started_at) for run in self.course.running.values()]
        long = [
            Case(since, at, lasted / SECOND) for since, lasted in running if lasted > speed.usual * SECOND
        ]
        slow = speed.slowest([*recent(self.course.cases.passed, at), *long], at)
        if slow is None:
            return
        by_hand = self.set_by_hand.get(RUNS_SLOW)
        level = Level(
            speed.level(slow.runs) if by_hand is None else by_hand, UNITS[RUNS_SLOW], by_hand is not None
        )
        next_at = at + 10 * MINUTE if long else None
        yield Reading(RUNS_SLOW, level, slow.since, Evidence(slow.factor), next_at, usual=1.0)

    def _forgotten(self, at: int) -> Iterator[Reading]:
        """The pull requests that many runs of later ones have passed over."""
        level, forgotten = self._level(FORGOTTEN), self.course.forgotten
        if level is None:
            return
        if forgotten:
            since = min(one.entered_at for one in forgotten.values())
            passed_over = max(one.runs for one in forgotten.values())
            yield Reading(FORGOTTEN, level, since, _concerning(max(passed_over, level.value), forgotten))
        else:
            yield Reading(FORGOTTEN, level, at, Evidence(max(self.course.waiting.values(), default=0.0)))


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
