"""How many pull requests does a queue merge?"""

from mergecast.stats.answer import with_intervals
from mergecast.stats.question import Question
from mergecast.stats.statistic import GROUPS, INTEGER, WINDOW, Statistic, entries, grouped
from mergecast.store.readers import Reader


def answer(reader: Reader, question: Question) -> object:
    rows = reader.rows("queues_merged_count", question.by_interval())
    return {"groups": with_intervals(question, rows, _entry)}


def _entry(merged: int) -> dict[str, object]:
    return {"merged": merged}


STATISTIC = Statistic(
    name="queues_merged_count",
    summary="Pull requests merged by queues, by time intervals",
    parameters=(*GROUPS, *WINDOW),
    answer=answer,
    schema=grouped(entries(merged=INTEGER)),
)
