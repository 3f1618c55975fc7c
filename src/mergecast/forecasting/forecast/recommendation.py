"""What a search recommends: the fastest settings that cost no more CI, and the cheapest that halve p95."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from mergecast.forecasting.forecast.figures import Ranged
from mergecast.forecasting.forecast.search import COMPUTED, Combination
from mergecast.forecasting.forecast.wording import signed
from mergecast.queues.model.instant import duration

_LEAST_CHANGE: Final = 0.005  # less is none
_HALF: Final = -0.5
_COSTS: Final = ("runs_per_merge", "ci_seconds_per_merge")
_FASTER: Final = ("lower", "probably lower")


class Advice(NamedTuple):
    """The index of a combination, or None; the sentence says what it brings, or why there is none."""

    combination: int | None
    sentence: str


class Recommendation(NamedTuple):
    no_more_ci: Advice
    half_p95: Advice


def recommended(found: Sequence[Combination], today: Ranged) -> Recommendation:
    """`today` is the p95 of the baseline."""
    usable = [(place, one) for place, one in enumerate(found) if one.state == COMPUTED]
    faster = [(place, one) for place, one in usable if one.p95_verdict in _FASTER]
    free = [(one.figures["p95"].value, place) for place, one in faster if not _costs_more(one)]
    halving = [
        (one.figures["ci_seconds_per_merge"].value, one.figures["p95"].value, place)
        for place, one in faster
        if one.difference["p95"].value <= _HALF
    ]
    cheapest, smallest = min(free, default=None), min(halving, default=None)
    fastest = min(faster, key=lambda each: each[1].figures["p95"].value, default=None)
    return Recommendation(
        _advice(found, None if cheapest is None else cheapest[-1], today, _none_is_free(len(usable))),
        _advice(
            found,
            None if smallest is None else smallest[-1],
            today,
            _none_halves(len(usable), None if fastest is None else fastest[1], today),
        ),
    )


def _costs_more(one: Combination) -> bool:
    return any(one.difference[cost].value > _LEAST_CHANGE for cost in _COSTS)


def _advice(found: Sequence[Combination], place: int | None, today: Ranged, otherwise: str) -> Advice:
    return Advice(place, otherwise if place is None else _gain(found[place], today))


def _gain(one: Combination, today: Ranged) -> str:
    p95, runs, ci = (one.difference[name] for name in ("p95", *_COSTS))
    return (
        f"{settings_in_words(one.settings)}: p95 of {duration(one.figures['p95'].value)} instead of "
        f"{duration(today.value)} ({signed(p95.value)}, {_interval(p95)}); CI time per merge "
        f"{signed(ci.value)} ({_interval(ci)}), CI runs per merge {signed(runs.value)}."
    )


def _interval(found: Ranged) -> str:
    return f"{signed(found.low)} to {signed(found.high)}"


def _none_is_free(tried: int) -> str:
    return f"No combination has a lower p95 than today's settings without more CI ({tried} tried)."


def _none_halves(tried: int, fastest: Combination | None, today: Ranged) -> str:
    if fastest is None:
        return f"No combination halves p95, or lowers it at all ({tried} tried)."
    return f"No combination halves p95 ({tried} tried). The fastest is this: {_gain(fastest, today)}"


# In the words of each platform.
_WORDS: Final = {
    "batch_size": "batches of {}",
    "max_parallel_checks": "{} parallel checks",
    "max_entries_to_build": "a build concurrency of {}",
    "max_entries_to_merge": "groups of up to {}",
    "parallel_pipelines": "{} parallel pipelines",
}


def settings_in_words(settings: Any) -> str:
    """Such as `Batches of 4, 12 parallel checks`.

    >>> settings_in_words({"batch_size": 4, "max_parallel_checks": 12})
    'Batches of 4, 12 parallel checks'
    """
    words = ", ".join(
        _WORDS[name].format(value) if name in _WORDS else f"{name} {value}"
        for name, value in settings.items()
    )
    return words[:1].upper() + words[1:]
