"""Which settings a search varies by default: slots and sizes around today's values, by kind of queue."""

from collections.abc import Iterable, Sequence
from typing import Final

from mergecast.forecasting.forecast.plan import Plan
from mergecast.forecasting.forecast.requirements import BATCH_SIZE, NUMBERS, Number
from mergecast.forecasting.replay.values import Landing

Axes = dict[str, list[int]]

SEARCHED: Final = (0.25, 0.5, 1, 1.5, 2)  # times today's value
LOADED: Final = (0.5, 1, 1.5, 2)  # a capacity is computed by many more replays of each
_LEAST_VALUES: Final = 4


def around(baseline: Sequence[Plan], factors: Sequence[float] = SEARCHED) -> Axes:
    """Values around those of the baseline; of queues with different sizes, around the largest."""
    kind = min((plan.kind for plan in baseline), default="mergify")
    slots = max((plan.policy.max_parallel_checks for plan in baseline), default=1)
    if kind == "gitlab":
        return {"parallel_pipelines": _values(slots, factors, NUMBERS["parallel_pipelines"])}
    if kind == "github":
        landings = [plan.policy.landing or Landing() for plan in baseline]
        group = NUMBERS["max_entries_to_merge"]
        least = Number(max(landing.min_entries for landing in landings), group.highest)
        largest = max(landing.max_entries for landing in landings)
        return {
            "max_entries_to_merge": _values(largest, factors, least),
            "max_entries_to_build": _values(slots, factors, NUMBERS["max_entries_to_build"]),
        }
    sizes = (rule.batch_size_max for plan in baseline for rule in plan.policy.rules)
    return {
        "batch_size": _values(max(sizes, default=1), factors, BATCH_SIZE),
        "max_parallel_checks": _values(slots, factors, NUMBERS["max_parallel_checks"]),
    }


def _values(today: int, factors: Iterable[float], bounds: Number) -> list[int]:
    """In ascending order; small values have few neighbours below them, so larger ones are added."""
    found = sorted({min(max(int(today * factor + 0.5), bounds.lowest), bounds.highest) for factor in factors})
    while len(found) < _LEAST_VALUES and found[-1] < bounds.highest:
        found.append(min(2 * found[-1], bounds.highest))
    return found
