"""Which alerts a threshold would have raised."""

from dataclasses import replace

import msgspec
import pytest

from mergecast.queues.model.instant import DAY, HOUR, MINUTE, WEEK, Window, parse_instant
from mergecast.queues.model.threshold import SetThreshold
from mergecast.signals.thresholds.judged import OF_NOW
from mergecast.signals.thresholds.preview import (
    Asked,
    HoursAsked,
    LevelAsked,
    Previewed,
    ReferenceAsked,
    preview,
    preview_sentence,
)
from mergecast.signals.thresholds.queue_history import QueueHistory, QueueName, SeenRun, SeenStay
from signals.hours import MONDAY, hours, pinned, uneven
from signals.steady import steady_history

NOW = parse_instant("2026-11-02T12:00:00Z")
QUEUE = QueueName("main", "default")
HISTORY = steady_history(NOW, 16)
WINDOW = Window(NOW - 8 * WEEK, NOW)


def _with_long_run(history: QueueHistory, at: int, length: int) -> QueueHistory:
    """One run takes long, and what entered meanwhile is tested all the same."""
    stay = SeenStay(90_001, at, at + length + MINUTE, "PR_MERGED")
    run = SeenRun(90_001, at + 1, at + length, "SUCCESS", (90_001,))
    stays = sorted([*history.stays, stay], key=lambda one: one.entered_at)
    return replace(history, stays=stays, runs=sorted([*history.runs, run], key=lambda one: one.started_at))


def _asked(figure: str, value: float, history: QueueHistory = HISTORY) -> LevelAsked:
    return LevelAsked(QUEUE, WINDOW, figure, value, {QUEUE.queue_name: history})


def test_a_level_would_have_raised_an_alert_for_each_time_it_was_reached() -> None:
    history = _with_long_run(_with_long_run(HISTORY, NOW - 4 * WEEK, HOUR), NOW - 2 * WEEK, 3 * HOUR)

    low, high = (preview(_asked("run_too_long", value, history)) for value in (45 * 60.0, 2 * 3600.0))

    assert [NOW - 4 * WEEK, NOW - 2 * WEEK] == [alert.since // MINUTE * MINUTE for alert in low.alerts]
    assert [NOW - 2 * WEEK] == [alert.since // MINUTE * MINUTE for alert in high.alerts]
    (alert,) = high.alerts
    assert ("run_too_long", "set", 7200.0) == (alert.figure, alert.origin, alert.threshold)
    assert alert.ended_at is not None
    assert alert.sentence == (
        "the CI run for #90001 is still in progress; the limit set for this queue is that "
        "runs of this queue end within 2h"
    )
    assert "It would have raised 2 alerts in the last 8 weeks." == preview_sentence(low, WINDOW)


@pytest.mark.parametrize("figure", OF_NOW)
def test_a_steady_queue_stays_below_a_high_level_of_any_figure(figure: str) -> None:
    found = preview(_asked(figure, 1000.0 if figure == "source_silent" else 100_000.0))

    assert Previewed([], can_judge=True) == found
    assert "It would have raised no alert in the last 8 weeks." == preview_sentence(found, WINDOW)


@pytest.mark.parametrize("figure", ["source_silent", "runs_slow"])
def test_what_compares_with_the_usual_needs_history(figure: str) -> None:
    found = preview(_asked(figure, 3.0, steady_history(NOW, 0)))

    assert not found.can_judge
    assert "The history is too short to judge this threshold in the last 8 weeks." == (
        preview_sentence(found, WINDOW)
    )


START = MONDAY * HOUR
END = START + 8 * WEEK


def test_a_value_of_a_p95_would_have_raised_alerts_by_the_hour() -> None:
    slow = range(MONDAY + 24 * 20, MONDAY + 24 * 21)
    seen = hours(MONDAY - 24 * 8, 24 * 64, lambda number: 5040 if number in slow else 600)
    asked = HoursAsked(QUEUE, Window(START, END), SetThreshold("time_to_merge_p95", 3600.0), seen)

    found = preview(asked)

    (alert,) = found.alerts
    assert START + 20 * DAY < alert.since < alert.found_at < START + 21 * DAY
    assert alert.ended_at is not None
    assert "It would have raised 1 alert in the last 8 weeks." == preview_sentence(found, asked.window)


def test_a_queue_in_which_little_happens_cannot_be_judged_by_its_p95() -> None:
    few = hours(MONDAY, 3, lambda _: 9000)
    asked = HoursAsked(QUEUE, Window(START, END), SetThreshold("time_to_merge_p95", 60.0), few)

    assert Previewed([], can_judge=False) == preview(asked)


def test_a_reference_period_would_have_raised_alerts_since_the_queue_is_slower() -> None:
    period, behind = pinned(4)
    first = MONDAY + 4 * 7 * 24
    slower = first + 4 * 7 * 24
    later = hours(first, 8 * 7 * 24, lambda number: uneven(number) * (2.5 if number >= slower else 1))
    window = Window(period.end, (first + 8 * 7 * 24) * HOUR)
    asked = ReferenceAsked(window, "time_to_merge_p95", period, behind, later)

    found = preview(asked)

    (alert,) = found.alerts
    assert slower * HOUR < alert.found_at < slower * HOUR + 3 * WEEK
    assert "reference" == alert.origin
    assert "It would have raised 1 alert in the last 8 weeks, which is still open." == (
        preview_sentence(found, window)
    )
    assert Previewed([], can_judge=True) == preview(
        msgspec.structs.replace(asked, figure="ci_runs_per_merge")
    )


def test_many_alerts_are_counted_by_the_week() -> None:
    history = HISTORY
    for day in range(1, 50):
        history = _with_long_run(history, NOW - day * DAY, HOUR)

    found = preview(_asked("run_too_long", 30 * 60.0, history))

    assert "It would have raised 49 alerts in the last 8 weeks, about 6 a week." == (
        preview_sentence(found, WINDOW)
    )
    assert "It has raised 49 alerts in the last 6 days." == (
        preview_sentence(found, Window(NOW - 6 * DAY, NOW), is_learned=True)
    )


def test_questions_and_answers_are_the_same_after_they_were_sent() -> None:
    asked: Asked = _asked("run_too_long", 60.0)
    period, behind = pinned(1)
    compared: Asked = ReferenceAsked(WINDOW, "failure_rate", period, behind, behind)

    for one in (asked, compared):
        received: Asked = msgspec.json.decode(msgspec.json.encode(one), type=Asked)
        assert msgspec.json.encode(one) == msgspec.json.encode(received)
