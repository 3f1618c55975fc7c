"""A sample of what `benchmarks/diagnosis.py` measures in many worlds."""

import pytest

from mergecast.signals.thresholds.course import Span
from mergecast.signals.thresholds.judged import ALERTED_NOW
from mergecast.signals.thresholds.looking_back import alerts_as_they_begin, past_alerts
from mergecast.signals.thresholds.queue_history import QueueName
from worlds.stuck import AFTER, injections, quiet_queue
from worlds.world import START

pytestmark = pytest.mark.thorough

QUEUE = QueueName("main", "default")


@pytest.mark.thorough
def test_every_injected_problem_is_found() -> None:
    found = set()
    for injection in injections(quiet_queue(2, days=63), count=1):
        window = Span(injection.at, injection.at + AFTER)
        begun = alerts_as_they_begin(QUEUE, injection.history, window, injection.levels)
        found.add(next((alert.figure for alert in begun if alert.figure == injection.problem), None))

    assert set(ALERTED_NOW) == found


@pytest.mark.thorough
def test_a_quiet_queue_raises_few_alarms() -> None:
    """At most one in 4 weeks, in the 8 weeks of this world."""
    queue = quiet_queue(2, days=56)

    assert len(past_alerts(QUEUE, queue.history, Span(START, queue.world.end))) <= 2
