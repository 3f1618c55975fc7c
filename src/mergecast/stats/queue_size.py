"""How many pull requests are in a queue?"""

from mergecast.stats.answer import with_intervals
from mergecast.stats.question import Question
from mergecast.stats.statistic import GROUPS, INTEGER, NUMBER, WINDOW, Statistic, entries, grouped
from mergecast.store.readers import Reader


def answer(reader: Reader, question: Question) -> object:
    if question.observed.start >= question.observed.end:
        return {"groups": []}
    rows = reader.rows("queue_size", question.observed_by_interval())
    return {"groups": with_intervals(question, rows, _entry)}


def _entry(size_by_time: int, observed: int, largest: int, smallest: int) -> dict[str, object]:
    return {
        "avg_size": int(size_by_time) / int(observed),
        "max_size": largest,
        "min_size": smallest,
    }


STATISTIC = Statistic(
    name="queue_size",
    summary="Average, max and min queue size over the period, by time intervals",
    parameters=(*GROUPS, *WINDOW),
    answer=answer,
    schema=grouped(entries(avg_size=NUMBER, max_size=INTEGER, min_size=INTEGER)),
)
