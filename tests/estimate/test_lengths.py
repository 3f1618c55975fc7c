"""Lengths of runs, where the slow ones are the ones that get stopped."""

import numpy as np
import pytest

from estimate.made_up_runs import made_up_table
from mergecast.forecasting.estimate.draws import generator
from mergecast.forecasting.estimate.lengths import draw_lengths, fit_lengths
from mergecast.forecasting.estimate.run_table import Ending, RunTable

_COUNT = 3000


def _fitted(table: RunTable) -> tuple[np.ndarray, np.ndarray]:
    lengths = fit_lengths(table, np.zeros(len(table.starts)), np.arange(len(table.starts)))
    drawn = [draw_lengths(lengths, generator(1, number)) for number in range(5)]
    return np.concatenate([one.donors for one in drawn]), np.concatenate([one.failing for one in drawn])


def test_runs_that_were_stopped_are_drawn_to_their_end() -> None:
    chance = np.random.default_rng(1)
    true = np.exp(chance.normal(np.log(900), 0.4, _COUNT))
    stops = chance.exponential(2000, _COUNT)
    endings = np.where(stops < true, Ending.STOPPED, Ending.PASSED)
    table = made_up_table(
        [[stay] for stay in range(_COUNT)], endings.tolist(), lengths=np.minimum(true, stops).tolist()
    )

    donors, _ = _fitted(table)

    completed = true[stops >= true].mean()
    assert completed < 0.94 * true.mean()
    assert donors.mean() == pytest.approx(true.mean(), rel=0.02)
    assert np.percentile(donors, 95) == pytest.approx(np.percentile(true, 95), rel=0.05)


def test_donors_follow_the_drift_of_the_weeks() -> None:
    chance = np.random.default_rng(2)
    level = np.where(np.arange(_COUNT) < _COUNT // 2, 600.0, 1200.0)
    table = made_up_table(
        [[stay] for stay in range(_COUNT)],
        [Ending.PASSED] * _COUNT,
        lengths=(level * np.exp(chance.normal(0, 0.2, _COUNT))).tolist(),
    )
    lengths = fit_lengths(table, np.zeros(_COUNT), np.arange(_COUNT))
    drawn = draw_lengths(lengths, generator(1))

    early = [d for start, d in zip(drawn.starts, drawn.donors, strict=True) if start < 600 * _COUNT * 0.45]
    late = [d for start, d in zip(drawn.starts, drawn.donors, strict=True) if start > 600 * _COUNT * 0.55]
    assert np.median(early) == pytest.approx(600, rel=0.04)
    assert np.median(late) == pytest.approx(1200, rel=0.04)


def test_failing_runs_have_lengths_of_their_own() -> None:
    endings = [Ending.FAILED if run % 5 == 0 else Ending.PASSED for run in range(_COUNT)]
    table = made_up_table(
        [[stay] for stay in range(_COUNT)],
        endings,
        lengths=[300.0 if ending == Ending.FAILED else 900.0 for ending in endings],
    )

    donors, failing = _fitted(table)

    assert set(donors.round(3)) == {900.0}
    assert failing == pytest.approx(1 / 3)


@pytest.mark.parametrize(("per_member", "found"), [(0.05, True), (0.0, False)])
def test_the_effect_of_the_batch_size_counts_only_when_it_is_clear(*, per_member: float, found: bool) -> None:
    chance = np.random.default_rng(3)
    sizes = chance.integers(1, 6, _COUNT)
    table = made_up_table(
        [[stay] for stay in range(_COUNT)],
        [Ending.PASSED] * _COUNT,
        lengths=(900 * np.exp(per_member * sizes + chance.normal(0, 0.4, _COUNT))).tolist(),
        sizes=sizes.tolist(),
    )

    effect = fit_lengths(table, np.zeros(_COUNT), np.arange(_COUNT)).batch

    assert (effect.slope == pytest.approx(per_member, abs=0.015)) if found else (effect.slope == 0)


def test_timeouts_that_no_tail_explains_are_runs_that_hang() -> None:
    chance = np.random.default_rng(4)
    true = np.exp(chance.normal(np.log(900), 0.3, _COUNT))
    hangs = np.arange(_COUNT) % 50 == 0
    table = made_up_table(
        [[stay] for stay in range(_COUNT)],
        np.where(hangs | (true > 7200), Ending.TIMED_OUT, Ending.PASSED).tolist(),
        lengths=np.where(hangs, 7200, np.minimum(true, 7200)).tolist(),
    )

    donors, _ = _fitted(table)

    assert np.mean(donors > 3 * 3600) == pytest.approx(0.02, abs=0.008)


def test_no_run_at_all_gives_no_donors() -> None:
    table = made_up_table([], [])

    donors, failing = _fitted(table)

    assert (len(donors), set(failing)) == (0, {1.0})
