"""Alerts, the thresholds that raise them, and the reference periods that some compare with."""

from typing import Annotated

from msgspec import Struct

from mergecast.queues.answers.described import Date, DateTime, one_of
from mergecast.queues.model.alert import END_REASONS, Evidence
from mergecast.queues.model.threshold import ORIGINS

Origin = Annotated[str, one_of(*ORIGINS)]


EndReason = Annotated[str, one_of(*END_REASONS)]


class AlertReference(Struct, frozen=True):
    """The reference period that an alert compares with; `ratio` is null if the figure was zero then."""

    name: str
    value: float
    ratio: float | None
    limit: float


class Alert(Struct, frozen=True):
    """A figure of a queue is, or was, beyond its threshold; it keeps the value and words of its beginning."""

    id: str
    figure: str
    origin: Origin
    base_ref: str
    queue_name: str
    since: DateTime
    found_at: DateTime
    ended_at: DateTime | None
    end_reason: EndReason | None
    value: float
    threshold: float
    unit: str
    sentence: str
    advice: str
    evidence: Evidence
    reference: AlertReference | None  # of the origin `reference` only


class AlertChange(Struct, frozen=True):
    """The new level of its figure with which an alert began: one of `…/changes` of its queue, in UTC."""

    began_on: Date
    earliest: Date
    latest: Date
    before: float
    after: float
    sentence: str


class DatedAlert(Alert, frozen=True):
    """`change` is null of alerts that have ended, and if none of the figure's changes to worse is known."""

    change: AlertChange | None


class Incident(Struct, frozen=True):
    """Alerts of one queue that overlap: their ids, the cause first."""

    id: str
    base_ref: str
    queue_name: str
    since: DateTime
    ended_at: DateTime | None
    sentence: str
    alerts: tuple[str, ...]


class NotifiedIncident(Incident, frozen=True):
    """With the names of the channels that received it; null if an earlier version has sent it."""

    notified: tuple[str, ...] | None


class Silence(Struct, frozen=True):
    """Nothing has been heard of a repository for unusually long; `is_long` from 7 days on."""

    since: DateTime | None
    sentence: str
    is_long: bool


class Alerts(Struct, frozen=True):
    """The alerts that held at some time in a period, newest first; of ended ones alone without `silence`."""

    start_at: DateTime
    end_at: DateTime
    alerts: tuple[DatedAlert, ...]
    incidents: tuple[NotifiedIncident, ...]
    silence: Silence | None = None


class SetThreshold(Struct, frozen=True):
    """A threshold that a person wrote; null names mean all branches and all queues."""

    figure: str
    base_ref: str | None
    queue_name: str | None
    value: float | None  # null: the figure raises no alerts there
    alert: bool


class ThresholdReference(Struct, frozen=True):
    """The figure may be at most `limit` times what it was in a reference period."""

    name: str
    limit: float
    value: float


class Threshold(Struct, frozen=True):
    """What is still normal for a figure of a queue; a value that was set replaces the learned one."""

    figure: str
    words: str
    unit: str
    origin: Origin
    value: float | None  # null: not known yet, or switched off
    learned: float | None = None
    set: float | None = None
    alert: bool = True
    when: str | None = None  # it would speak, in words; null if it cannot
    reference: ThresholdReference | None = None


class QueueThresholds(Struct, frozen=True):
    base_ref: str
    queue_name: str
    missing: str | None  # says so if nothing is learned from the history, and why
    thresholds: tuple[Threshold, ...]


class Thresholds(Struct, frozen=True):
    queues: tuple[QueueThresholds, ...]
    set: tuple[SetThreshold, ...]


class PreviewedAlert(Struct, frozen=True):
    """An alert that a threshold would have raised."""

    since: DateTime
    found_at: DateTime
    ended_at: DateTime | None
    value: float
    threshold: float
    sentence: str


class ThresholdPreview(Struct, frozen=True):
    """Which alerts a threshold would have raised in a period, oldest first."""

    start_at: DateTime
    end_at: DateTime
    origin: Origin
    threshold: float | None  # the value that was given; otherwise that of the last alert, if there is one
    alerts: tuple[PreviewedAlert, ...]
    sentence: str


class Limits(Struct, frozen=True):
    time_to_merge_p95: float
    failure_rate: float
    ci_runs_per_merge: float


class ReferenceFigures(Struct, frozen=True):
    time_to_merge_p95: float | None
    failure_rate: float | None
    ci_runs_per_merge: float | None


class Compared(Struct, frozen=True):
    """A figure since `start_at`; `lowest_ratio` is the lowest that is plausible, and null below the limit."""

    value: float | None
    reference_value: float | None
    ratio: float | None
    limit: float
    lowest_ratio: float | None
    has_enough_data: bool
    start_at: DateTime


class ComparedFigures(Struct, frozen=True):
    time_to_merge_p95: Compared
    failure_rate: Compared
    ci_runs_per_merge: Compared


class Comparison(Struct, frozen=True):
    start_at: DateTime
    end_at: DateTime
    merges: int
    figures: ComparedFigures


class Finds(Struct, frozen=True):
    """The smallest change that an alert would find in 8 of 10 cases, by so many weeks before the period."""

    change: float | None  # 0.4: pull requests take 40 % longer to merge; null: cannot be told yet
    days: int | None
    weeks: int
    sentence: str


class ReferencePreview(Struct, frozen=True):
    merges: int
    figures: ReferenceFigures
    limits: Limits
    finds: Finds | None


class ReferencePeriod(Struct, frozen=True):
    name: str
    base_ref: str
    queue_name: str
    start_at: DateTime
    end_at: DateTime
    pinned_at: DateTime
    merges: int
    figures: ReferenceFigures
    limits: Limits
    finds: Finds | None  # null if an earlier version pinned it
    comparison: Comparison | None  # null until the first hour
    alerts: tuple[Alert, ...]  # open ones


class ReferencePeriods(Struct, frozen=True):
    reference_periods: tuple[ReferencePeriod, ...]


class Undiagnosed(Struct, frozen=True):
    """A queue that has too little history to learn from."""

    base_ref: str
    queue_name: str
    sentence: str
