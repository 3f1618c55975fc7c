"""How long does CI take?"""

from mergecast.model.instant import SECOND
from mergecast.stats.answer import with_intervals
from mergecast.stats.question import Question
from mergecast.stats.statistic import GROUPS, INTEGER, NUMBER, WINDOW, Statistic, entries, grouped
from mergecast.store.readers import Reader


def answer(reader: Reader, question: Question) -> object:
    rows = reader.rows("average_ci_runtime", question.by_interval())
    return {"groups": with_intervals(question, rows, _entry)}


def _entry(runs: int, total: int, percentiles: list[float]) -> dict[str, object]:
    p50, p90, p95, p99 = percentiles
    return {
        "runtime": int(total) / (runs * SECOND),
        "sum_runtime": int(total) / SECOND,
        "count_runtime": runs,
        "p50_runtime": p50 / SECOND,
        "p90_runtime": p90 / SECOND,
        "p95_runtime": p95 / SECOND,
        "p99_runtime": p99 / SECOND,
    }


STATISTIC = Statistic(
    name="average_ci_runtime",
    summary="Runtime of CI on queued pull requests, by time intervals",
    parameters=(*GROUPS, *WINDOW),
    answer=answer,
    schema=grouped(
        entries(
            runtime=NUMBER,
            sum_runtime=NUMBER,
            count_runtime=INTEGER,
            p50_runtime=NUMBER,
            p90_runtime=NUMBER,
            p95_runtime=NUMBER,
            p99_runtime=NUMBER,
        )
    ),
)
