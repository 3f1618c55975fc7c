"""Slots, sizes and retries are inferred from what happens often, not from the largest number ever seen."""

import pytest

from history.recorded import SECOND, enters, leaves, runs
from mergecast.forecasting.history.inference import infer
from mergecast.forecasting.history.reading import read_history
from mergecast.forecasting.replay.values import Policy
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import Window
from mergecast.queues.model.slots import highest_level

_COUNT = 400
_EVERY = 600


def _policy(events: list[Event]) -> Policy:
    (rules,) = infer(read_history(events, Window(0, _COUNT * _EVERY * SECOND)))
    return rules.policy


def _one_after_the_other(late: int = -1, retried: int = -1, large: int = -1) -> list[Event]:
    """A queue with one slot; the run with number `late` is reported ten minutes too long."""
    events = []
    for number in range(_COUNT):
        start, pulls = number * _EVERY, [number]
        end = start + 590 + (_EVERY if number == late else 0)
        if number == large:
            pulls = [number, *range(1000, 1006)]
        events += [
            *(enters(start, pull) for pull in pulls),
            *runs((start + 1, end), f"b{number}", pulls),
            *(leaves(end + 1, pull) for pull in pulls),
        ]
        if number == retried:
            events += runs((start + 595, start + 599), f"b{number}", pulls, attempt=2)
        if number % 10 == 0:
            failed = 10_000 + number
            events += [
                enters(start, failed),
                *runs((start + 591, start + 594), f"f{number}", [failed], "CHECKS_FAILED"),
                leaves(start + 594, failed, "CHECKS_FAILED"),
            ]
    return events


def test_one_run_that_was_reported_too_long_is_not_another_slot() -> None:
    assert _policy(_one_after_the_other(late=200)).max_parallel_checks == 1


def test_a_single_large_batch_among_hundreds_is_not_the_batch_size() -> None:
    assert _policy(_one_after_the_other(large=200)).rules[0].batch_size_max == 1


def test_one_second_attempt_beside_many_failures_without_one_is_not_a_retry() -> None:
    assert _policy(_one_after_the_other(retried=200)).rules[0].max_checks_retries == 0


def test_a_run_whose_end_was_not_recorded_takes_no_slot_after_its_member_left() -> None:
    events = _one_after_the_other()
    lost = [event for event in events if not (event.type == "checks_ended" and event.batch_id == "b7")]
    history = read_history(lost, Window(0, _COUNT * _EVERY * SECOND))

    (run,) = [run for run in history.runs if run.batch_id == "b7"]
    assert (run.ended, run.outcome) == (7 * _EVERY + 590, "SUCCESS")
    assert _policy(lost).max_parallel_checks == 1


@pytest.mark.parametrize(
    ("weights", "level"),
    [
        ({}, 1),
        ({1: 100.0}, 1),
        ({1: 1000.0, 2: 4.0}, 1),
        ({1: 1000.0, 2: 6.0}, 2),
        ({1: 1000.0, 5: 10.0}, 5),  # from one to five at once, as bursts do
        ({1: 100.0, 2: 300.0, 3: 1.0}, 1 + 1),
    ],
)
def test_a_level_counts_if_it_is_not_noise_beside_the_one_below(
    weights: dict[int, float], level: int
) -> None:
    assert highest_level(weights) == level
