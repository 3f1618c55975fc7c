"""How many batches are merged without their own CI run?"""

from mergecast.queues.stats.answer import Entry
from mergecast.queues.stats.statistic import by_interval


class BatchesSaved(Entry, frozen=True):
    batches_saved: int


STATISTIC = by_interval(
    "skip_intermediate_results",
    "Batches merged without running their own CI because a later batch passed, by time intervals",
    BatchesSaved,
)
