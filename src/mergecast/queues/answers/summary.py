"""Figures of a period beside those of another, and what CI cost."""

from typing import Literal

from msgspec import Struct

from mergecast.queues.answers.described import DateTime

Verdict = Literal["better", "worse", "neither"]


class Figure(Struct, frozen=True):
    """`change` is relative, but a difference for rates; a count is the number of things behind a value."""

    value: float | None
    before: float | None
    change: float | None
    count: int
    count_before: int = 0


class Span(Struct, frozen=True):
    start: DateTime
    end: DateTime


class Judged(Struct, frozen=True):
    """A change, and what it means; the verdict is null if there is too little to compare."""

    change: float | None
    verdict: Verdict | None


class Comparison(Struct, frozen=True):
    """What the state compares: the period, or 28 days if the period has too few stays."""

    window: Span
    window_before: Span
    stays: int
    stays_before: int
    time_in_queue_p50: Judged
    time_in_queue_p95: Judged
    failure_rate: Judged


class ComparedCost(Struct, frozen=True, kw_only=True):
    """As decimal strings; `per_merge` is null without a merge, a change without anything to compare with."""

    total: str
    total_before: str
    total_change: float | None
    per_merge: str | None
    per_merge_before: str | None
    per_merge_change: float | None


class QueueCost(ComparedCost, frozen=True, kw_only=True):
    base_ref: str
    queue_name: str


class CheckCost(Struct, frozen=True):
    """Of the executions that ended in the period."""

    name: str
    total: str
    total_before: str
    total_change: float | None


class Cost(ComparedCost, frozen=True, kw_only=True):
    """The most expensive queues and checks come first."""

    currency: str
    wasted: str
    queues: list[QueueCost]
    checks: list[CheckCost]
