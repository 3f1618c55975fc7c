"""How many CI runs are in progress?"""

from msgspec import Struct

from mergecast.queues.stats.answer import Bounds, Entry, Question, with_intervals
from mergecast.queues.stats.statistic import WINDOW, Statistic
from mergecast.queues.store.reader import Reader

_NAMES = ("base_ref", "queue_name")


class RunningChecks(Entry, frozen=True):
    avg_running_checks: float
    max_running_checks: int
    min_running_checks: int


class QueueChecks(Struct):
    base_ref: str
    queue_name: str
    stats: list[RunningChecks]


class QueuesChecks(Struct):
    groups: list[QueueChecks]


def answer(reader: Reader, question: Question) -> object:
    if question.observed.start >= question.observed.end:
        return {"groups": []}
    rows = reader.rows("running_speculative_checks", question.observed_by_interval())
    return {"groups": with_intervals(question, rows, _entry, names=_NAMES)}


def _entry(bounds: Bounds, running_by_time: int, observed: int, most: int, fewest: int) -> RunningChecks:
    return RunningChecks(*bounds, int(running_by_time) / int(observed), most, fewest)


STATISTIC = Statistic(
    name="running_speculative_checks",
    summary="Speculative checks running on queues, by time intervals",
    parameters=(*_NAMES, *WINDOW),
    answer=answer,
    answer_type=QueuesChecks,
)
