"""Events become a record whatever their order, and however odd they are."""

from random import Random

from history.recorded import SECOND, enters, leaves, runs, splits
from mergecast.forecasting.estimate.population import chains
from mergecast.forecasting.history.reading import read_history
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import Window

_WINDOW = Window(0, 10_000 * SECOND)


def _day() -> list[Event]:
    return [
        enters(0, 1),
        enters(10, 2),
        *runs((20, 620), "a", [1, 2], "CHECKS_RETRIED"),
        *runs((630, 1200), "a", [1, 2], "CHECKS_FAILED", attempt=2),
        splits(1201, "a", [1, 2]),
        *runs((1210, 1800), "b", [1]),
        leaves(1801, 1),
        leaves(1802, 2, "CHECKS_FAILED"),
    ]


def test_a_record_links_stays_runs_and_splits() -> None:
    history = read_history(_day(), _WINDOW)

    assert [(s.pull_request, s.entered, s.left, s.reason) for s in history.stays] == [
        (1, 0, 1801, "PR_MERGED"),
        (2, 10, 1802, "CHECKS_FAILED"),
    ]
    assert [(r.batch_id, r.attempt, r.members, r.started, r.ended, r.outcome) for r in history.runs] == [
        ("a", 1, (0, 1), 20, 620, "CHECKS_RETRIED"),
        ("a", 2, (0, 1), 630, 1200, "CHECKS_FAILED"),
        ("b", 1, (0,), 1210, 1800, "SUCCESS"),
    ]
    assert [(s.at, s.members) for s in history.splits] == [(1201, (0, 1))]


def test_order_and_repetition_of_events_do_not_matter() -> None:
    events = _day()
    shuffled = [*events, *events]
    Random(1).shuffle(shuffled)

    assert read_history(events, _WINDOW) == read_history(shuffled, _WINDOW)


def test_what_happens_after_the_window_is_not_known() -> None:
    history = read_history(_day(), Window(0, 1000 * SECOND))

    assert [(s.left, s.reason) for s in history.stays] == [(None, None), (None, None)]
    assert [r.ended for r in history.runs] == [620, None]
    assert history.splits == ()


def test_instants_count_from_the_start_of_the_window() -> None:
    history = read_history(_day(), Window(600 * SECOND, 10_000 * SECOND))

    assert [s.entered for s in history.stays] == [-600, -590]
    assert history.entered_in_window == []
    assert history.length == 9400


def test_a_stay_whose_exit_was_missed_ends_when_its_pull_request_enters_again() -> None:
    again = enters(500, 1)._replace(session_id="later")

    first, second = read_history([enters(0, 1), again], _WINDOW).stays

    assert (first.left, first.reason) == (500, "UNKNOWN")
    assert second.left is None


def test_a_clock_that_goes_backwards_gives_a_stay_of_no_length() -> None:
    (stay,) = read_history([enters(100, 1), leaves(40, 1)], _WINDOW).stays

    assert (stay.entered, stay.left) == (100, 100)


def test_a_stay_that_entered_before_the_record_began_is_known_by_its_first_run() -> None:
    (stay,) = read_history([*runs((20, 620), "a", [1]), leaves(621, 1)], _WINDOW).stays

    assert (stay.entered, stay.entering_is_known) == (20, False)


def test_an_empty_record_is_empty() -> None:
    history = read_history([], _WINDOW)

    assert (history.stays, history.runs, history.queue_names) == ((), (), ())


def test_a_chain_holds_the_stays_of_a_pull_request_up_to_its_merge() -> None:
    events = [
        enters(0, 1),
        leaves(10, 1, "CHECKS_FAILED"),
        enters(50, 1)._replace(session_id="t"),
        leaves(60, 1)._replace(session_id="t"),
        enters(90, 1)._replace(session_id="u"),
        enters(20, 2),
    ]

    found = chains(read_history(events, _WINDOW))

    assert [[stay.session_id for stay in chain] for chain in found] == [["s1", "t"], ["s2"], ["u"]]
