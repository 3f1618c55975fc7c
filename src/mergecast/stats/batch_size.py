"""How many pull requests are checked together?"""

from mergecast.stats.answer import with_intervals
from mergecast.stats.question import Question
from mergecast.stats.statistic import GROUPS, INTEGER, NUMBER, WINDOW, Statistic, entries, grouped
from mergecast.store.readers import Reader


def answer(reader: Reader, question: Question) -> object:
    rows = reader.rows("batch_size", question.by_interval())
    return {"groups": with_intervals(question, rows, _entry)}


def _entry(runs: int, total: int, largest: int, smallest: int) -> dict[str, object]:
    return {
        "avg_batch_size": int(total) / runs,
        "max_batch_size": largest,
        "min_batch_size": smallest,
        "sum_batch_size": int(total),
        "count_batch_size": runs,
    }


STATISTIC = Statistic(
    name="batch_size",
    summary="Batch size of checks running on queues, by time intervals",
    parameters=(*GROUPS, *WINDOW),
    answer=answer,
    schema=grouped(
        entries(
            avg_batch_size=NUMBER,
            max_batch_size=INTEGER,
            min_batch_size=INTEGER,
            sum_batch_size=INTEGER,
            count_batch_size=INTEGER,
        )
    ),
)
