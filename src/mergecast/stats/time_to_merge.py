"""How long does it take to get merged, queue by queue?"""

from mergecast.model.instant import SECOND
from mergecast.stats.question import Question
from mergecast.stats.statistic import STRING, Schema, Statistic, list_of, record
from mergecast.store.readers import Reader

_NOT_KNOWN: dict[str, object] = {"mean": None, "median": None}
_NUMBER_OR_NULL: Schema = {"type": ["number", "null"]}


def answer(reader: Reader, question: Question) -> object:
    active = {question.groups[id].queue_name for (id,) in reader.rows("active_groups", question.whole())}
    known = {
        queue: {"mean": int(total) / (merged * SECOND), "median": median / SECOND}
        for queue, merged, total, median in reader.rows("time_to_merge", question.whole())
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
    schema=list_of(
        record(
            {
                "queues": list_of(
                    record(
                        {
                            "queue_name": STRING,
                            "time_to_merge": record({"mean": _NUMBER_OR_NULL, "median": _NUMBER_OR_NULL}),
                        }
                    )
                )
            }
        )
    ),
)
