"""A sample of what `benchmarks/diagnosis.py` measures in many worlds."""

from collections.abc import Iterator

import pytest

from mergecast.queues.model.alert import Alert
from mergecast.signals.thresholds.branch_alerts import past_standstills
from mergecast.signals.thresholds.course import Span
from mergecast.signals.thresholds.looking_back import past_alerts
from mergecast.signals.thresholds.queue_history import QueueName
from worlds.stuck import (
    INJECTED,
    QuietBranch,
    first_found,
    injections,
    quiet_branches,
    quiet_queue,
    shared_branch,
    waiting_branch,
)
from worlds.world import START

pytestmark = pytest.mark.thorough

QUEUE = QueueName("main", "default")


def test_every_injected_problem_is_found() -> None:
    injected = [*injections(quiet_queue(2, days=63), count=1)]

    assert set(INJECTED) == {alert.figure for one in injected if (alert := first_found(one)) is not None}


def test_a_quiet_queue_raises_few_alarms() -> None:
    """At most one in 4 weeks, in the 8 weeks of this world, and a few more about runs that did take long."""
    queue = quiet_queue(2, days=56)

    found = past_alerts(QUEUE, queue.history, Span(START, queue.world.end))

    assert 2 >= sum(alert.figure != "run_too_long" for alert in found)
    assert 4 >= sum(alert.figure == "run_too_long" for alert in found)


def _branches() -> Iterator[QuietBranch]:
    for number in (15, 16):
        yield from quiet_branches(number, days=14)
    yield shared_branch(517, days=14)
    yield waiting_branch(400, days=14)


def test_a_quiet_branch_never_stands_still() -> None:
    """Groups of GitHub, a train of GitLab, two queues that share slots, and a wait to fill a batch."""
    assert {} == {branch.name: found for branch in _branches() if (found := _standstills(branch))}


def _standstills(branch: QuietBranch) -> list[Alert]:
    histories = {queue.queue_name: history for queue, history in branch.histories.items()}

    return past_standstills("main", histories, Span(START, branch.world.end), wait=branch.wait)
