"""Figures of a period beside those of another, and what CI cost."""

from msgspec import Struct

from mergecast.queues.answers.described import DateTime


class Figure(Struct, frozen=True):
    """`change` is relative, but a difference for rates; `count` is the number of things behind the value."""

    value: float | None
    before: float | None
    change: float | None
    count: int


class Span(Struct, frozen=True):
    start: DateTime
    end: DateTime


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
