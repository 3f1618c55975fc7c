"""Where a series divides into parts whose means differ by more than its noise explains."""

from random import Random

import numpy as np
import pytest

from mergecast.signals.changes.splitting import find_splits


def _noise(count: int, seed: int, alike: float = 0.0) -> list[float]:
    draw, found = Random(seed), [0.0]
    for _ in range(count):
        found.append(alike * found[-1] + draw.gauss(0, 1))
    return found[1:]


def _large(*_: int) -> bool:
    return True


@pytest.mark.parametrize("seed", range(5))
def test_a_step_is_found_on_its_day(seed: int) -> None:
    values = np.array(_noise(60, seed)) + np.where(np.arange(60) < 40, 0, 4)

    (at,) = find_splits(values, _large)

    assert abs(at - 40) <= 1


def test_noise_alone_is_seldom_divided() -> None:
    assert 3 >= sum(bool(find_splits(np.array(_noise(100, seed)), _large)) for seed in range(100))


def test_days_that_resemble_the_one_before_need_a_larger_step() -> None:
    divided = [bool(find_splits(np.array(_noise(100, seed, alike=0.6)), _large)) for seed in range(100)]

    assert sum(divided) <= 10


def test_two_steps_are_found_in_order() -> None:
    values = np.array(_noise(90, 3)) + np.select([np.arange(90) < 30, np.arange(90) < 60], [0, 5], 12)

    assert [pytest.approx(30, abs=1), pytest.approx(60, abs=1)] == find_splits(values, _large)


def test_a_single_day_that_is_far_off_is_no_step() -> None:
    values = np.array(_noise(60, 4))
    values[20] = 1000

    assert [] == find_splits(values, _large)


def test_a_step_that_is_too_small_to_matter_is_no_step() -> None:
    values = np.where(np.arange(60) < 40, 0.0, 4.0) + np.array(_noise(60, 1)) / 10

    assert [] == find_splits(values, lambda *_: False)


def test_equal_days_and_too_few_days_have_no_step() -> None:
    assert [] == find_splits(np.zeros(30), _large)
    assert [] == find_splits(np.array([0.0] * 4 + [9.0] * 5), _large)
