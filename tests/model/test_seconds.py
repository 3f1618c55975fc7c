"""Durations are rounded once, to whole microseconds, half to even, whatever store computed them."""

from fractions import Fraction
from math import floor
from random import Random

import pytest

from mergecast.queues.model.seconds import in_seconds, percentile_in_seconds

_DAY = 86_400_000_000


def _rounded(microseconds: Fraction) -> float:
    return float(Fraction(round(microseconds), 1_000_000))


@pytest.mark.parametrize("seed", range(20))
def test_a_mean_is_exact(seed: int) -> None:
    """Also if the sum has more digits than a float holds, and if the mean ends in half a microsecond."""
    random = Random(seed)
    for _ in range(500):
        count = random.randrange(1, random.choice([3, 100, 1_000_000]))
        total = random.randrange(count * random.choice([10, _DAY, 100 * _DAY]))
        half = total // count * count + count // 2

        assert _rounded(Fraction(total, count)) == in_seconds(total, count)
        assert _rounded(Fraction(half, count)) == in_seconds(half, count)


@pytest.mark.parametrize("seed", range(20))
def test_a_percentile_is_exact_although_a_store_interpolates_with_floats(seed: int) -> None:
    """Lengths that differ by little often give halves."""
    random = Random(seed)
    for _ in range(500):
        count = random.randrange(1, random.choice([20, 1_000, 100_000]))
        below = random.randrange(random.choice([10, _DAY, 100 * _DAY]))
        above = below + random.randrange(random.choice([2, 50, 1_000_000]))
        percent = random.choice([50, 90, 95, 99])
        position = percent / 100 * (count - 1)
        share = position - floor(position)
        exact = below + Fraction(percent * (count - 1) % 100, 100) * (above - below)

        assert _rounded(exact) == percentile_in_seconds(below + share * (above - below))
