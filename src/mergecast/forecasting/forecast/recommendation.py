"""What a search recommends: the fastest settings that cost no more CI, and the cheapest that halve p95."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from mergecast.forecasting.forecast.answer import Advice, Combination, Recommendation, Verdict
from mergecast.forecasting.forecast.figures import Range
from mergecast.forecasting.forecast.requirements import settings_in_words
from mergecast.forecasting.forecast.trust import LEAST_CHANGE
from mergecast.queues.model.figures import signed
from mergecast.queues.model.instant import duration

_HALF: Final = -0.5
_FASTER: Final = ("lower", "probably lower")


class Tried(NamedTuple):
    combination: Combination[float]
    verdict: Verdict  # how sure the difference of p95 is


def recommended(tried: Sequence[Tried], today: Range) -> Recommendation:
    """`today` is the p95 of the baseline."""
    found = [one.combination for one in tried]
    usable = sum(one.state == "computed" for one in found)
    faster = [
        (place, combination)
        for place, (combination, verdict) in enumerate(tried)
        if combination.state == "computed" and verdict in _FASTER
    ]
    free = [(one.time_to_merge_p95.value, place) for place, one in faster if not _costs_more(one)]
    halving = [
        (one.ci_seconds_per_merge.value, one.time_to_merge_p95.value, place)
        for place, one in faster
        if one.difference.time_to_merge_p95.value <= _HALF
    ]
    fastest = min((one for _, one in faster), key=lambda one: one.time_to_merge_p95.value, default=None)
    none_is_free = f"No combination has a lower p95 than today's settings without more CI ({usable} tried)."
    return Recommendation(
        _advice(found, min(free, default=None), today, none_is_free),
        _advice(found, min(halving, default=None), today, _none_halves(usable, fastest, today)),
    )


def _costs_more(one: Combination[float]) -> bool:
    costs = (one.difference.ci_runs_per_merge, one.difference.ci_seconds_per_merge)
    return any(cost.value > LEAST_CHANGE for cost in costs)


def _advice(
    found: Sequence[Combination[float]], least: tuple[float | int, ...] | None, today: Range, otherwise: str
) -> Advice:
    """About the combination whose place ends `least`."""
    if least is None:
        return Advice(None, otherwise)
    place = int(least[-1])
    return Advice(place, _gain(found[place], today))


def _gain(one: Combination[float], today: Range) -> str:
    p95, ci = one.difference.time_to_merge_p95, one.difference.ci_seconds_per_merge
    return (
        f"{settings_in_words(one.settings)}: p95 of {duration(one.time_to_merge_p95.value)} instead of "
        f"{duration(today.value)} ({signed(p95.value)}, {_interval(p95)}); CI time per merge "
        f"{signed(ci.value)} ({_interval(ci)}), CI runs per merge "
        f"{signed(one.difference.ci_runs_per_merge.value)}."
    )


def _interval(found: Range) -> str:
    return f"{signed(found.low)} to {signed(found.high)}"


def _none_halves(tried: int, fastest: Combination[float] | None, today: Range) -> str:
    if fastest is None:
        return f"No combination halves p95, or lowers it at all ({tried} tried)."
    return f"No combination halves p95 ({tried} tried). The fastest is this: {_gain(fastest, today)}"
