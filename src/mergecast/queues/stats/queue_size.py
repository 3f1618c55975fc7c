"""How many pull requests are in a queue?"""

from mergecast.queues.stats.answer import Bounds, Entry, Groups, Question, with_intervals
from mergecast.queues.stats.statistic import GROUPS, WINDOW, Statistic
from mergecast.queues.store.reader import Reader


class QueueSize(Entry, frozen=True):
    avg_size: float
    max_size: int
    min_size: int


def answer(reader: Reader, question: Question) -> object:
    if question.observed.start >= question.observed.end:
        return {"groups": []}
    rows = reader.rows("queue_size", question.observed_by_interval())
    return {"groups": with_intervals(question, rows, _entry)}


def _entry(bounds: Bounds, size_by_time: int, observed: int, largest: int, smallest: int) -> QueueSize:
    return QueueSize(*bounds, int(size_by_time) / int(observed), largest, smallest)


STATISTIC = Statistic(
    name="queue_size",
    summary="Average, max and min queue size over the period, by time intervals",
    parameters=(*GROUPS, *WINDOW),
    answer=answer,
    answer_type=Groups[QueueSize],
)
