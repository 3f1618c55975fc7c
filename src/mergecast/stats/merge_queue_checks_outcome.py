"""How do checks end?"""

from mergecast.model.outcome import CHECK_OUTCOMES
from mergecast.stats.answer import by_group, named
from mergecast.stats.question import Question
from mergecast.stats.statistic import GROUPS, INTEGER, WINDOW, Statistic, grouped, record
from mergecast.store.readers import Reader


def answer(reader: Reader, question: Question) -> object:
    rows = reader.rows("merge_queue_checks_outcome", question.whole())
    none = dict.fromkeys(CHECK_OUTCOMES, 0)
    return {
        "groups": [
            {**named(group), "stats": none | {outcome: checks for _, outcome, checks in members}}
            for group, members in by_group(question, rows)
        ]
    }


STATISTIC = Statistic(
    name="merge_queue_checks_outcome",
    summary="Outcomes of queue checks over the whole period",
    parameters=(*GROUPS, *WINDOW),
    answer=answer,
    schema=grouped(record(dict.fromkeys(CHECK_OUTCOMES, INTEGER))),
)
