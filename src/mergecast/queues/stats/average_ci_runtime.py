"""How long does CI take?"""

from mergecast.queues.model.seconds import in_seconds, percentile_in_seconds
from mergecast.queues.stats.answer import Bounds, Entry
from mergecast.queues.stats.statistic import by_interval


class Runtime(Entry, frozen=True):
    runtime: float
    sum_runtime: float
    count_runtime: int
    p50_runtime: float
    p90_runtime: float
    p95_runtime: float
    p99_runtime: float


def _entry(bounds: Bounds, runs: int, total: int, percentiles: list[float]) -> Runtime:
    total = int(total)
    return Runtime(
        *bounds,
        in_seconds(total, runs),
        in_seconds(total),
        runs,
        *map(percentile_in_seconds, percentiles),
    )


STATISTIC = by_interval(
    "average_ci_runtime", "Runtime of CI on queued pull requests, by time intervals", Runtime, _entry
)
