"""Tables of lengths by batch size: donors near in time for recorded sizes, assumed growth for all others."""

from typing import Final

import numpy as np

from mergecast.forecasting.estimate.drawn_lengths import DrawnClass, DrawnLengths
from mergecast.forecasting.estimate.growth import Growth
from mergecast.forecasting.estimate.oracle import SizeTable
from mergecast.forecasting.estimate.survival import Numbers
from mergecast.forecasting.history.seconds import MICROSECONDS, MINUTE

DONORS: Final = 30
_LARGEST_SIZE: Final = 200
_WITHOUT_DONORS: Final = 10 * MINUTE * MICROSECONDS


def size_tables(drawn: DrawnLengths, instants: Numbers) -> list[SizeTable]:
    """The lengths for each batch size, at the recorded instants that the times of a replay are like."""
    classes = [one for one in drawn.classes if len(one.donors)]
    if not classes:
        return [SizeTable([_WITHOUT_DONORS], [], 1, [_WITHOUT_DONORS])]
    smallest, largest = classes[0].sizes.smallest, classes[-1].sizes.largest
    tables = [_near_in_time(one, instants) for one in classes]
    class_of = np.searchsorted([one.sizes.largest for one in classes], np.arange(largest + 1))
    return [
        *_grown(classes[0], drawn.growth, range(smallest)),
        *(tables[class_of[size]] for size in range(smallest, largest + 1)),
        *_grown(classes[-1], drawn.growth, range(largest + 1, _LARGEST_SIZE)),
    ]


def _near_in_time(one: DrawnClass, instants: Numbers) -> SizeTable:
    donors = (one.donors * MICROSECONDS).tolist()
    failing = (one.failing * one.typical * MICROSECONDS).tolist()
    if len(donors) <= DONORS:
        return SizeTable(donors, [], len(donors), failing)
    places = np.searchsorted(one.starts, instants) - DONORS // 2
    firsts = np.clip(places, 0, len(donors) - DONORS)
    return SizeTable(donors, firsts.tolist(), DONORS, failing)


def _grown(one: DrawnClass, growth: Growth, sizes: range) -> list[SizeTable]:
    known = np.sort(one.donors)
    found = []
    for size in sizes:
        donors = growth.donors(known, one.sizes.mean, max(size, 1)) * MICROSECONDS
        # Donors are sorted, so that their median need not be searched for.
        median = (donors[(len(donors) - 1) // 2] + donors[len(donors) // 2]) / 2
        failing = (one.failing * median).tolist()
        found.append(SizeTable(donors.tolist(), [], len(donors), failing))
    return found
