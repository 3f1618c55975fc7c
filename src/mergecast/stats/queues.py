"""Which queues saw activity?"""

from mergecast.stats.question import Question
from mergecast.stats.statistic import STRING, WINDOW, Statistic, list_of, record
from mergecast.store.readers import Reader


def answer(reader: Reader, question: Question) -> object:
    rows = reader.rows("active_groups", question.whole())
    return {"queue_names": sorted({question.groups[id].queue_name for (id,) in rows})}


STATISTIC = Statistic(
    name="queues",
    summary="Queue names affected by queue activity",
    parameters=WINDOW,
    answer=answer,
    schema=record({"queue_names": list_of(STRING)}),
)
