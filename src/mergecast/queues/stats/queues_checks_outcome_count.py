"""How do checks end, interval by interval?"""

from mergecast.queues.stats.answer import Entry
from mergecast.queues.stats.statistic import by_interval


class OutcomeCount(Entry, frozen=True):
    check_outcome: str
    count: int


STATISTIC = by_interval(
    "queues_checks_outcome_count", "Outcomes of queue checks, by time intervals", OutcomeCount
)
