"""What a grade follows from: cut points, typical errors, drift, reach, and how sure a difference is."""

import re
from dataclasses import replace as replace_train
from math import exp, expm1, nan
from random import Random

import pytest
from msgspec.structs import astuple, replace

from history.recorded import SECOND, enters, leaves, runs
from mergecast.forecasting.forecast import backtest
from mergecast.forecasting.forecast.answer import Extent, Figures, Ranged, Reach, Sureness
from mergecast.forecasting.forecast.backtest import (
    BackTestFound,
    Part,
    back_test,
    parts_of,
    typical_error,
)
from mergecast.forecasting.forecast.eta import Calibration, Case, Expectations, Happened, calibrated, eta_of
from mergecast.forecasting.forecast.figures import recorded_figures
from mergecast.forecasting.forecast.plan import as_recorded, with_settings
from mergecast.forecasting.forecast.reach import Excess, reach_of
from mergecast.forecasting.forecast.trust import Record, candidate_grade, drift, sureness, trust
from mergecast.forecasting.history.inference import TrainRules, infer
from mergecast.forecasting.history.reading import read_history
from mergecast.forecasting.history.structure import History
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import Window

pytestmark = pytest.mark.thorough

DAY = 86_400.0
_INSIDE, _FAR = Excess(0.0, 0.0), Excess(0.5, 0.5)


def _days(parts: list[Part]) -> list[tuple[float, ...]]:
    return [tuple(round(instant / DAY, 1) for instant in part) for part in parts]


def test_long_histories_are_cut_six_times_and_forecast_two_weeks_each() -> None:
    """The weeks that are forecast do not overlap if the history is long enough."""
    assert _days(parts_of(0, 200 * DAY)) == [
        (cut - 42, cut, cut + 14) for cut in (116, 130, 144, 158, 172, 186)
    ]
    assert _days(parts_of(0, 98 * DAY)) == [
        (max(0, cut - 42), cut, cut + 14) for cut in (14, 28, 42, 56, 70, 84)
    ]


def test_short_histories_are_cut_closer_together_and_fewer_times() -> None:
    assert _days(parts_of(0, 63 * DAY)) == [(max(0, cut - 42), cut, cut + 14) for cut in range(14, 50, 7)]
    assert _days(parts_of(0, 60 * DAY)) == [(max(0, cut - 42), cut, cut + 14) for cut in range(18, 47, 7)]
    assert _days(parts_of(3 * DAY, 33 * DAY)) == [(3, 19, 33)]
    assert _days(parts_of(0, 15 * DAY)) == [(0, 10.5, 15)]


def test_the_typical_error_treats_twice_and_half_alike_and_has_an_interval() -> None:
    twice_and_half = typical_error([1.0, -0.5, nan])

    assert astuple(twice_and_half) == pytest.approx((1, 1, 1))
    assert astuple(typical_error([0.1])) == pytest.approx((0.1, nan, nan), nan_ok=True)
    found = typical_error([expm1(0.1), expm1(-0.2), expm1(0.3)])
    assert found.value == pytest.approx(expm1(0.2))
    # Three errors: two degrees of freedom, standard deviation 0.1.
    assert found.high == pytest.approx(expm1(0.2 + 2.92 * 0.1 / 3**0.5))


def _recorded(days: int, minutes: list[float]) -> list[Event]:
    """Twenty pull requests a day, one after the other; CI takes as long in each week as is given for it."""
    events = []
    for pull in range(20 * days):
        at = pull * DAY / 20
        end = at + 5 + 60 * minutes[int(at / DAY / 7) % len(minutes)] * (1 + pull % 7 / 70)
        events += [enters(at, pull), *runs((at + 5, end), f"b{pull}", [pull]), leaves(end + 1, pull)]
    return events


@pytest.fixture(scope="module")
def single() -> tuple[History, tuple[TrainRules, ...]]:
    history = read_history(_recorded(28, [10.0]), Window(0, 28 * 86_400 * SECOND))
    return history, infer(history)


def test_weeks_that_are_alike_do_not_drift_and_others_do(
    single: tuple[History, tuple[TrainRules, ...]],
) -> None:
    history, _ = single
    changing = read_history(_recorded(28, [10.0, 20.0]), Window(0, 28 * 86_400 * SECOND))

    steady, varied = (drift(each, frozenset({"default"})) for each in (history, changing))

    assert (steady.weeks, varied.weeks) == (4, 4)
    assert steady.time_to_merge_p50.value == pytest.approx(0, abs=0.02)
    assert varied.time_to_merge_p50.value == pytest.approx(1, abs=0.03)
    assert varied.ci_runs_per_merge.value == pytest.approx(0, abs=0.01)


def test_a_back_test_of_a_steady_queue_is_right_at_every_cut_point(
    single: tuple[History, tuple[TrainRules, ...]],
) -> None:
    history, _ = single

    found = back_test(Happened(history, frozenset({"default"})), seed=1)

    assert _days([tested.part for tested in found.parts]) == [(0, 14, 28)]
    assert found.forecast.time_to_merge_p50.value < 0.03
    assert len(found.etas) == 1
    assert found.eta.cases == sum(eta.cases for eta in found.etas)


def _batches() -> list[Event]:
    """From the third week on, three times as many pull requests, in batches that take longer."""
    events = []
    for batch in range(20 * 14):
        at, pulls = 14 * DAY + batch * DAY / 20, [10_000 + 3 * batch + place for place in range(3)]
        events += [*(enters(at, pull) for pull in pulls), *runs((at + 5, at + 3000), f"c{batch}", pulls)]
        events += [leaves(at + 3001, pull) for pull in pulls]
    return events


def test_a_back_test_knows_nothing_of_the_weeks_that_it_forecasts() -> None:
    """Neither who enters, nor the settings: whatever happens after the cut, the forecast is the same."""
    cut, window = 14 * 86_400 * SECOND, Window(0, 28 * 86_400 * SECOND)
    as_usual = _recorded(28, [10.0])
    known = [event for event in as_usual if event.happened_at < cut]

    (usual,), (other,) = (
        back_test(Happened(read_history(events, window), frozenset({"default"})), seed=1).parts
        for events in (as_usual, known + _batches())
    )

    assert usual.before == other.before
    assert other.truth.time_to_merge_p50 > 4 * usual.truth.time_to_merge_p50
    assert other.errors.time_to_merge_p50 < -0.7


def test_the_grade_says_what_forecasts_of_past_weeks_were_off_by() -> None:
    """With less than 18 weeks of history, it says how many could be checked."""
    sentences = []
    for days in (126, 28):
        history = read_history(_recorded(days, [10.0]), Window(0, days * 86_400 * SECOND))
        record = Record(history, history, frozenset({"default"}), seed=1)
        sentences.append(trust(record, [recorded_figures(history, ["default"])]).sentences.grade)

    replayed = "A replay reproduces the recorded weeks within 0% (p50), 0% (p95) and 0% (runs per merge). "
    off = r"off by \d% \(p50\) and \d% \(p95\)\."
    six = "Six forecasts of this queue's own past weeks were"
    one = "One forecast of this queue's own past weeks, all that 4 recorded weeks allow, was"
    for sentence, forecasts in zip(sentences, (six, one), strict=True):
        assert re.fullmatch(f"{re.escape(replayed + forecasts)} {off}", sentence)


def test_one_recorded_week_is_one_in_words() -> None:
    history = read_history(_recorded(7, [10.0]), Window(0, 7 * 86_400 * SECOND))
    record = Record(history, history, frozenset({"default"}), seed=1)

    sentences = trust(record, [recorded_figures(history, ["default"])]).sentences

    assert sentences.drift == (
        "Only 1 recorded week has enough merges to compare: how much weeks differ is unknown."
    )
    assert sentences.grade.endswith(
        "One forecast of this queue's own past weeks, all that 1 recorded week allows, was off by 0% (p50) "
        "and 0% (p95)."
    )


def test_the_range_of_expected_merges_is_that_of_the_parts_with_enough_cases() -> None:
    def part(*took: float) -> backtest.TestedPart:
        instants = tuple(Expectations((Case(one, 100, 200),), ()) for one in took)
        nothing = Figures(*[nan] * 7)
        return backtest.TestedPart(Part(0, 1, 2), nothing, nothing, instants)

    early, late, few = part(*[50.0] * 10), part(*[150.0] * 20), part(500.0)

    found = BackTestFound((early, late, few)).eta_of_windows
    assert found.p50_range == Extent(0.0, 1.0)
    assert found.p90_range == Extent(0.0, 1.0)
    assert (len(found.windows), found.cases) == (3, 31)
    assert BackTestFound((early, few)).eta_of_windows.p50_range is None


@pytest.mark.parametrize(
    ("settings", "excess", "beyond"),
    [
        ({}, _FAR, ()),
        ({"batch_size": 5}, _INSIDE, ()),
        ({"batch_size": 5}, _FAR, ("batches of up to 5 (recorded: no batches at all)",)),
        ({"max_parallel_checks": 4}, _FAR, ("more than 1 concurrent run",)),
        ({"max_checks_retries": 2}, _INSIDE, ("2 retries of a run (recorded: none)",)),
        ({"mode": "isolated"}, _INSIDE, ("isolated mode",)),
        ({"kind": "gitlab", "parallel_pipelines": 1}, _INSIDE, ("a queue of the kind gitlab",)),
        ({"ci_speed": 0.5, "arrivals": 2, "flakes": 0}, _INSIDE, ()),
    ],
)
def test_reach_names_what_was_never_recorded(
    single: tuple[History, tuple[TrainRules, ...]],
    settings: dict[str, object],
    excess: Excess,
    beyond: tuple[str, ...],
) -> None:
    _, trains = single
    candidate = [with_settings(settings, plan) for plan in as_recorded(trains)]

    assert reach_of(trains, as_recorded(trains), candidate, excess).beyond == beyond


def test_reach_names_the_queue_unless_all_go_as_far(single: tuple[History, tuple[TrainRules, ...]]) -> None:
    """What is said of one queue could otherwise be read as said of each."""
    _, (first,) = single
    trains = (first, replace_train(first, queue_names=("hotfix",)))
    today = as_recorded(trains)
    both = [with_settings({"batch_size": 5}, plan) for plan in today]
    differing = [with_settings({"batch_size": size}, plan) for size, plan in zip((5, 6), today, strict=True)]

    assert ("batches of up to 5 (recorded: no batches at all)",) == reach_of(trains, today, both, _FAR).beyond
    assert (
        "batches of up to 5 (recorded: no batches at all) in `default`",
        "batches of up to 6 (recorded: no batches at all) in `hotfix`",
    ) == reach_of(trains, today, differing, _FAR).beyond


def test_todays_settings_go_beyond_nothing(single: tuple[History, tuple[TrainRules, ...]]) -> None:
    """A document may allow more than the queue ever used; only other values are beyond the record."""
    _, trains = single
    allowed = {"batch_size": 5, "max_parallel_checks": 4, "max_checks_retries": 2, "mode": "isolated"}
    today = [with_settings(allowed, plan) for plan in as_recorded(trains)]
    more = [with_settings({"max_parallel_checks": 6}, plan) for plan in today]
    larger = ("batches of up to 5 (recorded: no batches at all)", "more than 1 concurrent run")

    assert () == reach_of(trains, today, today, _FAR).beyond
    assert () == reach_of(trains, today, as_recorded(trains), _FAR).beyond
    assert larger == reach_of(trains, today, more, _FAR).beyond


def test_beyond_the_record_a_grade_is_at_most_fair_and_no_better_than_its_intervals() -> None:
    narrow = Figures(*[Ranged(1.0, 0.98, 1.02)] * 7)
    wide = replace(narrow, time_to_merge_p50=Ranged(1.0, 0.7, 1.5))
    inside, beyond = Reach("inside", ()), Reach("beyond", ("batches of up to 5",))

    assert candidate_grade("good", inside, wide) == "good"
    assert candidate_grade("good", beyond, narrow) == "fair"
    assert candidate_grade("good", beyond, wide) == "poor"
    assert candidate_grade("poor", beyond, narrow) == "poor"


def test_a_difference_is_sure_if_its_interval_excludes_none() -> None:
    def figures(p50: float) -> Figures[float]:
        return Figures(p50, 1, 1, 1, 1, 1, 0)

    def verdict(after: list[float], low: float, high: float) -> tuple[str, float]:
        difference = Figures(Ranged((low + high) / 2, low, high), *[Ranged(0.0, 0.0, 0.0)] * 6)
        found = sureness([figures(100)] * 4, [figures(value) for value in after], difference)
        assert found.time_to_merge_p95 == Sureness("none", 0)
        return found.time_to_merge_p50.verdict, found.time_to_merge_p50.lower

    assert verdict([90, 91, 92, 93], -0.1, -0.05) == ("lower", 1)
    assert verdict([110, 111, 112, 113], 0.1, 0.2) == ("higher", 0)
    assert verdict([90, 91, 92, 101], -0.1, 0.05) == ("probably lower", 0.75)
    assert verdict([110, 111, 112, 99], -0.1, 0.3) == ("probably higher", 0.25)
    assert verdict([110, 90, 112, 99], -0.1, 0.3) == ("unclear", 0.5)


def test_expected_merges_are_corrected_by_what_past_ones_show() -> None:
    """They take twice as long as expected; a few instants correct less."""
    chance = Random(1)
    instants = [tuple(Case(200 * exp(chance.gauss(0, 0.3)), 100, 147) for _ in range(5)) for _ in range(200)]

    many, few = calibrated(instants), calibrated(instants[:2])

    assert many == pytest.approx((2, 2), rel=0.1)
    assert 1 < few.p50 < 1.3
    before, after = eta_of(instants, Calibration()), eta_of(instants, many)
    assert before.p50 < 0.05
    assert after.p50 == pytest.approx(0.5, abs=0.05)
    assert after.p90 == pytest.approx(0.9, abs=0.03)
    assert calibrated([]) == (1, 1)
