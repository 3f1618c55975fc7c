"""People take pull requests out, and queue them again."""

import numpy as np
import pytest

from history.recorded import SECOND, enters, leaves, runs
from mergecast.forecasting.estimate.departures import fit_hazard
from mergecast.forecasting.estimate.estimate import Estimate, estimate
from mergecast.forecasting.estimate.tables import oracle_of
from mergecast.forecasting.history.inference import infer
from mergecast.forecasting.history.reading import read_history
from mergecast.forecasting.history.structure import Stay
from mergecast.forecasting.replay.codes import BY_HAND, FAILED, NEVER
from mergecast.forecasting.replay.values import Entering, Leaving
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import Window


def _stay(number: int, entered: float, left: float, reason: str) -> Stay:
    return Stay(number, f"s{number}", number, "default", None, entered, True, left, reason, 0.0, 0.0)


def test_the_risk_is_departures_per_hour_in_the_queue() -> None:
    chance = np.random.default_rng(1)
    stays = []
    for number in range(4000):
        merged_after, taken_after = 7200.0, chance.exponential(3600 / 0.05)
        entered = 300.0 * number
        left, reason = min((merged_after, "PR_MERGED"), (taken_after, "PR_MANUALLY_DEQUEUED"))
        stays.append(_stay(number, entered, entered + left, reason))

    hazard = fit_hazard(stays, 4000 * 300.0)

    first, last = hazard.risk_until(np.array([100_000.0, 1_100_000.0]))
    assert (last - first) / (1_000_000 / 3600) == pytest.approx(0.05, rel=0.15)


def test_entries_that_are_refused_at_once_are_no_risk_for_those_that_wait() -> None:
    stays = [_stay(n, 600.0 * n, 600.0 * n + 900, "PULL_REQUEST_UPDATED") for n in range(0, 300, 10)]
    refused = [_stay(1000 + n, 600.0 * n, 600.0 * n + 8, "PR_DEQUEUED") for n in range(0, 300, 3)]
    waiting = [_stay(n, 600.0 * n, 600.0 * n + 900, "PR_MERGED") for n in range(300) if n % 10]

    with_them, without = (
        fit_hazard(found, 200_000.0).risk_until(np.array([150_000.0]))
        for found in ([*stays, *waiting, *refused], [*stays, *waiting])
    )

    assert with_them == pytest.approx(without, rel=0.01)


def test_the_instant_of_a_risk_is_the_inverse_of_the_risk_until_an_instant() -> None:
    stays = [_stay(n, 600.0 * n, 600.0 * n + 900, "PULL_REQUEST_UPDATED") for n in range(300)]
    hazard = fit_hazard(stays, 200_000.0)

    instants = np.array([0.0, 5000.0, 123_456.0])

    assert hazard.instants_of(hazard.risk_until(instants)) == pytest.approx(instants, abs=1)


def test_without_recorded_departures_by_hand_there_are_none() -> None:
    hazard = fit_hazard([_stay(1, 0.0, 100.0, "PR_MERGED")], 10_000.0)

    assert np.isinf(hazard.instants_of(hazard.risk_until(np.array([100.0])) + 0.1)).all()


def _estimated(events: list[Event]) -> Estimate:
    (rules,) = infer(read_history(events, Window(0, 40 * 86_400 * SECOND)))
    return estimate(rules, replicates=1, seed=5)


def _failed_and_back() -> list[Event]:
    return [
        enters(0, 1),
        *runs((10, 600), "a", [1], "CHECKS_FAILED"),
        leaves(601, 1, "CHECKS_FAILED"),
        enters(4201, 1)._replace(session_id="again"),
        enters(700, 2),
        leaves(800, 2, "PR_MANUALLY_DEQUEUED"),
    ]


def test_a_recorded_return_comes_after_the_recorded_gap() -> None:
    oracle = oracle_of(_estimated(_failed_and_back()), 0)

    assert oracle.comes_back(oracle.tables, Leaving(0, 0, FAILED, 9_000 * SECOND)) == 3600 * SECOND
    assert oracle.comes_back(oracle.tables, Leaving(1, 0, BY_HAND, 9_000 * SECOND)) == NEVER


def test_a_recorded_departure_happens_again_if_the_stay_is_still_open() -> None:
    oracle = oracle_of(_estimated(_failed_and_back()), 0)

    _, leaves_at, reason = oracle.fate(oracle.tables, Entering(1, 0, 700 * SECOND))
    _, other_leaves_at, _ = oracle.fate(oracle.tables, Entering(0, 0, 0))

    assert (leaves_at, reason) == (800 * SECOND, BY_HAND)
    assert other_leaves_at != 601 * SECOND
