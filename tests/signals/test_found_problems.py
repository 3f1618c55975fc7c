"""A sample of what `benchmarks/diagnosis.py` measures in many worlds."""

import pytest

from mergecast.signals.detection.course import Span
from mergecast.signals.detection.looking_back import past_problems, problems_as_they_begin
from mergecast.signals.detection.queue_problem import PROBLEM_NAMES, QueueName
from worlds.stuck import AFTER, injections, quiet_queue
from worlds.world import START

pytestmark = pytest.mark.thorough

QUEUE = QueueName("main", "default")


@pytest.mark.thorough
def test_every_injected_problem_is_found() -> None:
    found = set()
    for injection in injections(quiet_queue(2, days=63), count=1):
        window = Span(injection.at, injection.at + AFTER)
        begun = problems_as_they_begin(QUEUE, injection.history, window, injection.levels)
        found.add(next((problem.name for problem in begun if problem.name == injection.problem), None))

    assert set(PROBLEM_NAMES) == found


@pytest.mark.thorough
def test_a_quiet_queue_raises_few_alarms() -> None:
    """At most one in 4 weeks, in the 8 weeks of this world."""
    queue = quiet_queue(2, days=56)

    assert len(past_problems(QUEUE, queue.history, Span(START, queue.world.end))) <= 2
