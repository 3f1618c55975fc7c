"""How many batches are merged without CI of their own?"""

from mergecast.stats.answer import with_intervals
from mergecast.stats.question import Question
from mergecast.stats.statistic import GROUPS, INTEGER, WINDOW, Statistic, entries, grouped
from mergecast.store.readers import Reader


def answer(reader: Reader, question: Question) -> object:
    rows = reader.rows("skip_intermediate_results", question.by_interval())
    return {"groups": with_intervals(question, rows, _entry)}


def _entry(batches: int) -> dict[str, object]:
    return {"batches_saved": batches}


STATISTIC = Statistic(
    name="skip_intermediate_results",
    summary="Batches merged without running their own CI because a later batch passed, by time intervals",
    parameters=(*GROUPS, *WINDOW),
    answer=answer,
    schema=grouped(entries(batches_saved=INTEGER)),
)
