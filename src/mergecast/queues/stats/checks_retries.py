"""How often are checks retried, and does it help?"""

from mergecast.queues.stats.answer import Bounds, Entry
from mergecast.queues.stats.statistic import by_interval


class Retries(Entry, frozen=True):
    total_retries: int
    sessions_with_retries: int
    recovered: int
    not_recovered: int
    recovery_rate: float
    avg_retry_depth: float
    max_retry_depth: int


def _entry(bounds: Bounds, retries: int, stays: int, recovered: int, most_retries: int) -> Retries:
    total = int(retries)
    return Retries(
        *bounds, total, stays, recovered, stays - recovered, recovered / stays, total / stays, most_retries
    )


STATISTIC = by_interval("checks_retries", "Check retries in the queue, by time intervals", Retries, _entry)
