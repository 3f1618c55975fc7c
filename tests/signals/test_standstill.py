"""How long a queue stood still, as the benchmark of the diagnosis counts it."""

from mergecast.queues.model.instant import MINUTE
from mergecast.signals.thresholds.course import Span
from mergecast.signals.thresholds.queue_history import PASSED, QueueHistory, SeenRun, SeenStay
from signals.standstill import standstill


def _stay(entered: int, left: int | None) -> SeenStay:
    return SeenStay(1, entered * MINUTE, None if left is None else left * MINUTE, None)


def _run(started: int, ended: int | None) -> SeenRun:
    return SeenRun(1, started * MINUTE, None if ended is None else ended * MINUTE, PASSED, (1,))


def _minutes(history: QueueHistory, start: int = 0, end: int = 100) -> float:
    return standstill(history, Span(start * MINUTE, end * MINUTE)) / MINUTE


def test_only_time_in_which_something_waits_and_nothing_runs_counts() -> None:
    waiting = QueueHistory([_stay(10, 40), _stay(30, 90)], [_run(20, 30), _run(70, 80)])

    assert 40 == _minutes(waiting)  # from 30 to 70, also while the first pull request leaves
    assert 15 == _minutes(waiting, start=55)
    assert 10 == _minutes(waiting, end=30)
    assert 0 == _minutes(QueueHistory([_stay(10, 40)], [_run(5, 60)]))
    assert 0 == _minutes(QueueHistory([], [_run(5, 60)]))


def test_what_has_not_ended_lasts() -> None:
    assert 50 == _minutes(QueueHistory([_stay(50, None)]))
    assert 5 == _minutes(QueueHistory([_stay(50, None)], [_run(55, None)]))


def test_one_run_after_the_other_leaves_no_gap() -> None:
    assert 0 == _minutes(QueueHistory([_stay(0, 60)], [_run(0, 30), _run(30, 60)]))
