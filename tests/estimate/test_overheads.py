"""The queue's own seconds: to start checks, to retry them, to merge."""

import pytest

from history.recorded import SECOND, enters, leaves, runs
from mergecast.forecasting.estimate.overheads import fit_overheads
from mergecast.forecasting.history.reading import read_history
from mergecast.forecasting.history.train import Train
from mergecast.forecasting.replay.values import Policy, QueueRule
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import Window


def _lonely(number: int) -> list[Event]:
    """A pair in an empty queue: 12 s to start, 4 s to retry, 6 s to merge, 2 s more for the second."""
    at, first, second = 10_000.0 * number, 2 * number, 2 * number + 1
    return [
        *(enters(at, first), enters(at + 1, second)),
        *runs((at + 13, at + 613), f"b{number}", [first, second], "CHECKS_RETRIED"),
        *runs((at + 617, at + 1217), f"b{number}", [first, second], attempt=2),
        *(leaves(at + 1223, first), leaves(at + 1225, second)),
    ]


def test_delays_are_measured_where_nothing_else_held_a_batch_up() -> None:
    events = [event for number in range(10) for event in _lonely(number)]
    train = Train(read_history(events, Window(0, 200_000 * SECOND)))

    found = fit_overheads(train, ("default",), Policy(rules=(QueueRule(2, 2),)))

    assert found == pytest.approx((12, 4, 6, 2))


def test_too_few_cases_give_no_delay() -> None:
    train = Train(read_history(_lonely(1), Window(0, 200_000 * SECOND)))

    assert fit_overheads(train, ("default",), Policy(rules=(QueueRule(2, 2),))) == (0, 0, 0, 0)
