"""How many of the pull requests that leave have failed in CI?"""

from mergecast.queues.stats.answer import Bounds, Entry, Groups, with_intervals
from mergecast.queues.stats.question import Question
from mergecast.queues.stats.statistic import GROUPS, WINDOW, Statistic
from mergecast.queues.store.reader import Reader


class FailureRate(Entry, frozen=True):
    total: int
    failures: int
    failure_rate: float


def answer(reader: Reader, question: Question) -> object:
    rows = reader.rows("failure_rate", question.by_interval())
    return {"groups": with_intervals(question, rows, _entry)}


def _entry(bounds: Bounds, exits: int, failures: int) -> FailureRate:
    return FailureRate(*bounds, exits, failures, failures / exits)


STATISTIC = Statistic(
    name="failure_rate",
    summary="Failure rate of pull requests in the queue, by time intervals",
    parameters=(*GROUPS, *WINDOW),
    answer=answer,
    answer_type=Groups[FailureRate],
)
