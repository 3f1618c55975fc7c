"""Durations in buckets, from which percentiles follow with an error of at most 1.6 percent.

Each power of two is divided into 32 buckets, so a bucket is at most 1/32 as wide as its lowest value, and its
middle is at most half of that away from any value in it. Durations below 32 microseconds are exact.
"""

from bisect import bisect_right
from collections.abc import Mapping
from itertools import accumulate

_BITS = 5
_PARTS = 1 << _BITS


def bucket_of(duration: int) -> int:
    """The bucket of a duration in microseconds; a negative one counts as 0."""
    if duration < _PARTS:
        return max(duration, 0)
    shift = duration.bit_length() - 1 - _BITS
    return (shift << _BITS) + (duration >> shift)


def middle_of(bucket: int) -> float:
    """The duration that stands for all of a bucket."""
    if bucket < _PARTS:
        return float(bucket)
    shift = (bucket >> _BITS) - 1
    lowest = (bucket - (shift << _BITS)) << shift
    return lowest + ((1 << shift) - 1) / 2


def percentile(counts: Mapping[int, int], share: float) -> float | None:
    """The percentile of durations in buckets, interpolated linearly between neighbours; None without any."""
    buckets = sorted(counts)
    reached = list(accumulate(map(counts.__getitem__, buckets)))
    if not reached or not reached[-1]:
        return None
    place = (reached[-1] - 1) * share
    low, high = int(place), min(int(place) + 1, reached[-1] - 1)
    lower, upper = (_at(buckets, reached, rank) for rank in (low, high))
    return lower + (upper - lower) * (place - low)


def _at(buckets: list[int], reached: list[int], rank: int) -> float:
    return middle_of(buckets[bisect_right(reached, rank)])
