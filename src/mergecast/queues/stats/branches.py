"""Which base refs saw queue activity?"""

from msgspec import Struct

from mergecast.queues.stats.answer import Question
from mergecast.queues.stats.statistic import WINDOW, Statistic
from mergecast.queues.store.reader import Reader


class BaseRefs(Struct):
    base_refs: list[str]


def answer(reader: Reader, question: Question) -> object:
    rows = reader.rows("active_groups", question.by_window())
    return {"base_refs": sorted({question.groups[id].base_ref for (id,) in rows})}


STATISTIC = Statistic(
    name="branches",
    summary="Base refs affected by queue activity",
    parameters=WINDOW,
    answer=answer,
    answer_type=BaseRefs,
)
