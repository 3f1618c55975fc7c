"""Which base refs saw queue activity?"""

from mergecast.stats.question import Question
from mergecast.stats.statistic import STRING, WINDOW, Statistic, list_of, record
from mergecast.store.readers import Reader


def answer(reader: Reader, question: Question) -> object:
    rows = reader.rows("active_groups", question.whole())
    return {"base_refs": sorted({question.groups[id].base_ref for (id,) in rows})}


STATISTIC = Statistic(
    name="branches",
    summary="Base refs affected by queue activity",
    parameters=WINDOW,
    answer=answer,
    schema=record({"base_refs": list_of(STRING)}),
)
