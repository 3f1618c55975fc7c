"""What a history shows about the rules that decide how long a pull request waits, and what it does not."""

import pytest

from history.recorded import demo_history, enters, leaves, runs
from mergecast.forecasting.history.inference import infer
from mergecast.forecasting.history.queue_rules import queue_rules
from mergecast.forecasting.history.reading import read_history
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import DAY, HOUR, SECOND, Window
from mergecast.queues.model.queue_rules import ClosedTime, QueueRules


def _rules(events: list[Event], window: Window) -> dict[str, QueueRules]:
    found = queue_rules(infer(read_history(events, window)), window)
    return {rules.queue_name: rules for rules in found}


@pytest.fixture(scope="module")
def demo() -> tuple[list[Event], Window]:
    return demo_history(90)


@pytest.fixture(scope="module")
def rules_of_demo(demo: tuple[list[Event], Window]) -> dict[str, QueueRules]:
    return _rules(*demo)


def test_the_settings_of_the_demo_are_found(rules_of_demo: dict[str, QueueRules]) -> None:
    """Its queue has 3 slots, batches of 4 that wait for 5 minutes, and urgent ones that do not."""
    rules = rules_of_demo["default"]

    assert (("default",), 3, False, 4) == (
        rules.shares_slots_with, rules.slots, rules.keeps_slot_until_merged, rules.batch_size,
    )  # fmt: skip
    assert 300 == pytest.approx(rules.batch_wait, abs=5)
    assert (True, ("urgent",)) == (rules.has_one_priority, rules.starts_at_once)
    assert rules.usual_ci is not None
    assert 300 < rules.usual_ci[0] < rules.usual_ci[1] < 3600


def test_a_queue_that_was_never_full_has_no_known_limit(rules_of_demo: dict[str, QueueRules]) -> None:
    assert None is rules_of_demo["hotfix"].slots


def test_the_hours_in_which_the_demo_is_closed_go_on(
    demo: tuple[list[Event], Window], rules_of_demo: dict[str, QueueRules]
) -> None:
    """It starts no CI until 06:00; at that time of the next days, too."""
    _, window = demo

    closed = rules_of_demo["default"].closed

    assert closed
    for span in closed:
        assert span.until is not None
        assert ("schedule", True) == (span.closing, span.stops_starts)
        assert span.since < span.until
        assert window.end < span.until < window.end + 6 * DAY
        assert 6 * HOUR == span.until % DAY


def test_a_start_within_closed_hours_contradicts_them(
    demo: tuple[list[Event], Window], rules_of_demo: dict[str, QueueRules]
) -> None:
    """Until then, the queue seems closed."""
    events, window = demo
    (now, *_) = (span.since + HOUR for span in rules_of_demo["default"].closed)
    later = Window(window.start, now)
    seconds = now / SECOND

    quiet = _rules(events, later)["default"].closed[0]
    busy = _rules([*events, enters(seconds - 900, 1), *runs((seconds - 600, seconds - 60), "X", [1])], later)

    assert quiet.since < now
    assert all(span.since > now for span in busy["default"].closed)


def _merges(at: float, pull: int) -> list[Event]:
    return [enters(at, pull), *runs((at + 5, at + 500), f"B{pull}", [pull]), leaves(at + 505, pull)]


def test_a_pause_lasts_until_something_starts() -> None:
    stopped = "PR_CHECKS_STOPPED_BECAUSE_MERGE_QUEUE_PAUSE"
    window = Window(0, DAY)
    events = [
        *(one for turn in range(1, 40) for one in _merges(1000.0 * turn, turn)),
        enters(50_000, 70),
        *runs((50_010, 50_300), "P", [70], stopped),
    ]

    paused = _rules(events, window)["default"].closed
    resumed = _rules([*events, *runs((50_900, 51_000), "Q", [70])], window)["default"].closed

    assert (ClosedTime("pause", 50_300 * SECOND, None, stops_starts=True),) == paused
    assert () == resumed


def test_few_cases_show_nothing() -> None:
    window = Window(0, DAY)
    events = [enters(100, 1), *runs((200, 500), "A", [1]), leaves(510, 1), enters(600, 2)]

    rules = _rules(events, window)["default"]

    assert (None, None, None, ()) == (rules.slots, rules.batch_wait, rules.usual_ci, rules.closed)
