"""When alerts begin and end."""

from dataclasses import replace

from mergecast.queues.model.alert import Alert, Compared
from mergecast.queues.model.hourly_alert import reference_sentence
from mergecast.queues.model.instant import DAY, HOUR
from mergecast.signals.thresholds.reference_comparison import Comparison, Ratio, Ratios
from mergecast.signals.thresholds.reference_course import follow
from signals.hours import pinned

PERIOD, _ = pinned()
START = PERIOD.end


def _at(at: int, ratio: float | None, lowest: float | None = None, *, days: int = 3) -> Comparison:
    """A comparison in which only the p95 is interesting; without a ratio, there was too little data."""
    calm = Ratio(1.0, 1.0, 1.0, 1.5, None, can_compare=True)
    value = None if ratio is None else 1000 * ratio
    p95 = Ratio(value, 1000.0, ratio, 1.5, lowest, can_compare=ratio is not None)
    return Comparison(at, days, 300, Ratios(p95, calm, calm))


def _course(*comparisons: Comparison) -> list[Alert]:
    """The alerts after the last comparison."""
    alerts: list[Alert] = []
    for comparison in comparisons:
        alerts = follow(PERIOD, [alert for alert in alerts if alert.ended_at is None], comparison)
    return alerts


def test_an_alert_begins_when_chance_does_not_explain_the_ratio() -> None:
    assert [] == _course(_at(START, 2.0, 0.9))
    assert [] == _course(_at(START, 1.4))

    (alert,) = _course(_at(START, 2.0, 1.2))

    assert ("march", "time_to_merge_p95", START, None) == (
        alert.compared and alert.compared.name,
        alert.figure,
        alert.since,
        alert.ended_at,
    )
    assert (2000.0, 1500.0) == (alert.value, alert.threshold)
    assert Compared("march", 1000.0, 2.0, 1.5) == alert.compared


def test_an_alert_goes_on_while_the_ratio_is_not_low() -> None:
    """It keeps the figures of its beginning, also if chance would explain the ratio later."""
    (begun,) = _course(_at(START, 2.0, 1.2))

    (alert,) = _course(_at(START, 2.0, 1.2), _at(START + HOUR, 1.6, 0.8), _at(START + 9 * DAY, 1.3))

    assert (begun.id, begun.value, None) == (alert.id, alert.value, alert.ended_at)


def test_an_alert_ends_when_the_ratio_was_low_for_a_whole_window() -> None:
    """Low is below 1.25 for a limit of 1.5. A higher ratio in between begins the window again."""
    begun, low = _at(START, 2.0, 1.2), START + DAY
    (waiting,) = _course(begun, _at(low, 1.24), _at(low + 3 * DAY - HOUR, 1.0))
    (ended,) = _course(begun, _at(low, 1.24), _at(low + 3 * DAY, 1.0))
    (again,) = _course(
        begun, _at(low, 1.24), _at(low + DAY, 1.25), _at(low + 2 * DAY, 1), _at(low + 4 * DAY, 1)
    )

    assert (None, None) == (waiting.ended_at, again.ended_at)
    assert (low + 3 * DAY, "recovered") == (ended.ended_at, ended.end_reason)


def test_a_figure_that_is_switched_off_has_no_alert() -> None:
    comparison, off = _at(START, 2.0, 1.2), {"time_to_merge_p95"}
    (begun,) = _course(comparison)

    (ended,) = follow(PERIOD, [begun], comparison, off)

    assert [] == follow(PERIOD, [], comparison, off)
    assert (START, "threshold_changed") == (ended.ended_at, ended.end_reason)
    assert [begun] == follow(PERIOD, [], comparison, {"failure_rate"})


def test_an_alert_ends_when_a_queue_is_no_longer_used() -> None:
    """After a week in which there was too little to compare."""
    begun = _at(START, 2.0, 1.2)
    (waiting,) = _course(begun, _at(START + 6 * DAY, None))
    (ended,) = _course(begun, _at(START + 6 * DAY, None), _at(START + 7 * DAY, None))

    assert waiting.ended_at is None
    assert (START + 7 * DAY, "no_data") == (ended.ended_at, ended.end_reason)


def test_a_figure_has_one_alert_at_a_time() -> None:
    (first,) = _course(_at(START, 2.0, 1.2), _at(START + HOUR, 2.5, 1.5))

    assert START == first.since


def _sentence(figure: str, value: float, before: float, ratio: float | None) -> str:
    (alert,) = _course(_at(START, 2.0, 1.2))
    compared = Compared("march", before, ratio, 1.5)
    return reference_sentence(replace(alert, figure=figure, value=value, compared=compared))


def test_an_alert_in_words() -> None:
    assert (
        "one in 20 pull requests stays longer than 1h40m in the queue default of main, "
        "2.1 times as long as in the reference period march (48m)"
    ) == _sentence("time_to_merge_p95", 6000, 2880, 2.083)
    assert (
        "12.0% of the pull requests that leave the queue default of main have failed, "
        "2.0 times as many as in the reference period march (6.0%)"
    ) == _sentence("failure_rate", 0.12, 0.06, 2.0)
    assert (
        "12.0% of the pull requests that leave the queue default of main have failed; "
        "it was zero in the reference period march"
    ) == _sentence("failure_rate", 0.12, 0.0, None)
    assert (
        "the queue default of main needs 2.60 CI runs per merge, "
        "1.6 times as many as in the reference period march (1.60)"
    ) == _sentence("ci_runs_per_merge", 2.6, 1.6, 1.625)
