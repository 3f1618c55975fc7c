"""Why do pull requests leave a queue?"""

from mergecast.queues.stats.answer import Bounds, Entry, Groups, with_intervals
from mergecast.queues.stats.question import Question
from mergecast.queues.stats.statistic import GROUPS, WINDOW, Statistic
from mergecast.queues.store.reader import Reader


class ExitReasonCount(Entry, frozen=True):
    exit_reason: str
    count: int


def answer(reader: Reader, question: Question) -> object:
    rows = reader.rows("queues_pr_exit_reasons", question.by_interval())
    return {"groups": with_intervals(question, rows, _entry)}


def _entry(bounds: Bounds, reason: str, exits: int) -> ExitReasonCount:
    return ExitReasonCount(*bounds, reason, exits)


STATISTIC = Statistic(
    name="queues_pr_exit_reasons",
    summary="Count of queue-session exits by reason, by time intervals",
    parameters=(*GROUPS, *WINDOW),
    answer=answer,
    answer_type=Groups[ExitReasonCount],
)
