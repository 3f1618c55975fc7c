"""Random numbers are functions of seed, replicate, purpose and key."""

import numpy as np

from mergecast.forecasting.estimate.draws import MASK, STRIDE, Purpose, generator, key, table


def test_the_same_seed_gives_the_same_numbers() -> None:
    assert table(1, 2) == table(1, 2)
    assert table(1, 2) != table(1, 3)
    assert table(1, 2) != table(2, 2)


def test_numbers_of_one_key_are_independent_of_each_other() -> None:
    numbers = np.array(table(3, 0))
    keys = np.array([key(f"session-{number}") for number in range(20_000)])
    columns = [numbers[(keys + turn * STRIDE + p) & MASK] for p in Purpose for turn in range(3)]

    correlations = np.corrcoef(columns) - np.eye(len(columns))
    assert np.abs(correlations).max() < 0.04


def test_any_seed_is_accepted() -> None:
    for seed in (0, -1, 2**80):
        assert 0 <= generator(seed, 1).random() < 1
