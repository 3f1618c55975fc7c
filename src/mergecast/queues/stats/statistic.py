"""What a published statistic consists of."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mergecast.queues.stats.question import Question
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
