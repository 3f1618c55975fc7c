"""How long does it take to get merged, queue by queue?"""

from msgspec import Struct

from mergecast.queues.model.seconds import in_seconds, percentile_in_seconds
from mergecast.queues.stats.answer import Question
from mergecast.queues.stats.statistic import Statistic
from mergecast.queues.store.reader import Reader

_NOT_KNOWN: dict[str, object] = {"mean": None, "median": None}


class TimeToMerge(Struct):
    mean: float | None
    median: float | None


class QueueTimeToMerge(Struct):
    queue_name: str
    time_to_merge: TimeToMerge


class Queues(Struct):
    queues: list[QueueTimeToMerge]


def answer(reader: Reader, question: Question) -> object:
    active = {question.groups[id].queue_name for (id,) in reader.rows("active_groups", question.by_window())}
    known = {
        queue: {"mean": in_seconds(int(total), merged), "median": percentile_in_seconds(median)}
        for queue, merged, total, median in reader.rows("time_to_merge", question.by_window())
    }
    queues = [
        {"queue_name": queue, "time_to_merge": known.get(queue, _NOT_KNOWN)} for queue in sorted(active)
    ]
    return [{"queues": queues}]


STATISTIC = Statistic(
    name="time_to_merge",
    summary="Average time to merge in seconds, for all queues of the repository",
    parameters=("at", "branch"),
    answer=answer,
    answer_type=list[Queues],
)
