"""Baselines and alerts as clients see them."""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from mergecast.queues.model.baseline import MEASURES, Alert
from mergecast.queues.model.instant import DAY, format_instant
from mergecast.queues.stats.answer import DateTime
from mergecast.queues.store.baselines import StoredBaseline
from mergecast.signals.detection.alert_sentence import sentence
from mergecast.signals.detection.baseline_comparison import Comparison

LimitsAnswer = msgspec.defstruct("LimitsAnswer", [(name, float) for name in MEASURES])
FiguresAnswer = msgspec.defstruct("FiguresAnswer", [(name, float | None) for name in MEASURES])


class ComparedAnswer(Struct):
    """`lowest_ratio` is the lowest that is plausible, and null below the limit."""

    value: float | None
    baseline_value: float | None
    ratio: float | None
    limit: float
    lowest_ratio: float | None
    has_enough_data: bool


ComparedFigures = msgspec.defstruct("ComparedFigures", [(name, ComparedAnswer) for name in MEASURES])


class ComparisonAnswer(Struct):
    start_at: DateTime
    end_at: DateTime
    merges: int
    figures: ComparedFigures  # type: ignore[valid-type]


class AlertAnswer(Struct):
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


class BaselineAnswer(Struct):
    name: str
    base_ref: str
    queue_name: str
    start_at: DateTime
    end_at: DateTime
    pinned_at: DateTime
    merges: int
    figures: FiguresAnswer  # type: ignore[valid-type]
    limits: LimitsAnswer  # type: ignore[valid-type]
    comparison: ComparisonAnswer | None  # null until the first hour
    alerts: list[AlertAnswer]  # current ones


class BaselinesAnswer(Struct):
    baselines: list[BaselineAnswer]


class AlertsAnswer(Struct):
    alerts: list[AlertAnswer]


def alert_answer(alert: Alert) -> AlertAnswer:
    return AlertAnswer(
        id=alert.id,
        baseline=alert.baseline,
        base_ref=alert.base_ref,
        queue_name=alert.queue_name,
        measure=alert.measure,
        sentence=sentence(alert),
        began_at=format_instant(alert.began_at),
        ended_at=None if alert.ended_at is None else format_instant(alert.ended_at),
        end_reason=alert.end_reason,
        value=alert.value,
        baseline_value=alert.baseline_value,
        ratio=alert.ratio,
        limit=alert.limit,
    )


def baseline_answer(stored: StoredBaseline, alerts: Sequence[Alert]) -> BaselineAnswer:
    """A baseline with its last comparison and its current alerts."""
    baseline = stored.baseline
    return BaselineAnswer(
        name=baseline.name,
        base_ref=baseline.base_ref,
        queue_name=baseline.queue_name,
        start_at=format_instant(baseline.start),
        end_at=format_instant(baseline.end),
        pinned_at=format_instant(baseline.pinned_at),
        merges=baseline.merges,
        figures=FiguresAnswer(*baseline.figures),
        limits=LimitsAnswer(*baseline.limits),
        comparison=None if stored.comparison is None else _comparison(stored.comparison),
        alerts=[alert_answer(alert) for alert in alerts if alert.baseline == baseline.name],
    )


def _comparison(document: bytes) -> ComparisonAnswer:
    found = msgspec.json.decode(document, type=Comparison)
    ratios = [ComparedAnswer(*getattr(found.ratios, measure)) for measure in MEASURES]
    start = format_instant(found.at - found.days * DAY)
    return ComparisonAnswer(start, format_instant(found.at), found.merges, ComparedFigures(*ratios))
