"""The distribution of lengths if some are lower bounds: the Kaplan-Meier estimate."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Survival:
    """A step function. `beyond` is the share that outlasts every complete observation."""

    values: Numbers  # sorted
    weights: Numbers
    beyond: float

    def longer_than(self, limits: Numbers) -> Numbers:
        """The chance to outlast each limit."""
        places = np.searchsorted(self.values, limits, side="right")
        return self._tail[places]

    @property
    def _tail(self) -> Numbers:
        return np.cumsum(np.append(self.weights, self.beyond)[::-1])[::-1]

    def at(self, shares: Numbers) -> Numbers:
        """The quantile for each share of the distribution; infinite if it is beyond every observation."""
        places = np.searchsorted(np.cumsum(self.weights), shares, side="right")
        return np.append(self.values, np.inf)[np.minimum(places, len(self.values))]

    def beyond_limits(self, limits: Numbers, uniform: Numbers) -> Numbers:
        """One sample for each limit from the part of the distribution beyond it."""
        tails = self.longer_than(limits)
        return np.maximum(self.at(1 - tails * (1 - uniform)), limits)


def survival(values: Numbers, is_complete: Flags) -> Survival:
    """The estimate from observations, some of which are lower bounds."""
    order = np.lexsort((~is_complete, values))
    ordered, complete = values[order], is_complete[order]
    at_risk = np.arange(len(ordered), 0, -1)
    factors = np.where(complete, 1 - 1 / at_risk, 1.0)
    after = np.cumprod(factors)
    before = np.concatenate(([1.0], after[:-1]))[: len(after)]
    weights = (before - after)[complete].astype(np.float64)
    return Survival(ordered[complete], weights, float(after[-1]) if len(after) else 1.0)
