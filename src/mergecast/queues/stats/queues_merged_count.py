"""How many pull requests does a queue merge?"""

from mergecast.queues.stats.answer import Entry
from mergecast.queues.stats.statistic import by_interval


class MergedCount(Entry, frozen=True):
    merged: int


STATISTIC = by_interval(
    "queues_merged_count", "Pull requests merged by queues, by time intervals", MergedCount
)
