"""How do checks end?"""

from msgspec import Struct, defstruct

from mergecast.queues.model.event import CHECK_OUTCOMES
from mergecast.queues.stats.answer import Question, by_group, group_names
from mergecast.queues.stats.statistic import GROUPS, WINDOW, Statistic
from mergecast.queues.store.reader import Reader

OutcomeCounts = defstruct("OutcomeCounts", [(outcome, int) for outcome in CHECK_OUTCOMES])


class GroupOutcomes(Struct):
    base_ref: str
    queue_name: str
    priority_rule_name: str | None
    stats: OutcomeCounts  # type: ignore[valid-type]


class Outcomes(Struct):
    groups: list[GroupOutcomes]


def answer(reader: Reader, question: Question) -> object:
    rows = reader.rows("merge_queue_checks_outcome", question.by_window())
    none = dict.fromkeys(CHECK_OUTCOMES, 0)
    return {
        "groups": [
            {**group_names(group), "stats": none | {outcome: checks for _, outcome, checks in members}}
            for group, members in by_group(question, rows)
        ]
    }


STATISTIC = Statistic(
    name="merge_queue_checks_outcome",
    summary="Outcomes of queue checks over the whole period",
    parameters=(*GROUPS, *WINDOW),
    answer=answer,
    answer_type=Outcomes,
)
