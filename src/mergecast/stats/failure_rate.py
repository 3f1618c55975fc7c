"""How many of the pull requests that leave have failed in CI?"""

from mergecast.stats.answer import with_intervals
from mergecast.stats.question import Question
from mergecast.stats.statistic import GROUPS, INTEGER, NUMBER, WINDOW, Statistic, entries, grouped
from mergecast.store.readers import Reader


def answer(reader: Reader, question: Question) -> object:
    rows = reader.rows("failure_rate", question.by_interval())
    return {"groups": with_intervals(question, rows, _entry)}


def _entry(exits: int, failures: int) -> dict[str, object]:
    return {"total": exits, "failures": failures, "failure_rate": failures / exits}


STATISTIC = Statistic(
    name="failure_rate",
    summary="Failure rate of pull requests in the queue, by time intervals",
    parameters=(*GROUPS, *WINDOW),
    answer=answer,
    schema=grouped(entries(total=INTEGER, failures=INTEGER, failure_rate=NUMBER)),
)
