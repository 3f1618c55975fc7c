"""Why do pull requests leave a queue?"""

from mergecast.stats.answer import with_intervals
from mergecast.stats.question import Question
from mergecast.stats.statistic import GROUPS, INTEGER, STRING, WINDOW, Statistic, entries, grouped
from mergecast.store.readers import Reader


def answer(reader: Reader, question: Question) -> object:
    rows = reader.rows("queues_pr_exit_reasons", question.by_interval())
    return {"groups": with_intervals(question, rows, _entry)}


def _entry(reason: str, exits: int) -> dict[str, object]:
    return {"exit_reason": reason, "count": exits}


STATISTIC = Statistic(
    name="queues_pr_exit_reasons",
    summary="Count of queue-session exits by reason, by time intervals",
    parameters=(*GROUPS, *WINDOW),
    answer=answer,
    schema=grouped(entries(exit_reason=STRING, count=INTEGER)),
)
