"""Which queues saw activity?"""

from msgspec import Struct

from mergecast.queues.stats.answer import Question
from mergecast.queues.stats.statistic import WINDOW, Statistic
from mergecast.queues.store.reader import Reader


class QueueNames(Struct):
    queue_names: list[str]


def answer(reader: Reader, question: Question) -> object:
    rows = reader.rows("active_groups", question.by_window())
    return {"queue_names": sorted({question.groups[id].queue_name for (id,) in rows})}


STATISTIC = Statistic(
    name="queues",
    summary="Queue names affected by queue activity",
    parameters=WINDOW,
    answer=answer,
    answer_type=QueueNames,
)
