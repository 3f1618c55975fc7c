"""How lengths grow with the batch beyond the sizes that were recorded: three forms that real queues have."""

from typing import Final, NamedTuple, Protocol

import numpy as np

from mergecast.forecasting.estimate.survival import Numbers

_COUNT: Final = 128
_QUANTILES: Final = (np.arange(_COUNT) + 0.5) / _COUNT
_MOST_ADDED: Final = 40  # more are longer than any full build
# Which lengths are added up. Each column holds every quantile once, so that all sums have the right mean.
_ADDED: Final = np.random.default_rng(1).permuted(
    np.tile(np.arange(_COUNT)[:, None], (1, _MOST_ADDED + 1)), axis=0
)


class Growth(Protocol):
    def donors(self, known: Numbers, recorded: float, size: float) -> Numbers:
        """Equally likely lengths of batches of a size, from the sorted ones of a recorded size."""
        ...


class Slowest(NamedTuple):
    """A batch takes as long as its slowest member: the lengths of k are the largest of k ** exponent ones."""

    exponent: float

    def donors(self, known: Numbers, recorded: float, size: float) -> Numbers:
        places = _QUANTILES ** ((recorded / size) ** self.exponent) * len(known)
        grown: Numbers = known[places.astype(np.int64)]
        return grown


class Linear(NamedTuple):
    """Each further member adds the same share of the length of a single one."""

    share: float

    def donors(self, known: Numbers, recorded: float, size: float) -> Numbers:
        factor = (1 + self.share * (size - 1)) / (1 + self.share * (recorded - 1))
        return quantiles(known) * factor


class CappedSum(NamedTuple):
    """Members are built one after the other, but a batch never takes longer than a full build."""

    cap: float

    def donors(self, known: Numbers, recorded: float, size: float) -> Numbers:
        grown: Numbers = np.sort(np.minimum(added_up(quantiles(known), size / recorded), self.cap))
        return grown


def quantiles(known: Numbers) -> Numbers:
    """The same lengths, a fixed number of them."""
    found: Numbers = known[(_QUANTILES * len(known)).astype(np.int64)]
    return found


def added_up(lengths: Numbers, count: float) -> Numbers:
    """Sums of this many quantiles; of the last one, only the fraction."""
    whole = min(int(count), _MOST_ADDED)
    added: Numbers = lengths[_ADDED[:, : whole + 1]]
    sums: Numbers = added[:, :whole].sum(axis=1) + (count - int(count)) * added[:, whole]
    return sums
