"""Finds the alerts that a queue would have had, as if its history had been watched while it happened.

Those of a branch that stood still are found by `past_standstills`.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from types import MappingProxyType

from mergecast.queues.model.alert import RECOVERED, Alert
from mergecast.queues.model.instant import WEEK
from mergecast.signals.thresholds.course import Course, Span
from mergecast.signals.thresholds.judged import FORGOTTEN, OF_NOW
from mergecast.signals.thresholds.levels import Levels, levels_from
from mergecast.signals.thresholds.queue_history import (
    Happening,
    QueueHistory,
    QueueName,
    happenings,
    pause_of,
)
from mergecast.signals.thresholds.readings import Chosen, Gauge, Reading, next_evaluation
from mergecast.signals.thresholds.sentences import alert_of
from mergecast.signals.thresholds.watching import Watched, watch

# Adds the names of CI runs and checks to the evidence of a reading.
Naming = Callable[[Reading], Reading]


def _unnamed(reading: Reading) -> Reading:
    return reading


def past_alerts(
    queue: QueueName,
    history: QueueHistory,
    window: Span,
    learn_every: int = WEEK,
    name: Naming = _unnamed,
) -> list[Alert]:
    """The alerts found in a window; those that still hold at its end have not ended.

    The history begins before the window, so that there is something to learn from.
    """
    return _LookingBack(queue, history, learn_every, name).all_through(window)


def alerts_of_level(
    queue: QueueName, history: QueueHistory, window: Span, figure: str, value: float
) -> list[Alert]:
    """The alerts that a level of one figure would have raised in a window; what else it takes is learned."""
    chosen = {**dict.fromkeys(OF_NOW), figure: value}
    return _LookingBack(queue, history, WEEK, chosen=chosen).all_through(window)


def alerts_as_they_begin(
    queue: QueueName, history: QueueHistory, window: Span, levels: Levels
) -> Iterator[Alert]:
    """The alerts found in a window with these levels, one after the other."""
    return _LookingBack(queue, history, levels).through(window)


class _LookingBack:
    def __init__(
        self,
        queue: QueueName,
        history: QueueHistory,
        levels: Levels | int,
        name: Naming = _unnamed,
        chosen: Chosen = MappingProxyType({}),
    ) -> None:
        """Without levels, how often they are learned."""
        self._queue, self._history, self._name, self._chosen = queue, history, name, chosen
        self._learn_every = levels if isinstance(levels, int) else None
        self._levels, self._learned_at = Levels() if isinstance(levels, int) else levels, 0
        pause = pause_of(history.runs) if isinstance(levels, int) else levels.pause
        self._course = Course(pause, chosen.get(FORGOTTEN))
        self._watched = Watched()
        self._ended: list[Alert] = []
        self._open: dict[str, Alert] = {}

    @property
    def found(self) -> list[Alert]:
        return sorted((*self._ended, *self._open.values()), key=lambda alert: alert.found_at)

    def all_through(self, window: Span) -> list[Alert]:
        for _ in self.through(window):
            pass  # what begins may end later
        return self.found

    def through(self, window: Span) -> Iterator[Alert]:
        """Go through the window; yields each alert when it begins."""
        for at, until, together in _moments(happenings(self._history), window.end):
            for happening in together:
                self._course.tell(happening)
            yield from self._measure_until(max(at, window.start), until)

    def _measure_until(self, at: int, until: int) -> Iterator[Alert]:
        """Measure right after something happened, and then whenever time alone may matter."""
        moment: int | None = at
        while moment is not None and moment < until:
            begun, moment = self._measure(moment)
            yield from begun

    def _measure(self, at: int) -> tuple[tuple[Alert, ...], int | None]:
        """What has begun, and when to measure again if nothing happens."""
        if self._learn_every is not None and at - self._learned_at >= self._learn_every:
            self._learn(at)
        gauge = Gauge(self._course, self._levels, self._last_sent(at), self._chosen)
        readings = gauge.read(at)
        change = watch(self._watched, readings, at)
        self._watched = change.watched
        self._ended += [
            replace(self._open.pop(name), ended_at=end, end_reason=RECOVERED)
            for name, end in change.ended.items()
        ]
        begun = tuple(alert_of(self._queue, self._name(reading), at) for reading in change.begun)
        self._open |= {alert.figure: alert for alert in begun}
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
    for (at, together), until in zip(moments, followed, strict=False):  # nothing may have happened
        yield at, until, together
