"""Buckets of durations give percentiles within 2 percent."""

from collections import Counter
from itertools import pairwise
from random import Random

import pytest

from mergecast.queues.model.histogram import bucket_of, middle_of, percentile


@pytest.mark.parametrize(
    "duration", [0, 1, 31, 32, 33, 63, 64, 999, 10**6, 10**6 + 1, 86_400 * 10**6, 10**17]
)
def test_the_middle_of_a_bucket_is_near(duration: int) -> None:
    assert abs(middle_of(bucket_of(duration)) - duration) <= 0.016 * duration


def test_buckets_are_in_the_order_of_durations() -> None:
    """Neighbours share a bucket or are in buckets that follow each other."""
    buckets = [bucket_of(duration) for duration in range(5000)]

    assert all(0 <= later - earlier <= 1 for earlier, later in pairwise(buckets))
    assert 0 == bucket_of(-5)


@pytest.mark.parametrize("share", [0.5, 0.95])
def test_percentiles_interpolate(share: float) -> None:
    """As `percentile_cont` does, for few values and for many."""
    random = Random(1)
    for length in (1, 2, 3, 10, 1001):
        durations = sorted(int(random.lognormvariate(20, 2)) for _ in range(length))
        place = (length - 1) * share
        low = int(place)
        high = min(low + 1, length - 1)
        exact = durations[low] + (durations[high] - durations[low]) * (place - low)

        found = percentile(Counter(map(bucket_of, durations)), share)

        assert found is not None
        assert abs(found - exact) <= 0.02 * exact
    assert percentile({}, share) is None
