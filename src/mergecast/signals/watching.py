"""When problems begin and end: at once above their level, and after a while below half of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from mergecast.queues.model.instant import MINUTE
from mergecast.signals.queue_problem import QueueName, QueueProblem
from mergecast.signals.readings import Reading
from mergecast.signals.sentences import problem_of

REST: Final = 10 * MINUTE  # so long a problem must be calm before it has ended


@dataclass(frozen=True, slots=True)
class Watched:
    """The problems of one queue that hold, and since when some of them seem to be over."""

    problems: Mapping[str, QueueProblem] = field(default_factory=dict)
    calm_since: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Change:
    watched: Watched
    begun: tuple[QueueProblem, ...]
    ended: tuple[QueueProblem, ...]


def watch(queue: QueueName, before: Watched, readings: Sequence[Reading], at: int) -> Change:
    """Compare the readings of a queue with the problems that held before."""
    found = {reading.name: reading for reading in readings}
    begun = tuple(
        problem_of(queue, reading, at)
        for reading in readings
        if reading.holds and reading.name not in before.problems
    )
    calm = {
        name: before.calm_since.get(name, at)
        for name in before.problems
        if name not in found or found[name].is_calm
    }
    # What is neither too high nor low enough keeps its state.
    calm |= {
        name: since
        for name, since in before.calm_since.items()
        if name in before.problems and name in found and not found[name].holds
    }
    over = {name for name, since in calm.items() if at - since >= REST}
    ended = tuple(replace(before.problems[name], ended_at=calm[name]) for name in sorted(over))
    kept = {name: problem for name, problem in before.problems.items() if name not in over}
    kept |= {problem.name: problem for problem in begun}
    still = {name: since for name, since in calm.items() if name not in over}
    return Change(Watched(kept, still), begun, ended)
