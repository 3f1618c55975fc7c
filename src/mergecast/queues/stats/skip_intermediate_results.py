"""How many batches are merged without their own CI run?"""

from mergecast.queues.stats.answer import Bounds, Entry, Groups, with_intervals
from mergecast.queues.stats.question import Question
from mergecast.queues.stats.statistic import GROUPS, WINDOW, Statistic
from mergecast.queues.store.reader import Reader


class BatchesSaved(Entry, frozen=True):
    batches_saved: int


def answer(reader: Reader, question: Question) -> object:
    rows = reader.rows("skip_intermediate_results", question.by_interval())
    return {"groups": with_intervals(question, rows, _entry)}


def _entry(bounds: Bounds, batches: int) -> BatchesSaved:
    return BatchesSaved(*bounds, batches)


STATISTIC = Statistic(
    name="skip_intermediate_results",
    summary="Batches merged without running their own CI because a later batch passed, by time intervals",
    parameters=(*GROUPS, *WINDOW),
    answer=answer,
    answer_type=Groups[BatchesSaved],
)
