"""What was not reported, or too late, is completed from what happened afterwards."""

import pytest

from history.recorded import SECOND, enters, leaves, runs
from mergecast.forecasting.history.reading import read_history
from mergecast.forecasting.history.structure import History
from mergecast.queues.model.event import CHECKS_ENDED, CHECKS_STARTED, QUEUE_LEFT, Event
from mergecast.queues.model.instant import Window

_WINDOW = Window(0, 100_000 * SECOND)
_COUNT = 20


def _line() -> list[Event]:
    """Pull requests 1 to 20, one every 1,000 seconds, each tested alone for 600 seconds and merged."""
    return [
        event
        for number in range(1, _COUNT + 1)
        for event in (
            enters(1000 * number, number),
            *runs((1000 * number + 10, 1000 * number + 610), f"b{number}", [number]),
            leaves(1000 * number + 615, number),
        )
    ]


def _without(events: list[Event], number: int, *types: str) -> list[Event]:
    return [event for event in events if event.pull_request != number or event.type not in types]


def _read(events: list[Event]) -> History:
    return read_history(events, _WINDOW)


@pytest.mark.parametrize("lost", [(CHECKS_ENDED,), (QUEUE_LEFT,), (CHECKS_ENDED, QUEUE_LEFT)])
def test_a_run_and_a_stay_of_which_the_end_was_lost_end_as_usual(lost: tuple[str, ...]) -> None:
    history = _read(_without(_line(), 5, *lost))

    run, stay = history.runs[4], history.stays[4]
    assert (run.ended, run.outcome) == (5610, "SUCCESS")
    assert stay.reason == "PR_MERGED"
    assert stay.left == (5615 if QUEUE_LEFT not in lost else 5610)


@pytest.mark.parametrize("lost", [(CHECKS_ENDED, QUEUE_LEFT), (QUEUE_LEFT,)])
def test_the_last_run_of_a_record_may_still_be_running(lost: tuple[str, ...]) -> None:
    history = _read(_without(_line(), _COUNT, *lost))

    assert history.stays[-1].left is None
    assert (history.runs[-1].ended is None) == (CHECKS_ENDED in lost)


def test_a_stay_that_failed_and_was_overtaken_by_many_left_when_it_failed() -> None:
    events = [
        event._replace(outcome="CHECKS_FAILED")
        if event.type == CHECKS_ENDED and event.pull_request == 5
        else event
        for event in _line()
    ]

    stay = _read(_without(events, 5, QUEUE_LEFT)).stays[4]

    assert (stay.left, stay.reason) == (5610, "CHECKS_FAILED")


def test_a_stay_that_was_never_tested_left_before_the_first_that_overtook_it() -> None:
    history = _read(_without(_line(), 5, QUEUE_LEFT, CHECKS_STARTED, CHECKS_ENDED))

    assert (history.stays[4].left, history.stays[4].reason) == (6010, "UNKNOWN")
    assert all(stay.left is not None for stay in history.stays)


def test_a_stay_that_only_a_few_have_overtaken_still_waits() -> None:
    history = _read(_without(_line(), _COUNT - 5, QUEUE_LEFT, CHECKS_STARTED, CHECKS_ENDED))

    assert history.stays[_COUNT - 6].left is None


def test_less_urgent_stays_may_be_overtaken() -> None:
    events = [e._replace(priority_rule_name="low") if e.pull_request == 5 else e for e in _line()]

    assert _read(_without(events, 5, QUEUE_LEFT, CHECKS_STARTED, CHECKS_ENDED)).stays[4].left is None


def test_a_passed_batch_merged_after_those_ahead_of_it() -> None:
    """Its own exit was lost; the one ahead took longer, and the one behind merged last."""
    events = [
        *(event for number in (1, 2, 3) for event in (enters(number, number),)),
        *runs((10, 900), "a", [1]),
        *runs((11, 600), "b", [2]),
        *runs((12, 700), "c", [3]),
        leaves(901, 1),
        leaves(903, 3),
    ]

    stay = _read(events).stays[1]

    assert (stay.left, stay.reason) == (901, "PR_MERGED")


def test_a_run_does_not_end_after_its_member_was_merged_or_tested_again() -> None:
    """Reports of ends that come an hour late would fill slots that were free."""
    events = [
        *(enters(0, 1), enters(0, 2)),
        *runs((10, 4000), "a", [1], "CHECKS_RETRIED"),
        *runs((620, 1200), "a", [1], attempt=2),
        *runs((20, 5000), "b", [2]),
        *(leaves(1201, 1), leaves(1202, 2)),
    ]

    history = _read(events)

    assert [(run.batch_id, run.attempt, run.ended) for run in history.runs] == [
        ("a", 1, 620),
        ("b", 1, 1202),
        ("a", 2, 1200),
    ]


def test_a_member_whose_start_was_lost_is_known_from_the_others() -> None:
    events = [enters(0, 1), enters(1, 2), *runs((10, 610), "a", [1, 2]), leaves(611, 1), leaves(612, 2)]

    history = _read(_without(events, 2, CHECKS_STARTED))

    assert history.runs[0].members == (0, 1)


def test_a_member_that_had_left_is_not_added() -> None:
    events = [
        *(enters(0, 1), enters(1, 2), leaves(5, 2, "PR_MANUALLY_DEQUEUED")),
        *runs((10, 610), "a", [1, 2]),
        leaves(611, 1),
    ]

    assert _read(_without(events, 2, CHECKS_STARTED)).runs[0].members == (0,)
