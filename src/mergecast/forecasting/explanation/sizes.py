"""How long batches take whose size only the other period has recorded.

A period of single pull requests does not show how much longer batches take, and a forecast draws that from
all that is possible. An explanation need not: the other period has recorded them. So they take as long as
there, times what runs of a size that this period has recorded take, compared with the other one.
"""

from dataclasses import replace
from statistics import median

from mergecast.forecasting.estimate.lengths import Lengths
from mergecast.forecasting.estimate.oracle import RunTables, SizeTable

Known = tuple[RunTables, Lengths]  # what a replicate draws for one queue, and what that is drawn from


def with_sizes_of(own: Known, other: Known) -> RunTables:
    """The runs of one period, with sizes that only the other one has recorded."""
    return replace(own[0], by_size=_Sizes(own, other))


class _Sizes(dict[int, SizeTable]):
    """Made when a run of that size is first asked about."""

    def __init__(self, own: Known, other: Known) -> None:
        super().__init__()
        self._own, self._other = own[0].by_size, other[0].by_size
        self._recorded, self._there = _recorded(own[1]), _recorded(other[1])

    def __missing__(self, size: int) -> SizeTable:
        found = self[size] = self._of_size(size)
        return found

    def _of_size(self, size: int) -> SizeTable:
        if size in self._recorded or size not in self._there:
            return self._own[size]
        nearest = self._recorded[0] if size < self._recorded[0] else self._recorded[-1]
        factor = median(self._own[nearest].donors) / median(self._other[nearest].donors)
        return _times(self._other[size], factor)


def _recorded(lengths: Lengths) -> range:
    return range(lengths.classes[0].sizes.smallest, lengths.classes[-1].sizes.largest + 1)


def _times(table: SizeTable, factor: float) -> SizeTable:
    """For all times alike: which donors are near is known for times of the other period alone."""
    donors = [length * factor for length in table.donors]
    return SizeTable(donors, [], len(donors), [length * factor for length in table.failing])
