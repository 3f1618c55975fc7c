"""Whether the figures of a period meet the targets that apply to it."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from mergecast.queues.model.target import LIMITED, Target, common_scope, limits_for
from mergecast.signals.health.comparison import Figures
from mergecast.signals.health.wording import rate, short

_NAMES = {
    "time_in_queue_p95": "p95 in queue",
    "failure_rate": "failures",
    "ci_runs_per_merge": "CI runs per merge",
}


class Met(Struct, frozen=True):
    """A limit; whether it is met is unknown if the figure has no value."""

    limit: float
    is_met: bool | None


class MetTargets(Struct, frozen=True):
    """The targets that apply to a summary."""

    time_in_queue_p95: Met | None
    failure_rate: Met | None
    ci_runs_per_merge: Met | None


def met_targets(targets: Iterable[Target], queues: Iterable[tuple[str, str]], figures: Figures) -> MetTargets:
    """The targets of what these queues have in common, compared with their figures."""
    limits = limits_for(targets, *common_scope(queues))
    return MetTargets(**{name: _met(limits[name], figures[name].value) for name in LIMITED})


def _met(limit: float | None, value: float | None) -> Met | None:
    return None if limit is None else Met(limit, None if value is None else value <= limit)


def missed(met: MetTargets) -> dict[str, float]:
    """The limits that are not met."""
    found: Mapping[str, Met | None] = {name: getattr(met, name) for name in LIMITED}
    return {name: one.limit for name, one in found.items() if one is not None and one.is_met is False}


def told(missed: Mapping[str, float]) -> str:
    """The limits that are not met, in words.

    >>> told({"time_in_queue_p95": 3600, "failure_rate": 0.05, "ci_runs_per_merge": 1.3})
    'Over target: p95 in queue (1h00), failures (5.0%), CI runs per merge (1.30).'
    """
    listed = ", ".join(f"{_NAMES[name]} ({_limit(name, limit)})" for name, limit in missed.items())
    return f"Over target: {listed}."


def _limit(name: str, limit: float) -> str:
    if name == "failure_rate":
        return rate(limit)
    return short(limit) if name == "time_in_queue_p95" else f"{limit:.2f}"
