"""How many pull requests enter a queue?"""

from mergecast.queues.stats.answer import Bounds, Entry, Groups, with_intervals
from mergecast.queues.stats.question import Question
from mergecast.queues.stats.statistic import GROUPS, WINDOW, Statistic
from mergecast.queues.store.reader import Reader


class EnteredCount(Entry, frozen=True):
    entered: int


def answer(reader: Reader, question: Question) -> object:
    rows = reader.rows("queues_entered_count", question.by_interval())
    return {"groups": with_intervals(question, rows, _entry)}


def _entry(bounds: Bounds, entered: int) -> EnteredCount:
    return EnteredCount(*bounds, entered)


STATISTIC = Statistic(
    name="queues_entered_count",
    summary="Pull requests entering queues, by time intervals",
    parameters=(*GROUPS, *WINDOW),
    answer=answer,
    answer_type=Groups[EnteredCount],
)
