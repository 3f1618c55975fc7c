"""Why do pull requests leave a queue?"""

from mergecast.queues.stats.answer import Entry
from mergecast.queues.stats.statistic import by_interval


class ExitReasonCount(Entry, frozen=True):
    exit_reason: str
    count: int


STATISTIC = by_interval(
    "queues_pr_exit_reasons", "Count of queue-session exits by reason, by time intervals", ExitReasonCount
)
