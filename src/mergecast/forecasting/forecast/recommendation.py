"""What a search recommends: the fastest settings that cost no more CI, and the cheapest that halve p95.

Only what the intervals support is recommended. What is likely but not sure is named apart, as worth a trial.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from mergecast.forecasting.forecast.answer import Advice, Combination, Recommendation, Verdict
from mergecast.forecasting.forecast.figures import Range
from mergecast.forecasting.forecast.requirements import settings_in_words
from mergecast.forecasting.forecast.trust import LEAST_CHANGE
from mergecast.queues.model.figures import signed
from mergecast.queues.model.instant import duration

_HALF: Final = -0.5
_WORTH_TRYING: Final = -0.05


class Tried(NamedTuple):
    combination: Combination[float]
    verdict: Verdict  # how sure the difference of p95 is


Placed = tuple[int, Combination[float]]


def recommended(tried: Sequence[Tried], today: Range) -> Recommendation:
    """`today` is the p95 of the baseline."""
    found = [one.combination for one in tried]
    usable = sum(one.state == "computed" for one in found)
    faster = [(place, one) for place, (one, verdict) in enumerate(tried) if _is_faster(one, verdict)]
    likely = [(place, one) for place, (one, verdict) in enumerate(tried) if _is_likely_faster(one, verdict)]
    halving = [
        (one.ci_seconds_per_merge.value, one.time_to_merge_p95.value, place)
        for place, one in faster
        if one.difference.time_to_merge_p95.value <= _HALF
    ]
    fastest = min((one for _, one in faster), key=lambda one: one.time_to_merge_p95.value, default=None)
    free = _fastest_without_more_ci(faster)
    none_is_free = f"No combination is sure to lower p95 without more CI ({usable} tried)."
    return Recommendation(
        _advice(found, free, today, none_is_free),
        _advice(found, min(halving, default=None), today, _none_halves(usable, fastest, today)),
        _trial(found, free, _fastest_without_more_ci(likely), today),
    )


def _is_faster(one: Combination[float], verdict: Verdict) -> bool:
    return one.state == "computed" and verdict == "lower"


def _is_likely_faster(one: Combination[float], verdict: Verdict) -> bool:
    """What was never recorded has wide intervals, until it is tried: its most likely gain counts."""
    is_open = verdict == "probably lower" or (verdict == "unclear" and bool(one.reach.beyond))
    return one.state == "computed" and is_open and one.difference.time_to_merge_p95.value <= _WORTH_TRYING


def _fastest_without_more_ci(found: Sequence[Placed]) -> tuple[float, int] | None:
    """Its p95 and its place."""
    free = [(one.time_to_merge_p95.value, place) for place, one in found if not _costs_more(one)]
    return min(free, default=None)


def _costs_more(one: Combination[float]) -> bool:
    costs = (one.difference.ci_runs_per_merge, one.difference.ci_seconds_per_merge)
    return any(cost.value > LEAST_CHANGE or cost.low > 0 for cost in costs)


def _trial(
    found: Sequence[Combination[float]],
    free: tuple[float, int] | None,
    likely: tuple[float, int] | None,
    today: Range,
) -> Advice:
    """About what is likely to be better than everything that is sure to be."""
    if likely is None or (free is not None and free <= likely):
        return Advice(None, "No other combination is likely to lower p95 further without more CI.")
    place = likely[-1]
    one = found[place]
    unseen = f", because the history never shows {', '.join(one.reach.beyond)}" if one.reach.beyond else ""
    return Advice(
        place,
        f"{_gain(one, today)} This is likely but not sure{unseen}: try it for a week, then ask again.",
    )


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
