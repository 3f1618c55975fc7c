"""Measures every figure of a queue at one instant, against what is normal for it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from mergecast.queues.model.alert import Evidence
from mergecast.queues.model.instant import HOUR, MINUTE, SECOND
from mergecast.queues.model.threshold import SetThreshold, in_force
from mergecast.signals.thresholds.course import Case, Course
from mergecast.signals.thresholds.judged import (
    EVERYONE_FAILS,
    FORGOTTEN,
    GOING_ROUND,
    RUN_TOO_LONG,
    RUNS_SLOW,
    SOURCE_SILENT,
    SPLITS,
)
from mergecast.signals.thresholds.levels import Levels
from mergecast.signals.thresholds.source_hours import CLOCK_HOURS, USUAL_HOURS, SourceHours
from mergecast.signals.thresholds.speed import recent

MOST_LISTED: Final = 100  # pull requests, or CI runs, that the evidence lists
BY_THE_CLOCK: Final = "hours by the clock"  # another unit of source_silent
_NOTHING: Final = Evidence()

# The levels that a person set, by figure; None switches a figure off.
Chosen = Mapping[str, float | None]


def chosen_levels(thresholds: Iterable[SetThreshold], base_ref: str, queue_name: str) -> Chosen:
    """What a `Gauge` takes for a queue, from the thresholds that people set in its repository.

    One that raises no alerts leaves the learned level as it is.

    >>> thresholds = [SetThreshold("run_too_long", 60), SetThreshold("run_too_long", None, "main", "hotfix")]
    >>> [chosen_levels(thresholds, "main", queue_name) for queue_name in ("default", "hotfix")]
    [{'run_too_long': 60}, {'run_too_long': None}]
    """
    return {
        figure: threshold.value
        for figure, threshold in in_force(thresholds, base_ref, queue_name).items()
        if threshold.alert or threshold.value is None
    }


@dataclass(frozen=True, slots=True)
class Level:
    """What is still normal; an alert begins above it."""

    value: float
    is_set: bool = False  # by a person, instead of from the history
    unit: str = ""  # empty: that of the figure


@dataclass(frozen=True, slots=True)
class Reading:
    """One figure, measured. It holds when the value reaches the level."""

    name: str
    level: Level
    since: int
    value: float
    evidence: Evidence = _NOTHING
    next_at: int | None = None  # when time alone brings the value to its level
    runs: tuple[int, ...] = ()  # numbers of the CI runs, or of the bisection, that it is about
    usual: float = 0.0  # the value if nothing is wrong
    median: float | None = None  # of the last weeks
    waiting: int = 0  # pull requests in the queue that it is not about

    @property
    def holds(self) -> bool:
        return self.value >= self.level.value

    @property
    def is_calm(self) -> bool:
        """Whether the value is so low that an alert may end."""
        return self.value <= (self.level.value + self.usual) / 2


@dataclass(frozen=True, slots=True)
class Gauge:
    """What a reading needs: the state of the queue, what is normal, and when its sources last sent."""

    course: Course
    levels: Levels
    last_sent: Mapping[str, int] = field(default_factory=dict)
    chosen: Chosen = field(default_factory=dict)

    def read(self, at: int) -> list[Reading]:
        """The figures that can be judged; the others have too little history, or are switched off."""
        return [
            *self._longest_run(at),
            *self._failures(at),
            *self._rounds(at),
            *self._sources(at),
            *self._speed(at),
            *self._forgotten(at),
        ]

    def _level(self, figure: str, learned: float | None = None) -> Level | None:
        """What was set, or else what was learned; None if there is neither."""
        is_set = figure in self.chosen
        learned = self.levels.values.get(figure) if learned is None else learned
        value = self.chosen[figure] if is_set else learned
        return None if value is None else Level(value, is_set)

    def _longest_run(self, at: int) -> Iterator[Reading]:
        """The run that should have ended first."""
        level = self._level(RUN_TOO_LONG)
        if level is None:
            return
        run = min(self.course.running.values(), key=lambda run: run.started_at, default=None)
        if run is None:
            yield Reading(RUN_TOO_LONG, level, at, 0.0)
            return
        yield Reading(
            RUN_TOO_LONG,
            level,
            run.started_at,
            (at - run.started_at) / SECOND,
            concerning(run.pull_requests),
            max(at, run.started_at + int(level.value * SECOND)) + 1,
            (run.number,),
            median=self.levels.median_run,
            waiting=len(self.course.entered.keys() - set(run.pull_requests)),
        )

    def _failures(self, at: int) -> Iterator[Reading]:
        level, streak = self._level(EVERYONE_FAILS), self.course.streak
        if level is not None:
            pulls = {number for run in streak for number in run.pull_requests}
            since = (streak[0].ended_at if streak else None) or at
            runs = tuple(run.number for run in streak[-MOST_LISTED:])
            count, evidence = float(len(streak)), concerning(pulls)
            yield Reading(EVERYONE_FAILS, level, since, count, evidence, runs=runs)

    def _rounds(self, at: int) -> Iterator[Reading]:
        """The pull request that entered most often, or the batch that was split most often."""
        found = []
        if (level := self._level(GOING_ROUND)) is not None:
            count, pull = max(((count, pull) for pull, count in self.course.rounds.items()), default=(0, 0))
            since = self.course.entered.get(pull, at)
            evidence = Evidence((pull,) if pull else ())
            found.append(Reading(GOING_ROUND, level, since, float(count), evidence))
        if (level := self._level(SPLITS, self.levels.most_splits)) is not None:
            split = max(self.course.open_splits(), key=lambda split: (split.depth, split.at), default=None)
            depth, since, runs = (0, at, ()) if split is None else (split.depth, split.at, (split.bisection,))
            level = replace(level, unit=SPLITS)
            found.append(Reading(GOING_ROUND, level, since, float(depth), runs=runs))
        if found:
            yield max(found, key=lambda one: one.value / one.level.value)

    def _sources(self, at: int) -> Iterator[Reading]:
        """The source that has been silent for longest, compared with its level."""
        found = [
            reading
            for name, source in sorted(self.levels.sources.items())
            if name in self.last_sent
            for reading in self._silence(name, source, self.last_sent[name], at)
        ]
        if found:
            worst = max(found, key=lambda one: one.value / one.level.value)
            soonest = [reading.next_at for reading in found if reading.next_at is not None]
            yield replace(worst, next_at=min(soonest, default=None))

    def _silence(self, name: str, source: SourceHours, last: int, at: int) -> Iterator[Reading]:
        """Since when nothing came, in usual hours, and by the clock if every week had something by then."""
        level = self._level(SOURCE_SILENT, USUAL_HOURS)
        if level is None:
            return
        missed = source.usual.expected(last, at)
        next_at = source.usual.when(at, level.value - missed)
        evidence = Evidence(source=name)
        yield Reading(SOURCE_SILENT, level, last, missed, evidence, next_at)
        if not level.is_set and source.is_due(last):
            level, next_at = Level(float(CLOCK_HOURS), unit=BY_THE_CLOCK), last + CLOCK_HOURS * HOUR
            yield Reading(SOURCE_SILENT, level, last, (at - last) / HOUR, evidence, next_at)

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
        level = self._level(RUNS_SLOW, speed.level(slow.runs))
        if level is None:
            return
        next_at = at + 10 * MINUTE if long else None
        yield Reading(RUNS_SLOW, level, slow.since, slow.factor, next_at=next_at, usual=1.0)

    def _forgotten(self, at: int) -> Iterator[Reading]:
        """The pull requests that many runs of later ones have passed over."""
        level, forgotten = self._level(FORGOTTEN), self.course.forgotten
        if level is None:
            return
        if forgotten:
            since = min(one.entered_at for one in forgotten.values())
            passed_over = max(one.runs for one in forgotten.values())
            yield Reading(FORGOTTEN, level, since, max(passed_over, level.value), concerning(forgotten))
        else:
            yield Reading(FORGOTTEN, level, at, max(self.course.waiting.values(), default=0.0))


def next_evaluation(readings: Sequence[Reading], at: int, *, has_open: bool) -> int | None:
    """When to measure again if nothing happens; at most once a minute."""
    times = [reading.next_at for reading in readings if reading.next_at is not None]
    soonest = at + MINUTE
    if has_open or any(reading.holds for reading in readings):
        return soonest
    return max(min(times), soonest) if times else None


def concerning(pulls: Iterable[int]) -> Evidence:
    """The pull requests that a value concerns, of which only some are listed."""
    every = set(pulls)
    listed = _listed(every)
    return Evidence(listed, unlisted=len(every) - len(listed))


def _listed(numbers: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(numbers)[:MOST_LISTED])
