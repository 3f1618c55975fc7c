"""On which day a rate changed: the most likely of the days on which a division may lie.

The energy distance gives a day with few pull requests the weight of any other. That is good for finding a
change of any kind, but of a rate it is known how much each day says.
"""

from collections.abc import Sequence

import numpy as np

from mergecast.signals.changes.splitting import FEWEST_DAYS, Array


def likeliest(hits: Sequence[int], trials: Sequence[int], near: Sequence[int]) -> int:
    """The place at which a second rate begins, one of those near; each side has enough days."""
    places = np.array(near)[(np.array(near) >= FEWEST_DAYS) & (np.array(near) <= len(hits) - FEWEST_DAYS)]
    found, tried = (np.concatenate(([0.0], np.cumsum(values))) for values in (hits, trials))
    before = _log_likelihood(found[places], tried[places])
    after = _log_likelihood(found[-1] - found[places], tried[-1] - tried[places])
    return int(places[np.argmax(before + after)])


def _log_likelihood(hits: Array, trials: Array) -> Array:
    """Of so many hits, at the rate at which they are most likely."""
    likelihood: Array = _times_log(hits, trials) + _times_log(trials - hits, trials)
    return likelihood


def _times_log(count: Array, trials: Array) -> Array:
    product: Array = count * np.log(np.maximum(count, 1) / trials)
    return product
