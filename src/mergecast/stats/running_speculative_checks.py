"""How many CI runs are under way?"""

from mergecast.stats.answer import with_intervals
from mergecast.stats.question import Question
from mergecast.stats.statistic import INTEGER, NUMBER, WINDOW, Statistic, entries, grouped
from mergecast.store.readers import Reader

_NAMES = ("base_ref", "queue_name")


def answer(reader: Reader, question: Question) -> object:
    if question.observed.start >= question.observed.end:
        return {"groups": []}
    rows = reader.rows("running_speculative_checks", question.observed_by_interval())
    groups = with_intervals(question, rows, _entry)
    return {"groups": [{name: group[name] for name in (*_NAMES, "stats")} for group in groups]}


def _entry(running_by_time: int, observed: int, most: int, fewest: int) -> dict[str, object]:
    return {
        "avg_running_checks": int(running_by_time) / int(observed),
        "max_running_checks": most,
        "min_running_checks": fewest,
    }


STATISTIC = Statistic(
    name="running_speculative_checks",
    summary="Speculative checks running on queues, by time intervals",
    parameters=(*_NAMES, *WINDOW),
    answer=answer,
    schema=grouped(
        entries(avg_running_checks=NUMBER, max_running_checks=INTEGER, min_running_checks=INTEGER),
        names=_NAMES,
    ),
)
