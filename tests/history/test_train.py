"""The tree of a run is its members and everything ahead of them."""

from history.recorded import SECOND, enters, leaves, runs, splits
from mergecast.forecasting.history.ahead import stays_ahead
from mergecast.forecasting.history.reading import read_history
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import Window


def _ahead(events: list[Event]) -> dict[tuple[str, int], set[int]]:
    """The pull requests ahead of each run."""
    history = read_history(events, Window(0, 100_000 * SECOND))
    pulls = [stay.pull_request for stay in history.stays]
    found = zip(history.runs, stays_ahead(history), strict=True)
    return {(run.batch_id, run.attempt): {pulls[stay] for stay in ahead} for run, ahead in found}


def test_batches_stack_on_those_that_started_before_them() -> None:
    events = [
        *(enters(pull, pull) for pull in (1, 2, 3)),
        *runs((100, 700), "a", [1]),
        *runs((200, 800), "b", [2]),
        leaves(701, 1),
        *runs((720, 1300), "c", [3]),
        leaves(801, 2),
        leaves(1301, 3),
    ]

    assert _ahead(events) == {("a", 1): set(), ("b", 1): {1}, ("c", 1): {2}}


def test_a_retry_keeps_the_place_of_its_batch() -> None:
    events = [
        *(enters(pull, pull) for pull in (1, 2)),
        *runs((100, 400), "a", [1], "CHECKS_RETRIED"),
        *runs((110, 900), "b", [2]),
        *runs((410, 800), "a", [1], attempt=2),
        leaves(801, 1),
        leaves(901, 2),
    ]

    assert _ahead(events) == {("a", 1): set(), ("b", 1): {1}, ("a", 2): set()}


def test_a_failure_ahead_dissolves_all_behind_it_even_what_had_passed() -> None:
    events = [
        *(enters(pull, pull) for pull in (1, 2, 3)),
        *runs((100, 900), "a", [1], "CHECKS_FAILED"),
        *runs((110, 500), "b", [2]),
        *runs((120, 900), "c", [3], "BATCH_AHEAD_FAILED"),
        leaves(903, 1, "CHECKS_FAILED"),
        *runs((901, 1500), "d", [2]),
        *runs((901, 1500), "e", [3]),
        leaves(1501, 2),
        leaves(1502, 3),
    ]

    ahead = _ahead(events)

    assert (ahead["d", 1], ahead["e", 1]) == (set(), {2})


def test_late_reports_do_not_change_the_order() -> None:
    events = [
        *(enters(pull, pull) for pull in (1, 2, 3)),
        *runs((100, 900), "a", [1], "CHECKS_FAILED"),
        *runs((110, 900), "b", [2], "BATCH_AHEAD_FAILED"),
        # Both restarts were reported before the exit that caused them, and the younger one first.
        *runs((901.5, 1500), "e", [3]),
        *runs((902.5, 1500), "d", [2]),
        leaves(904, 1, "CHECKS_FAILED"),
        leaves(1501, 2),
        leaves(1502, 3),
    ]

    ahead = _ahead(events)

    assert (ahead["d", 1], ahead["e", 1]) == (set(), {2})


def test_parts_of_a_bisection_stack_on_each_other() -> None:
    events = [
        *(enters(pull, pull) for pull in (1, 2, 3)),
        *runs((100, 700), "a", [1, 2, 3], "CHECKS_FAILED"),
        splits(701, "a", [1, 2, 3]),
        *runs((702, 1300), "b", [1]),
        *runs((703, 1300), "c", [2]),
        leaves(1301, 1),
        leaves(1301, 2),
        leaves(1301, 3, "DROPPED_BY_BISECTION_ELIMINATION"),
    ]

    assert _ahead(events) == {("a", 1): set(), ("b", 1): set(), ("c", 1): {1}}


def test_a_run_of_a_few_seconds_leaves_the_train_with_its_members() -> None:
    events = [
        enters(0, 1),
        *runs((10, 18), "a", [1], "CHECKS_FAILED"),
        leaves(18, 1, "CHECKS_FAILED"),
        enters(100, 2),
        *runs((110, 700), "b", [2]),
        leaves(700, 2),
    ]

    assert _ahead(events)["b", 1] == set()


def test_a_batch_whose_exit_was_not_recorded_leaves_the_train_when_one_behind_it_merges() -> None:
    events = [
        enters(0, 1),
        *runs((10, 600), "a", [1]),
        enters(20, 2),
        *runs((30, 700), "b", [2]),
        leaves(700, 2),
        enters(800, 3),
        *runs((810, 1400), "c", [3]),
        leaves(1400, 3),
    ]

    assert _ahead(events) == {("a", 1): set(), ("b", 1): {1}, ("c", 1): set()}
