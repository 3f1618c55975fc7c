"""How often are checks retried, and does it help?"""

from mergecast.stats.answer import with_intervals
from mergecast.stats.question import Question
from mergecast.stats.statistic import GROUPS, INTEGER, NUMBER, WINDOW, Statistic, entries, grouped
from mergecast.store.readers import Reader


def answer(reader: Reader, question: Question) -> object:
    rows = reader.rows("checks_retries", question.by_interval())
    return {"groups": with_intervals(question, rows, _entry)}


def _entry(retries: int, stays: int, recovered: int, most_retries: int) -> dict[str, object]:
    return {
        "total_retries": int(retries),
        "sessions_with_retries": stays,
        "recovered": recovered,
        "not_recovered": stays - recovered,
        "recovery_rate": recovered / stays,
        "avg_retry_depth": int(retries) / stays,
        "max_retry_depth": most_retries,
    }


STATISTIC = Statistic(
    name="checks_retries",
    summary="Check retries in the queue, by time intervals",
    parameters=(*GROUPS, *WINDOW),
    answer=answer,
    schema=grouped(
        entries(
            total_retries=INTEGER,
            sessions_with_retries=INTEGER,
            recovered=INTEGER,
            not_recovered=INTEGER,
            recovery_rate=NUMBER,
            avg_retry_depth=NUMBER,
            max_retry_depth=INTEGER,
        )
    ),
)
