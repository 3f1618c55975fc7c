"""How long does CI take?"""

from mergecast.model.instant import SECOND
from mergecast.stats.answer import Bounds, Entry, Groups, with_intervals
from mergecast.stats.question import Question, Reader
from mergecast.stats.statistic import GROUPS, WINDOW, Statistic


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
    p50, p90, p95, p99 = percentiles
    return Runtime(
        *bounds,
        int(total) / (runs * SECOND),
        int(total) / SECOND,
        runs,
        p50 / SECOND,
        p90 / SECOND,
        p95 / SECOND,
        p99 / SECOND,
    )


STATISTIC = Statistic(
    name="average_ci_runtime",
    summary="Runtime of CI on queued pull requests, by time intervals",
    parameters=(*GROUPS, *WINDOW),
    answer=answer,
    answer_type=Groups[Runtime],
)
