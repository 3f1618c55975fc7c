"""Whether the figures of a period meet the targets that apply to it."""

from collections.abc import Iterable, Mapping

import msgspec
from msgspec import Struct

from mergecast.queues.model.figures import FIGURES
from mergecast.queues.model.target import LIMITED, Target, common_scope, limits_for
from mergecast.signals.health.comparison import Figures


class Met(Struct, frozen=True):
    """A limit; whether it is met is unknown if the figure has no value."""

    limit: float
    is_met: bool | None


MetTargets = msgspec.defstruct("MetTargets", [(name, Met | None) for name in LIMITED])


def met_targets(
    targets: Iterable[Target], queues: Iterable[tuple[str, str]], figures: Figures
) -> dict[str, Met | None]:
    """The targets of what these queues have in common, compared with their figures."""
    limits = limits_for(targets, *common_scope(queues))
    return {name: _met(limits[name], figures[name].value) for name in LIMITED}


def _met(limit: float | None, value: float | None) -> Met | None:
    return None if limit is None else Met(limit, None if value is None else value <= limit)


def missed(met: Mapping[str, Met | None]) -> dict[str, float]:
    """The limits that are not met."""
    return {name: one.limit for name, one in met.items() if one is not None and one.is_met is False}


def told(missed: Mapping[str, float]) -> str:
    """The limits that are not met, in words.

    >>> told({"time_in_queue_p95": 3600, "failure_rate": 0.05, "ci_runs_per_merge": 1.3})
    'Over target: p95 in queue (1h00m), failures (5.0%), CI runs per merge (1.30).'
    """
    figures = ((FIGURES[name], limit) for name, limit in missed.items())
    listed = ", ".join(f"{figure.short} ({figure.written(limit)})" for figure, limit in figures)
    return f"Over target: {listed}."
