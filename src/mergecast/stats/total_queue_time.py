"""How long do pull requests stay in a queue, from entering to leaving?"""

from mergecast.model.instant import SECOND
from mergecast.stats.answer import with_intervals
from mergecast.stats.question import Question
from mergecast.stats.statistic import GROUPS, INTEGER, NUMBER, WINDOW, Statistic, entries, grouped
from mergecast.store.readers import Reader


def answer(reader: Reader, question: Question) -> object:
    rows = reader.rows("total_queue_time", question.by_interval())
    return {"groups": with_intervals(question, rows, _entry)}


def _entry(
    stays: int, total: int, longest: int, shortest: int, percentiles: list[float]
) -> dict[str, object]:
    p50, p90, p95, p99 = percentiles
    return {
        "avg_queue_time": int(total) / (stays * SECOND),
        "max_queue_time": longest / SECOND,
        "min_queue_time": shortest / SECOND,
        "sum_queue_time": int(total) / SECOND,
        "count_queue_time": stays,
        "p50_queue_time": p50 / SECOND,
        "p90_queue_time": p90 / SECOND,
        "p95_queue_time": p95 / SECOND,
        "p99_queue_time": p99 / SECOND,
    }


STATISTIC = Statistic(
    name="total_queue_time",
    summary="Total time spent in queue, by time intervals",
    parameters=(*GROUPS, *WINDOW),
    answer=answer,
    schema=grouped(
        entries(
            avg_queue_time=NUMBER,
            max_queue_time=NUMBER,
            min_queue_time=NUMBER,
            sum_queue_time=NUMBER,
            count_queue_time=INTEGER,
            p50_queue_time=NUMBER,
            p90_queue_time=NUMBER,
            p95_queue_time=NUMBER,
            p99_queue_time=NUMBER,
        )
    ),
)
