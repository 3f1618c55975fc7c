"""Durations as answers give them: in seconds, rounded once to whole microseconds, half to even."""

from mergecast.queues.model.instant import SECOND
from mergecast.queues.model.ratio import Ratio

_ALMOST_HALF = 0.49


def in_seconds(microseconds: int, count: int = 1) -> float:
    """A sum of microseconds divided by a count, in seconds.

    >>> in_seconds(1_500_000), in_seconds(5, 2), in_seconds(7, 2), in_seconds(10, 3)
    (1.5, 2e-06, 4e-06, 3e-06)
    """
    if count == 1:
        return microseconds / SECOND  # nothing to round, and most numbers of an answer are like this
    whole, rest = divmod(microseconds, count)
    if 2 * rest > count or (2 * rest == count and whole % 2):
        whole += 1
    return whole / SECOND


def exact_percentile(microseconds: float) -> Ratio:
    """The exact value of a percentile that a store has interpolated: a whole number of hundredths.

    >>> exact_percentile(1.4999999999999982)
    Ratio(part=150, whole=100)
    """
    return Ratio(round(microseconds * 100), 100)


def percentile_in_seconds(microseconds: float) -> float:
    """A percentile that a store has interpolated, in seconds.

    Each kind of store interpolates in floating point in its own way, so the last digits differ, and half a
    microsecond may arrive as a little more or less. The exact value is known all the same: a whole percentile
    of whole microseconds is a whole number of hundredths, and up to 200 days no error comes near a hundredth.

    >>> percentile_in_seconds(1.4999999999999982), percentile_in_seconds(1.5), percentile_in_seconds(2.5)
    (2e-06, 2e-06, 2e-06)
    """
    nearest = round(microseconds)
    if abs(microseconds - nearest) > _ALMOST_HALF:  # rarely, and rounding to digits takes long
        nearest = round(round(microseconds, 2))
    return nearest / SECOND
