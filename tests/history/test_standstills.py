"""When CI stood still is found from runs that all took hours longer, and that none ended meanwhile."""

import pytest

from mergecast.forecasting.history.standstills import overlap, standstills
from mergecast.forecasting.history.structure import Run

HOUR = 3600.0
_EVERY, _LENGTH = 300.0, 600.0


def _run(number: int, start: float, end: float, outcome: str = "SUCCESS") -> Run:
    return Run(number, f"b{number}", 1, "default", (number,), start, end, outcome)


def _runs(*spans: tuple[float, float], outcome: str = "SUCCESS", every: float = _EVERY) -> list[Run]:
    """A day of runs of ten minutes, one every five; they stand still within these spans, and none starts."""
    starts = [every * turn for turn in range(int(24 * HOUR / every))]
    found: list[Run] = []
    for start in starts:
        if any(since < start < until for since, until in spans):
            continue
        end = start + _LENGTH
        for since, until in spans:
            end += until - since if start <= since < end else 0
        found.append(_run(len(found), start, end, outcome))
    return found


def test_a_day_without_standstills_has_none() -> None:
    assert standstills(_runs()) == ()


def test_each_standstill_is_found_with_its_length() -> None:
    spans = [(5 * HOUR, 8 * HOUR), (15 * HOUR, 17 * HOUR)]

    found = standstills(_runs(*spans))

    assert len(found) == 2
    for (since, until), (found_since, found_until) in zip(spans, found, strict=True):
        assert abs(since - found_since) <= _LENGTH
        assert found_until - found_since == pytest.approx(until - since)


def test_runs_that_start_during_a_standstill_show_when_it_ended() -> None:
    since, until = 5 * HOUR, 9 * HOUR
    runs = _runs((since, until))
    runs += [
        _run(len(runs), since + HOUR, until + _LENGTH),
        _run(len(runs) + 1, since + 2 * HOUR, until + _LENGTH),
    ]

    (found,) = standstills(runs)

    assert found == pytest.approx((since, until), abs=1.0)


def test_a_quiet_night_is_not_a_standstill() -> None:
    runs = [run for run in _runs() if not 2 * HOUR < run.started < 9 * HOUR]

    assert standstills(runs) == ()


def test_one_slow_run_among_others_is_not_a_standstill() -> None:
    assert standstills([*_runs(), _run(999, 5 * HOUR, 11 * HOUR)]) == ()


def test_a_run_alone_shows_a_standstill_only_if_it_took_much_longer() -> None:
    """One run of half an hour at a time."""
    usual = 0.5 * HOUR
    day = [_run(turn, turn * HOUR, turn * HOUR + usual) for turn in (*range(8), *range(12, 30))]

    assert standstills([*day, _run(99, 8 * HOUR, 9.9 * HOUR)]) == ()
    assert standstills([*day, _run(99, 8 * HOUR, 11 * HOUR)]) == ((8 * HOUR, 10.5 * HOUR),)


def test_runs_that_time_out_during_a_standstill_end_nothing() -> None:
    runs = _runs((5 * HOUR, 8 * HOUR))
    runs += [
        _run(len(runs) + turn, 5 * HOUR + turn * HOUR, 5.5 * HOUR + turn * HOUR, "CHECKS_TIMEOUT")
        for turn in range(3)
    ]

    assert len(standstills(runs)) == 1


def test_a_few_runs_say_nothing() -> None:
    assert standstills([_run(0, 0.0, 600.0), _run(1, 10.0, 9 * HOUR), _run(2, 20.0, 9 * HOUR)]) == ()


def test_overlap_adds_up_what_is_within_the_spans() -> None:
    assert overlap([(10.0, 20.0), (30.0, 40.0)], 15.0, 35.0) == 10.0
    assert overlap([(10.0, 20.0)], 20.0, 35.0) == 0.0
