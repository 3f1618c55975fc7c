"""Nothing ran although a batch was ready: the queue or its CI did not work."""

from history.recorded import SECOND, enters, leaves, runs
from mergecast.forecasting.estimate.population import circumstances
from mergecast.forecasting.history.inference import TrainRules, infer
from mergecast.forecasting.history.reading import read_history
from mergecast.forecasting.replay.values import ClosedSpan, Closing
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import Window


def _rules(events: list[Event]) -> TrainRules:
    (rules,) = infer(read_history(events, Window(0, 20_000 * SECOND)))
    return rules


def _merged(entered: int, start: int, pull: int) -> list[Event]:
    """A pull request that enters, is tested for ten minutes and merges."""
    span = (start, start + 600)
    return [enters(entered, pull), *runs(span, f"b{pull}", [pull]), leaves(start + 600, pull)]


def test_a_ready_batch_that_did_not_start_shows_an_outage() -> None:
    events = [*_merged(0, 5, 1), *_merged(300, 2405, 2), *_merged(5000, 5005, 3)]

    rules = _rules(events)

    assert rules.closed.outages == ((605.0, 2405.0),)
    assert circumstances(rules).closed == (ClosedSpan(605 * SECOND, 2405 * SECOND, Closing.OUTAGE),)


def test_an_empty_queue_is_no_outage() -> None:
    assert _rules([*_merged(0, 5, 1), *_merged(9000, 9005, 2)]).closed.outages == ()


def test_a_wait_for_a_slot_is_no_outage() -> None:
    events = [*_merged(0, 5, 1), *_merged(10, 610, 2), *_merged(20, 1215, 3), *_merged(30, 1820, 4)]

    assert _rules(events).closed.outages == ()
