"""How many pull requests enter a queue?"""

from mergecast.stats.answer import with_intervals
from mergecast.stats.question import Question
from mergecast.stats.statistic import GROUPS, INTEGER, WINDOW, Statistic, entries, grouped
from mergecast.store.readers import Reader


def answer(reader: Reader, question: Question) -> object:
    rows = reader.rows("queues_entered_count", question.by_interval())
    return {"groups": with_intervals(question, rows, _entry)}


def _entry(entered: int) -> dict[str, object]:
    return {"entered": entered}


STATISTIC = Statistic(
    name="queues_entered_count",
    summary="Pull requests entering queues, by time intervals",
    parameters=(*GROUPS, *WINDOW),
    answer=answer,
    schema=grouped(entries(entered=INTEGER)),
)
