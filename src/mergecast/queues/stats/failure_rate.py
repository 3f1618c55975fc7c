"""How many of the pull requests that leave have failed in CI?"""

from mergecast.queues.stats.answer import Bounds, Entry
from mergecast.queues.stats.statistic import by_interval


class FailureRate(Entry, frozen=True):
    total: int
    failures: int
    failure_rate: float


def _entry(bounds: Bounds, exits: int, failures: int) -> FailureRate:
    return FailureRate(*bounds, exits, failures, failures / exits)


STATISTIC = by_interval(
    "failure_rate", "Failure rate of pull requests in the queue, by time intervals", FailureRate, _entry
)
