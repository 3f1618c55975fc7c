"""Finds the problems that a queue had, as if its history had been watched while it happened."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from mergecast.queues.model.instant import WEEK
from mergecast.signals.detection.course import Course, Span
from mergecast.signals.detection.levels import Levels, levels_from
from mergecast.signals.detection.queue_history import Happening, QueueHistory, happenings, pace
from mergecast.signals.detection.queue_problem import QueueName, QueueProblem
from mergecast.signals.detection.readings import Gauge, Reading, next_evaluation
from mergecast.signals.detection.sentences import problem_of
from mergecast.signals.detection.watching import Watched, watch

# Adds the names of CI runs and checks to the evidence of a reading.
Naming = Callable[[Reading], Reading]


def _unnamed(reading: Reading) -> Reading:
    return reading


def past_problems(
    queue: QueueName,
    history: QueueHistory,
    window: Span,
    learn_every: int = WEEK,
    name: Naming = _unnamed,
) -> list[QueueProblem]:
    """The problems found in a window; those that still hold at its end have not ended.

    The history begins before the window, so that there is something to learn from.
    """
    looking = _LookingBack(queue, history, learn_every, None, name)
    for _ in looking.through(window):
        pass  # what begins may end later
    return looking.found


def problems_as_they_begin(
    queue: QueueName, history: QueueHistory, window: Span, levels: Levels
) -> Iterator[QueueProblem]:
    """The problems found in a window with these levels, one after the other."""
    return _LookingBack(queue, history, None, levels).through(window)


class _LookingBack:
    def __init__(
        self,
        queue: QueueName,
        history: QueueHistory,
        learn_every: int | None,
        levels: Levels | None,
        name: Naming = _unnamed,
    ) -> None:
        self._queue, self._history = queue, history
        self._learn_every, self._name = learn_every, name
        self._levels, self._learned_at = levels or Levels(), 0
        self._course = Course(levels.pace if levels else pace(history.runs))
        self._watched = Watched()
        self._ended: list[QueueProblem] = []
        self._open: dict[str, QueueProblem] = {}

    @property
    def found(self) -> list[QueueProblem]:
        return sorted((*self._ended, *self._open.values()), key=lambda problem: problem.found_at)

    def through(self, window: Span) -> Iterator[QueueProblem]:
        """Go through the window; yields each problem when it begins."""
        for at, until, together in _moments(happenings(self._history), window.end):
            for happening in together:
                self._course.tell(happening)
            yield from self._measure_until(max(at, window.start), until)

    def _measure_until(self, at: int, until: int) -> Iterator[QueueProblem]:
        """Measure right after something happened, and then whenever time alone may matter."""
        moment: int | None = at
        while moment is not None and moment < until:
            begun, moment = self._measure(moment)
            yield from begun

    def _measure(self, at: int) -> tuple[tuple[QueueProblem, ...], int | None]:
        """What has begun, and when to measure again if nothing happens."""
        if self._learn_every is not None and at - self._learned_at >= self._learn_every:
            self._learn(at)
        gauge = Gauge(self._course, self._levels, self._last_sent(at))
        readings = gauge.read(at)
        change = watch(self._watched, readings, at)
        self._watched = change.watched
        self._ended += [replace(self._open.pop(name), ended_at=end) for name, end in change.ended.items()]
        begun = tuple(problem_of(self._queue, self._name(reading), at) for reading in change.begun)
        self._open |= {problem.name: problem for problem in begun}
        return begun, next_evaluation(readings, at, has_open=bool(self._open))

    def _learn(self, at: int) -> None:
        sources = {
            name: instants[: bisect_right(instants, at)] for name, instants in self._history.sources.items()
        }
        self._levels, self._learned_at = levels_from(self._course, sources, at), at

    def _last_sent(self, at: int) -> dict[str, int]:
        places = ((name, bisect_right(sent, at), sent) for name, sent in self._history.sources.items())
        return {name: sent[place - 1] for name, place, sent in places if place}


def _moments(told: Sequence[Happening], end: int) -> Iterator[tuple[int, int, list[Happening]]]:
    """What happened at each instant, and the instant of what happened next."""
    moments = [(at, list(together)) for at, together in groupby(told, key=lambda one: one.at) if at < end]
    followed = [at for at, _ in moments[1:]] + [end]
    for (at, together), until in zip(moments, followed, strict=True):
        yield at, until, together
