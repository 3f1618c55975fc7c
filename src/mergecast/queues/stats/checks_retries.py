"""How often are checks retried, and does it help?"""

from mergecast.queues.stats.answer import Bounds, Entry, Groups, with_intervals
from mergecast.queues.stats.question import Question
from mergecast.queues.stats.statistic import GROUPS, WINDOW, Statistic
from mergecast.queues.store.reader import Reader


class Retries(Entry, frozen=True):
    total_retries: int
    sessions_with_retries: int
    recovered: int
    not_recovered: int
    recovery_rate: float
    avg_retry_depth: float
    max_retry_depth: int


def answer(reader: Reader, question: Question) -> object:
    rows = reader.rows("checks_retries", question.by_interval())
    return {"groups": with_intervals(question, rows, _entry)}


def _entry(bounds: Bounds, retries: int, stays: int, recovered: int, most_retries: int) -> Retries:
    total = int(retries)
    return Retries(
        *bounds, total, stays, recovered, stays - recovered, recovered / stays, total / stays, most_retries
    )


STATISTIC = Statistic(
    name="checks_retries",
    summary="Check retries in the queue, by time intervals",
    parameters=(*GROUPS, *WINDOW),
    answer=answer,
    answer_type=Groups[Retries],
)
