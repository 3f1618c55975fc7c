"""How many pull requests does a queue merge?"""

from mergecast.queues.stats.answer import Bounds, Entry, Groups, with_intervals
from mergecast.queues.stats.question import Question
from mergecast.queues.stats.statistic import GROUPS, WINDOW, Statistic
from mergecast.queues.store.reader import Reader


class MergedCount(Entry, frozen=True):
    merged: int


def answer(reader: Reader, question: Question) -> object:
    rows = reader.rows("queues_merged_count", question.by_interval())
    return {"groups": with_intervals(question, rows, _entry)}


def _entry(bounds: Bounds, merged: int) -> MergedCount:
    return MergedCount(*bounds, merged)


STATISTIC = Statistic(
    name="queues_merged_count",
    summary="Pull requests merged by queues, by time intervals",
    parameters=(*GROUPS, *WINDOW),
    answer=answer,
    answer_type=Groups[MergedCount],
)
