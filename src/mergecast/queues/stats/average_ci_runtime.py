"""How long does CI take?"""

from mergecast.queues.model.seconds import in_seconds, percentile_in_seconds
from mergecast.queues.stats.answer import Bounds, Entry, Groups, with_intervals
from mergecast.queues.stats.question import Question
from mergecast.queues.stats.statistic import GROUPS, WINDOW, Statistic
from mergecast.queues.store.reader import Reader


class Runtime(Entry, frozen=True):
    runtime: float
    sum_runtime: float
    count_runtime: int
    p50_runtime: float
    p90_runtime: float
    p95_runtime: float
    p99_runtime: float


def answer(reader: Reader, question: Question) -> object:
    rows = reader.rows("average_ci_runtime", question.by_interval())
    return {"groups": with_intervals(question, rows, _entry)}


def _entry(bounds: Bounds, runs: int, total: int, percentiles: list[float]) -> Runtime:
    total = int(total)
    return Runtime(
        *bounds,
        in_seconds(total, runs),
        in_seconds(total),
        runs,
        *map(percentile_in_seconds, percentiles),
    )


STATISTIC = Statistic(
    name="average_ci_runtime",
    summary="Runtime of CI on queued pull requests, by time intervals",
    parameters=(*GROUPS, *WINDOW),
    answer=answer,
    answer_type=Groups[Runtime],
)
