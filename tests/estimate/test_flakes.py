"""Flakes that come in waves are distinguished from flakes that come evenly."""

import numpy as np
import pytest

from estimate.made_up_runs import made_up_table
from mergecast.forecasting.estimate.breakage import Breakage, Rates
from mergecast.forecasting.estimate.estimate import flake_waves
from mergecast.forecasting.estimate.run_table import Ending, RunTable

_NOBODY = [Breakage(Rates(0.01, 0.03, 0.2, 0.01), frozenset())]
_COUNT = 6000  # runs, 1,008 a week


def _flaking(shares: np.ndarray) -> RunTable:
    fails = np.random.default_rng(5).random(_COUNT) < shares
    endings = np.where(fails, Ending.FAILED, Ending.PASSED)
    return made_up_table([[stay] for stay in range(_COUNT)], endings.tolist())


def test_a_week_of_flakes_raises_the_rate_around_it_only() -> None:
    shares = np.full(_COUNT, 0.02)
    shares[2000:3000] = 0.12

    times, factors = flake_waves(_flaking(shares), _NOBODY)

    usual = shares.mean()
    within = factors[(times > 2200 * 600) & (times < 2800 * 600)].mean()
    outside = factors[times > 3500 * 600].mean()
    assert within == pytest.approx(0.12 / usual, rel=0.2)
    assert outside == pytest.approx(0.02 / usual, rel=0.25)


def test_even_flakes_have_no_waves() -> None:
    times, factors = flake_waves(_flaking(np.full(_COUNT, 0.03)), _NOBODY)

    assert (times.tolist(), factors.tolist()) == ([0.0], [1.0])


def test_without_any_run_there_are_no_waves() -> None:
    times, factors = flake_waves(made_up_table([], []), _NOBODY)

    assert (times.tolist(), factors.tolist()) == ([0.0], [1.0])
