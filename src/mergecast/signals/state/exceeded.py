"""Whether the figures of a period are above the thresholds that were set for them."""

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec
from msgspec import Struct

from mergecast.queues.model.figures import FIGURES
from mergecast.queues.model.threshold import SetThreshold, common_scope, in_force
from mergecast.signals.state.comparison import FEW_STAYS, Figures
from mergecast.signals.thresholds.judged import OVER_TIME

FAILURE_RATE: Final = "failure_rate"


class Shown(Struct, frozen=True):
    """A threshold; `is_exceeded` is None if the figure has no value, or few stays behind it."""

    threshold: float
    is_exceeded: bool | None


ShownThresholds = msgspec.defstruct("ShownThresholds", [(name, Shown | None) for name in OVER_TIME])


def shown_thresholds(
    thresholds: Iterable[SetThreshold], queues: Iterable[tuple[str, str]], figures: Figures
) -> dict[str, Shown | None]:
    """The thresholds of what these queues have in common, compared with their figures."""
    found = in_force(thresholds, *common_scope(queues))
    return {name: _shown(found.get(name), figures, name) for name in OVER_TIME}


def _shown(threshold: SetThreshold | None, figures: Figures, name: str) -> Shown | None:
    if threshold is None or threshold.value is None:
        return None
    figure = figures.get(name)
    if figure is None or figure.value is None or _count(figures, name) < FEW_STAYS:
        return Shown(threshold.value, None)
    return Shown(threshold.value, figure.value > threshold.value)


def _count(figures: Figures, name: str) -> int:
    """How many stays are behind a figure; CI runs per merge count merges."""
    return figures["merged" if name == "ci_runs_per_merge" else name].count


def exceeded(shown: Mapping[str, Shown | None]) -> dict[str, float]:
    """The thresholds that are exceeded."""
    return {name: one.threshold for name, one in shown.items() if one is not None and one.is_exceeded}


def told(exceeded: Mapping[str, float]) -> str:
    """The thresholds that are exceeded, in words.

    >>> told({"time_in_queue_p95": 3600, "failure_rate": 0.05, "ci_runs_per_merge": 1.3})
    'Above threshold: p95 in queue (1h00m), failures (5.0%), CI runs per merge (1.30).'
    """
    figures = ((FIGURES[name], threshold) for name, threshold in exceeded.items())
    listed = ", ".join(f"{figure.short} ({figure.written(threshold)})" for figure, threshold in figures)
    return f"Above threshold: {listed}."
