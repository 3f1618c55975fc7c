"""How do checks end, interval by interval?"""

from mergecast.queues.stats.answer import Bounds, Entry, Groups, with_intervals
from mergecast.queues.stats.question import Question
from mergecast.queues.stats.statistic import GROUPS, WINDOW, Statistic
from mergecast.queues.store.reader import Reader


class OutcomeCount(Entry, frozen=True):
    check_outcome: str
    count: int


def answer(reader: Reader, question: Question) -> object:
    rows = reader.rows("queues_checks_outcome_count", question.by_interval())
    return {"groups": with_intervals(question, rows, _entry)}


def _entry(bounds: Bounds, outcome: str, checks: int) -> OutcomeCount:
    return OutcomeCount(*bounds, outcome, checks)


STATISTIC = Statistic(
    name="queues_checks_outcome_count",
    summary="Outcomes of queue checks, by time intervals",
    parameters=(*GROUPS, *WINDOW),
    answer=answer,
    answer_type=Groups[OutcomeCount],
)
