"""Values of thresholds as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mergecast.queues.model.threshold import SET
from mergecast.signals.thresholds.judged import JUDGED
from mergecast.signals.thresholds.written_value import NotAValue, UnknownFigure, read_value, written_value


@pytest.mark.parametrize(
    ("figure", "written", "value"),
    [
        ("no_run_started", 2700, 2700.0),
        ("no_run_started", "2700", 2700.0),
        ("no_run_started", "45m", 2700.0),
        ("no_run_started", " 45 min ", 2700.0),
        ("no_run_started", "1H30M", 5400.0),
        ("time_to_merge_p95", "1d 2h 3m 4s", 93784.0),
        ("time_to_merge_p95", "1.5h", 5400.0),
        ("failure_rate", 0.05, 0.05),
        ("failure_rate", "5%", 0.05),
        ("failure_rate", "12.5 %", 0.125),
        ("ci_runs_per_merge", "1.3", 1.3),
        ("source_silent", "4h", 4.0),
        ("source_silent", 4, 4.0),
        ("everyone_fails", 5, 5.0),
        ("failure_rate", 0.0512345678, 0.051235),
        ("failure_rate", "5.123456%", 0.051235),
        ("run_too_long", 90.0000004, 90.0),
    ],
)
def test_a_value_is_a_number_in_the_unit_of_its_figure_or_a_text(
    figure: str, written: object, value: float
) -> None:
    assert value == read_value(figure, written)


_A_DURATION = "a duration, such as `45m`, `1h30m` or 2700 (in seconds)"
_A_RATE = "a rate from 0 to 1, such as `5%` or 0.05"


@pytest.mark.parametrize(
    ("figure", "written", "message"),
    [
        ("failure_rate", "1h", f"`1h` is a duration, but failure_rate is {_A_RATE}"),
        ("everyone_fails", "1h", "`1h` is a duration, but everyone_fails is a number (runs), such as 4"),
        ("run_too_long", "5%", f"`5%` is a percentage, but run_too_long is {_A_DURATION}"),
        ("ci_runs_per_merge", "5%", "`5%` is a percentage, but ci_runs_per_merge is a number, such as 1.5"),
        (
            "run_too_long",
            "soon",
            f"`soon` is not a number, a duration or a percentage; run_too_long is {_A_DURATION}",
        ),
        (
            "run_too_long",
            "",
            f"`` is not a number, a duration or a percentage; run_too_long is {_A_DURATION}",
        ),
        ("run_too_long", True, f"run_too_long is {_A_DURATION}"),
        ("run_too_long", [45], f"run_too_long is {_A_DURATION}"),
        ("run_too_long", 0, "must be above 0: any length of a CI run would be beyond a threshold of 0"),
        ("failure_rate", "0%", "must be above 0: any failure rate would be beyond a threshold of 0%"),
        ("failure_rate", -1, "must be above 0: any failure rate would be beyond a threshold of -1"),
        ("failure_rate", 5, "must be from 0.01% to 100%, and `5` is not"),
        ("time_to_merge_p95", "500d", "must be from 1s to 115d 17h46m40s, and `500d` is not"),
        pytest.param(
            "failure_rate",
            10**400,
            f"must be from 0.01% to 100%, and `1{'0' * 39}…` is not",
            id="400 digits",
        ),
        ("failure_rate", 1e308, "must be from 0.01% to 100%, and `1e+308` is not"),
        pytest.param(
            "failure_rate",
            -(10**400),
            f"must be above 0: any failure rate would be beyond a threshold of -1{'0' * 38}…",
            id="400 digits below 0",
        ),
        (
            "run_too_long",
            "x" * 500,
            f"`{'x' * 40}…` is not a number, a duration or a percentage; run_too_long is {_A_DURATION}",
        ),
    ],
)
def test_a_value_that_does_not_fit_is_refused_and_the_message_says_what_does(
    figure: str, written: object, message: str
) -> None:
    with pytest.raises(NotAValue) as refused:
        read_value(figure, written)

    assert message == str(refused.value)


def test_an_unknown_figure_is_refused_with_the_nearest_name() -> None:
    known = ", ".join(JUDGED)
    messages = {
        "failure_rat": f"failure_rat: is not a figure; did you mean failure_rate? There are {known}",
        "beauty": f"beauty: is not a figure; there are {known}",
        "merged": f"merged: no threshold can be about it; there are {known}",
    }

    for name, message in messages.items():
        with pytest.raises(UnknownFigure) as refused:
            read_value(name, 1)
        assert message == str(refused.value)


@given(
    st.sampled_from([name for name, judged in JUDGED.items() if SET in judged.origins]), st.integers(1, 10**9)
)
def test_what_is_written_reads_as_the_same_value(figure: str, thousandths: int) -> None:
    judged = JUDGED[figure]
    value = min(max(thousandths / 1000, judged.lowest), judged.highest)

    assert value == pytest.approx(read_value(figure, written_value(figure, value)), rel=1e-6)


def test_a_fixed_limit_takes_no_value() -> None:
    with pytest.raises(NotAValue) as refused:
        read_value("nothing_merges", 5)

    assert "nothing_merges has a fixed limit, which takes no other value; null switches it off" == str(
        refused.value
    )
