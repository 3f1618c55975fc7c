"""Answers of the API that are declared once: the server sends them, and commands read them."""

from typing import Annotated, Any

from msgspec import Meta, Struct

DateTime = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]


class Limits(Struct):
    time_to_merge_p95: float
    failure_rate: float
    ci_runs_per_merge: float


class Measures(Struct):
    time_to_merge_p95: float | None
    failure_rate: float | None
    ci_runs_per_merge: float | None


class Compared(Struct):
    """`lowest_ratio` is the lowest that is plausible, and null below the limit."""

    value: float | None
    baseline_value: float | None
    ratio: float | None
    limit: float
    lowest_ratio: float | None
    has_enough_data: bool


class ComparedMeasures(Struct):
    time_to_merge_p95: Compared
    failure_rate: Compared
    ci_runs_per_merge: Compared


class Comparison(Struct):
    start_at: DateTime
    end_at: DateTime
    merges: int
    figures: ComparedMeasures


class Alert(Struct):
    id: str
    baseline: str
    base_ref: str
    queue_name: str
    measure: str
    sentence: str
    began_at: DateTime
    ended_at: DateTime | None
    end_reason: str | None
    value: float
    baseline_value: float
    ratio: float | None
    limit: float


class Baseline(Struct):
    name: str
    base_ref: str
    queue_name: str
    start_at: DateTime
    end_at: DateTime
    pinned_at: DateTime
    merges: int
    figures: Measures
    limits: Limits
    comparison: Comparison | None  # null until the first hour
    alerts: list[Alert]  # current ones


class Baselines(Struct):
    baselines: list[Baseline]


class Alerts(Struct):
    alerts: list[Alert]


class Threshold(Struct, frozen=True):
    """The level of one problem from the history, and the one that was set, which takes precedence."""

    name: str
    unit: str
    learned: float | None
    set: float | None


class QueueThresholds(Struct, frozen=True):
    base_ref: str
    queue_name: str
    sentence: str | None  # says so if nothing is learned from the history, and why
    thresholds: tuple[Threshold, ...]


class AuditLine(Struct, frozen=True):
    """Who did what, when and from which address; `details` depend on `event`."""

    at: str
    event: str
    who: str
    address: str
    owner: str | None
    repository: str | None
    details: dict[str, Any]


class AuditLines(Struct, frozen=True):
    """Newest first; `next` is null on the last page."""

    lines: list[AuditLine]
    next: str | None
