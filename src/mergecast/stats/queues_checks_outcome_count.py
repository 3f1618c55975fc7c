"""How do checks end, interval by interval?"""

from mergecast.stats.answer import with_intervals
from mergecast.stats.question import Question
from mergecast.stats.statistic import GROUPS, INTEGER, STRING, WINDOW, Statistic, entries, grouped
from mergecast.store.readers import Reader


def answer(reader: Reader, question: Question) -> object:
    rows = reader.rows("queues_checks_outcome_count", question.by_interval())
    return {"groups": with_intervals(question, rows, _entry)}


def _entry(outcome: str, checks: int) -> dict[str, object]:
    return {"check_outcome": outcome, "count": checks}


STATISTIC = Statistic(
    name="queues_checks_outcome_count",
    summary="Outcomes of queue checks, by time intervals",
    parameters=(*GROUPS, *WINDOW),
    answer=answer,
    schema=grouped(entries(check_outcome=STRING, count=INTEGER)),
)
