"""How many pull requests enter a queue?"""

from mergecast.queues.stats.answer import Entry
from mergecast.queues.stats.statistic import by_interval


class EnteredCount(Entry, frozen=True):
    entered: int


STATISTIC = by_interval(
    "queues_entered_count", "Pull requests entering queues, by time intervals", EnteredCount
)
