"""Where a series divides into two that differ most."""

from random import Random

import numpy as np
import pytest

from mergecast.signals.changes.splitting import Array, find_split

_ANY = 1.0


def _series(seed: int, days: int = 84, step: float = 1.5) -> Array:
    draw = Random(seed)
    return np.array([draw.gauss(step * (place >= days // 2 + 3), 1) for place in range(days)])


def _exact(values: Array, place: int) -> float:
    """The energy distance of the days before a place from the others, with the weight of a division."""
    known = ~np.isnan(values)
    one, other = values[:place][known[:place]], values[place:][known[place:]]
    between = np.abs(one[:, None] - other).mean()
    within = np.abs(one[:, None] - one).mean() + np.abs(other[:, None] - other).mean()
    return float((2 * between - within) * len(one) * len(other) / (len(one) + len(other)))


@pytest.mark.parametrize("seed", range(8))
def test_the_division_is_as_good_as_the_exact_one(seed: int) -> None:
    values = _series(seed)
    found = find_split(values, 0, _ANY, 1)
    assert found is not None
    best = max(_exact(values, place) for place in range(5, len(values) - 4))
    assert _exact(values, found.at) >= 0.95 * best


def test_a_clear_step_is_dated_to_the_day_and_not_by_chance() -> None:
    values = _series(1, step=8)
    found = find_split(values, 0, 0.01, 1)
    assert found is not None
    assert (found.at, found.earliest, found.latest) == (45, 45, 45)
    assert found.chance <= 0.005


def test_the_new_level_begins_on_a_known_day() -> None:
    values = _series(1, step=8)
    values[43:50] = np.nan
    found = find_split(values, 0, _ANY, 1)
    assert found is not None
    assert found.at == 50


def test_no_step_is_no_division_at_a_strict_level() -> None:
    assert [find_split(_series(seed, step=0), 0, 0.003, 1) for seed in range(10)] == [None] * 10


def test_days_that_are_all_alike_or_too_few_do_not_divide() -> None:
    assert find_split(np.ones(84), 0, _ANY, 1) is None
    assert find_split(_series(1)[:9], 0, _ANY, 1) is None


def test_the_same_series_gives_the_same_answer() -> None:
    assert find_split(_series(3), 2, _ANY, 1) == find_split(_series(3), 2, _ANY, 1)
