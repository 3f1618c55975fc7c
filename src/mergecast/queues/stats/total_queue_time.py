"""How long do pull requests stay in a queue, from entering to leaving?"""

from mergecast.queues.model.seconds import in_seconds, percentile_in_seconds
from mergecast.queues.stats.answer import Bounds, Entry
from mergecast.queues.stats.statistic import by_interval


class QueueTime(Entry, frozen=True):
    avg_queue_time: float
    max_queue_time: float
    min_queue_time: float
    sum_queue_time: float
    count_queue_time: int
    p50_queue_time: float
    p90_queue_time: float
    p95_queue_time: float
    p99_queue_time: float


def _entry(  # noqa: PLR0913, PLR0917 - the columns of a row
    bounds: Bounds, stays: int, total: int, longest: int, shortest: int, percentiles: list[float]
) -> QueueTime:
    total = int(total)
    return QueueTime(
        *bounds,
        in_seconds(total, stays),
        in_seconds(longest),
        in_seconds(shortest),
        in_seconds(total),
        stays,
        *map(percentile_in_seconds, percentiles),
    )


STATISTIC = by_interval("total_queue_time", "Total time spent in queue, by time intervals", QueueTime, _entry)
