"""What a published statistic consists of."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mergecast.queues.stats.answer import Bounds, Entry, Groups, Question, with_intervals
from mergecast.queues.store.reader import Reader

WINDOW = ("start_at", "end_at")
BEFORE = ("before_start_at", "before_end_at")
GROUPS = ("base_ref", "queue_name", "priority_rule_name")


@dataclass(frozen=True, slots=True)
class Statistic:
    """A named question: its query parameters, how to answer it, and the type of the answer."""

    name: str
    summary: str
    parameters: tuple[str, ...]
    answer: Callable[[Reader, Question], object]
    answer_type: Any  # a type that msgspec can describe; the answer encodes to the same JSON
    sees_ci_checks: bool = False  # whether the answer depends on reports about CI checks
    has_state: bool = False  # whether it compares periods and says how the queues do, also now


def by_interval(
    name: str, summary: str, entry_type: type[Entry], entry: Callable[..., Entry] | None = None
) -> Statistic:
    """A statistic that answers with one entry for each interval of each group.

    `entry` makes it of the interval's bounds and the values of a row; without it, these are its fields.
    """

    def from_fields(bounds: Bounds, *values: Any) -> Entry:
        return entry_type(*bounds, *values)

    def answer(reader: Reader, question: Question) -> object:
        rows = reader.rows(name, question.by_interval())
        return {"groups": with_intervals(question, rows, entry or from_fields)}

    answer_type = Groups[entry_type]  # type: ignore[valid-type]
    return Statistic(name, summary, (*GROUPS, *WINDOW), answer, answer_type)
