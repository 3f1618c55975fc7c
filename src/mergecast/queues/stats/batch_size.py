"""How many pull requests are checked together?"""

from mergecast.queues.stats.answer import Bounds, Entry, Groups, with_intervals
from mergecast.queues.stats.question import Question
from mergecast.queues.stats.statistic import GROUPS, WINDOW, Statistic
from mergecast.queues.store.reader import Reader


class BatchSize(Entry, frozen=True):
    avg_batch_size: float
    max_batch_size: int
    min_batch_size: int
    sum_batch_size: int
    count_batch_size: int


def answer(reader: Reader, question: Question) -> object:
    rows = reader.rows("batch_size", question.by_interval())
    return {"groups": with_intervals(question, rows, _entry)}


def _entry(bounds: Bounds, runs: int, total: int, largest: int, smallest: int) -> BatchSize:
    return BatchSize(*bounds, int(total) / runs, largest, smallest, int(total), runs)


STATISTIC = Statistic(
    name="batch_size",
    summary="Batch size of checks running on queues, by time intervals",
    parameters=(*GROUPS, *WINDOW),
    answer=answer,
    answer_type=Groups[BatchSize],
)
