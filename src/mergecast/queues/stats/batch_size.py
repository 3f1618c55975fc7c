"""How many pull requests are checked together?"""

from mergecast.queues.stats.answer import Bounds, Entry
from mergecast.queues.stats.statistic import by_interval


class BatchSize(Entry, frozen=True):
    avg_batch_size: float
    max_batch_size: int
    min_batch_size: int
    sum_batch_size: int
    count_batch_size: int


def _entry(bounds: Bounds, runs: int, total: int, largest: int, smallest: int) -> BatchSize:
    return BatchSize(*bounds, int(total) / runs, largest, smallest, int(total), runs)


STATISTIC = by_interval(
    "batch_size", "Batch size of checks running on queues, by time intervals", BatchSize, _entry
)
