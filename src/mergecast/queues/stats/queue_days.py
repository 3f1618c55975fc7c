"""What happened in the kept queues on each day of a window."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from mergecast.queues.model.instant import DAY
from mergecast.queues.model.queue_changes import QueueDay
from mergecast.queues.model.seconds import in_seconds, percentile_in_seconds
from mergecast.queues.stats.answer import Question
from mergecast.queues.stats.ci_check_cells import WHOLE, Asked
from mergecast.queues.store.reader import Reader

_MERGE_TIMES = 5  # their place among the columns after `merged`


def queue_days(reader: Reader, question: Question) -> list[QueueDay]:
    """Without days on which nothing happened."""
    days: defaultdict[int, dict[str, Any]] = defaultdict(dict)
    for day, (entered,) in _of_summary(reader, question, "entered"):
        days[day]["entered"] = entered
    for day, (exits, failures, merged, *more) in _of_summary(reader, question, "left"):
        days[day] |= {"exits": exits, "failures": failures, "merged": merged}
        if times := more[_MERGE_TIMES]:
            p50, _, p95, _ = map(percentile_in_seconds, times)
            days[day] |= {"merge_p50": p50, "merge_p95": p95}
    for day, (runs, _) in _of_summary(reader, question, "runs_ended"):
        days[day]["runs"] = runs
    for day, median in reader.rows("days_of_passed_runs", question.by_window()):
        days[day]["passed_p50"] = percentile_in_seconds(median)
    for day, reports, waited in _waits(reader, question):
        days[day] |= {"ci_reports": reports, "waited": in_seconds(int(waited))}
    return [QueueDay(number, **days[number]) for number in sorted(days)]


def _of_summary(reader: Reader, question: Question, name: str) -> Iterator[tuple[int, Sequence[Any]]]:
    """The rows of a statement of summaries: those of days, compared with no other window."""
    one_queue = [0] * len(question.groups)
    asked = [*question.by_window(), one_queue, DAY, 0, question.window.start, question.window.start]
    for _, _, day, *counts in reader.rows(f"summary_{name}", asked):
        if day is not None:
            yield day, counts


def _waits(reader: Reader, question: Question) -> Sequence[tuple[int, int, Any]]:
    texts = dict(reader.rows("ci_texts", [question.repository_id]))
    if not texts:
        return []
    asked = Asked.of(question, WHOLE, texts)
    kept = [asked.numbers(names) for names in (asked.filters.base_refs, asked.filters.queue_names)]
    return reader.rows("days_of_waits", [question.repository_id, *question.window, *kept])
