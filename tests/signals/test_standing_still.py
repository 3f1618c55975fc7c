"""A branch stands still while nothing runs in any of its queues, although somebody waits to be tested."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from mergecast.queues.model.alert import Alert
from mergecast.queues.model.instant import HOUR, MINUTE, parse_instant
from mergecast.signals.thresholds.branch_alerts import past_standstills
from mergecast.signals.thresholds.course import Span
from mergecast.signals.thresholds.queue_history import QueueHistory, SeenRun, SeenStay

DAWN = parse_instant("2026-11-02T00:00:00Z")
NOW = parse_instant("2026-11-02T12:00:00Z")


def _at(minutes: float) -> int:
    return NOW + int(minutes * MINUTE)


def _stay(number: int, entered: float, left: float | None = None) -> SeenStay:
    reason = None if left is None else "PR_MERGED"
    return SeenStay(number, _at(entered), None if left is None else _at(left), reason)


def _run(
    started: float, ended: float | None, *pulls: int, outcome: str = "SUCCESS", number: int = 0
) -> SeenRun:
    ended_at = None if ended is None else _at(ended)
    number = number or abs(int(started * 100)) + 10 * pulls[0]
    return SeenRun(number, _at(started), ended_at, None if ended is None else outcome, pulls)


# It shows that the branch tests who enters at once.
_BEFORE = QueueHistory([_stay(1, -710, -690)], [_run(-710, -690, 1)])


def _history(stays: Sequence[SeenStay], runs: Sequence[SeenRun] = ()) -> QueueHistory:
    return QueueHistory([*_BEFORE.stays, *stays], [*_BEFORE.runs, *runs])


def _found(
    history: QueueHistory, until: float = 600, wait: int | None = None, **others: QueueHistory
) -> list[Alert]:
    return past_standstills("main", {"default": history, **others}, Span(DAWN, _at(until)), wait=wait)


def _times(alerts: Sequence[Alert]) -> list[tuple[float, float, float | None]]:
    """Since when, when it was found, and when it ended, in minutes."""
    return [
        (
            (one.since - NOW) / MINUTE,
            (one.found_at - NOW) / MINUTE,
            None if one.ended_at is None else (one.ended_at - NOW) / MINUTE,
        )
        for one in alerts
    ]


def test_an_alert_begins_after_45_minutes_and_ends_with_the_next_start() -> None:
    waiting = _history([_stay(7, 0, 90)], [_run(60, 90, 7)])

    (alert,) = found = _found(waiting)

    assert [(0, 45, 60)] == [tuple(round(at or 0) for at in times) for times in _times(found)]
    assert ("no_run_started", "learned", "main", "default", 2700.0, 2700.0) == (
        alert.figure,
        alert.origin,
        alert.base_ref,
        alert.queue_name,
        alert.value,
        alert.threshold,
    )
    assert "nothing has run on `main` for 45m, although #7 waits (queue `default`)" == alert.sentence


def test_it_ends_when_nobody_is_left() -> None:
    assert [(0, 45, 80)] == _times(_found(_history([_stay(7, 0, 80)])))


def test_what_has_not_ended_is_open() -> None:
    assert [(0, 45, None)] == _times(_found(_history([_stay(7, 0)])))


def test_a_run_in_any_queue_of_the_branch_shows_that_it_works() -> None:
    other = QueueHistory([_stay(8, 5, 40)], [_run(5.1, 40, 8)])

    assert [(40, 85, None)] == _times(_found(_history([_stay(7, 0)]), other=other))


def test_the_sentence_names_the_queues_and_counts_the_times() -> None:
    """All that wait are counted; five are named."""
    earlier = [_stay(7, -600 + day, -540 + day) for day in (0, 100)]
    runs = [_run(-550 + day, -540 + day, 7) for day in (0, 100)]
    waiting = [_stay(9104 + n, 0) for n in range(104)]
    other = QueueHistory([_stay(9000, 1)])

    *_, alert = _found(_history([*earlier, *waiting], runs), urgent=other)

    assert (
        "nothing has run on `main` for 45m, although #9000, #9104, #9105, #9106, #9107 and 100 more wait "
        "(queues `default`, `urgent`); it is the 3rd time in 30 days"
    ) == alert.sentence
    assert (("default", "urgent"), 100, 5) == (
        alert.queues,
        len(alert.evidence.pull_requests),
        alert.evidence.unlisted,
    )


def test_who_has_passed_waits_to_land() -> None:
    """A group that is too small, or a train's members behind its head."""
    assert not _found(_history([_stay(7, 0)], [_run(0.1, 20, 7)]))
    skipped = _run(0.1, 20, 7, outcome="INTERMEDIATE_RESULTS_SKIPPED")
    assert not _found(_history([_stay(7, 0)], [skipped]))


@pytest.mark.parametrize("outcome", ["CHECKS_FAILED", "PR_AHEAD_DEQUEUED", "CHECKS_RETRIED"])
def test_who_did_not_pass_waits_again(outcome: str) -> None:
    assert [(20, 65, None)] == _times(_found(_history([_stay(7, 0)], [_run(0.1, 20, 7, outcome=outcome)])))


@pytest.mark.parametrize(
    "outcome", ["PR_CHECKS_STOPPED_BECAUSE_MERGE_QUEUE_PAUSE", "SCHEDULED_FREEZE_STATUS_CHANGED"]
)
def test_nothing_runs_in_a_closed_queue_until_its_next_start(outcome: str) -> None:
    stopped = [_run(0.1, 20, 7, outcome=outcome), _run(300, 310, 7, outcome="CHECKS_FAILED")]

    assert [(310, 355, None)] == _times(_found(_history([_stay(7, 0)], stopped)))


def test_a_run_without_an_end_is_over_when_all_it_tested_have_left() -> None:
    history = _history([_stay(7, 0, 20), _stay(8, 5)], [_run(0.1, None, 7)])

    assert [(20, 65, None)] == _times(_found(history))


def test_who_was_passed_over_by_ten_runs_is_ignored_until_tested() -> None:
    """Perhaps it left, and nothing told of it."""
    later = [_stay(100 + n, 10 * n + 1, 10 * n + 6) for n in range(10)]
    runs = [_run(10 * n + 1.1, 10 * n + 6, 100 + n) for n in range(10)]

    assert not _found(_history([_stay(7, 0), *later], runs))
    tested = _run(200, 210, 7, outcome="CHECKS_FAILED")
    assert [(210, 255, None)] == _times(_found(_history([_stay(7, 0), *later], [*runs, tested])))


def test_who_was_there_when_a_standstill_ended_without_them_is_ignored() -> None:
    """The run tested only others that entered after the standstill began."""
    later = _stay(8, 20, 30)

    assert not _found(_history([_stay(7, 0), later], [_run(20.1, 30, 8)]))
    too_short = _history([_stay(7, 0), _stay(8, 9, 30)], [_run(9.1, 30, 8)])
    assert [(30, 75, None)] == _times(_found(too_short))


def test_a_known_wait_to_fill_a_batch_comes_first() -> None:
    waiting = _history([_stay(7, 0), _stay(8, 70)])

    assert [(60, 105, None)] == _times(_found(waiting, wait=HOUR))


def _of_batches(count: int) -> QueueHistory:
    """Every day one that waits two hours alone, and two that are tested together once the second entered."""
    stays, runs = [], []
    for day in range(count):
        at = -day * 24 * 60 - 11 * 60
        stays += [
            _stay(10 + day, at, at + 150),
            _stay(50 + day, at + 200, at + 280),
            _stay(90 + day, at + 260),
        ]
        runs += [_run(at + 120, at + 150, 10 + day), _run(at + 260.1, at + 280, 50 + day, 90 + day)]
    return QueueHistory(
        [stay._replace(left_at=stay.left_at or stay.entered_at + 20 * MINUTE) for stay in stays], runs
    )


def test_a_wait_that_no_configuration_tells_is_learnt_by_how_many_wait() -> None:
    """One waits two hours for a second; as soon as two wait, they should be tested."""
    history, start = _of_batches(5), NOW - 12 * HOUR
    alone = replace(history, stays=[*history.stays, _stay(7, 0)])
    joined = replace(history, stays=[*history.stays, _stay(7, 0), _stay(8, 80)])

    def found(of: QueueHistory) -> list[tuple[float, float, float | None]]:
        return _times(past_standstills("main", {"default": of}, Span(start, _at(600))))

    assert [(120, 165, None)] == found(alone)
    assert [(120, 165, None)] == found(joined)


def test_nothing_is_said_about_a_branch_whose_runs_are_not_reported() -> None:
    """Unless a person set a value, which needs no history."""
    histories, window = {"default": QueueHistory([_stay(7, 0)])}, Span(DAWN, _at(600))

    assert [] == past_standstills("main", histories, window)
    assert [(0, 10, None)] == _times(past_standstills("main", histories, window, {"default": 600.0}))


def test_a_person_may_set_another_time_for_a_queue_or_switch_it_off() -> None:
    histories = {"default": _history([_stay(7, 0)]), "urgent": QueueHistory([_stay(8, 20, 60)])}
    window = Span(DAWN, _at(600))

    def found(**values: float | None) -> list[tuple[str, float, tuple[str, ...]]]:
        alerts = past_standstills("main", histories, window, values)
        return [(alert.origin, (alert.found_at - NOW) / MINUTE, alert.queues) for alert in alerts]

    assert [("set", 30, ("default", "urgent"))] == found(default=1800.0)
    assert [("set", 20, ("default", "urgent"))] == found(urgent=600.0)
    assert [("learned", 45, ("default",))] == found(urgent=None)
    assert [] == found(default=None)
