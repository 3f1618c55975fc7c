"""How many CI runs a queue tests at the same time, as far as its history shows."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

_NOISE: Final = 0.005  # a level that holds for less than this share of the one below is a wrong report


def most_in_flight(spells: Iterable[tuple[float, int]], late: float) -> int:
    """The most concurrent runs, by the time that they were in progress.

    Each spell is how long a number of runs was in progress, and that number. Late reports explain spells up
    to `late`, and a single wrong one may last for hours.
    """
    held: dict[int, float] = defaultdict(float)
    for lasted, running in spells:
        if lasted > late:
            held[running] += lasted
    return highest_level(held)


def highest_level(weights: Mapping[int, float]) -> int:
    """The highest level, at least 1, that is not noise beside the one below.

    The weight of a level is how often, or for how long, it was seen; what was seen on a higher level reached
    this one too.
    """
    total = sum(weights.values())
    for level in range(1, max(weights, default=1)):
        above = sum(weight for reached, weight in weights.items() if reached > level)
        if above < _NOISE * total:
            return level
        total = above
    return max((1, *weights))
