"""Trust in words: one sentence for each thing that is measured."""

from collections.abc import Iterator
from math import isfinite

from mergecast.forecasting.forecast.backtest import BackTest
from mergecast.forecasting.forecast.errors import Errors, TypicalErrors
from mergecast.forecasting.forecast.figures import Ranged
from mergecast.forecasting.forecast.requirements import FITTED_DAYS, MOST_PARTS, TESTED_DAYS
from mergecast.forecasting.forecast.trust import CandidateTrust, Trust
from mergecast.forecasting.forecast.wording import signed
from mergecast.forecasting.history.seconds import DAY
from mergecast.queues.model.words import counted

_FIGURES = ("p50", "p95", "runs per merge")
_WANTED = (MOST_PARTS, FITTED_DAYS, TESTED_DAYS)


def sentences(trust: Trust) -> dict[str, str]:
    """What holds for every candidate."""
    return {
        "mechanics": _mechanics(trust.mechanics),
        "drift": _drift(trust),
        "back_test": _back_test(trust.back_test),
    }


def candidate_sentences(found: CandidateTrust, replicates: int) -> dict[str, str]:
    return {
        **sentences(found.common),
        "reach": _reach(found),
        "difference": _difference(found, replicates),
    }


def _mechanics(errors: Errors) -> str:
    if not all(isfinite(error) for error in errors):
        return "Too little was merged to compare a replay of these weeks with what was recorded."
    return (
        "Replayed with the inputs of these weeks, the unchanged settings give "
        f"{_listed(f'{name} {signed(error)}' for name, error in zip(_FIGURES, errors, strict=True))} "
        "compared with what was recorded."
    )


def _drift(trust: Trust) -> str:
    change, weeks = trust.drift
    if not isfinite(change.p50.value):
        return f"Only {weeks} recorded weeks have enough merges to compare: how much weeks differ is unknown."
    return (
        f"From one recorded week to the next ({weeks} weeks), p50 changes by {_percent(change.p50.value)} "
        f"and p95 by {_percent(change.p95.value)}, chance included: figures of future weeks vary as much."
    )


def _back_test(test: BackTest) -> str:
    if not test.parts:
        return "Too little was merged to forecast past weeks from those before them."
    part = test.parts[-1].part
    fitted, tested = round((part.cut - part.start) / DAY), round((part.end - part.cut) / DAY)
    count = len(test.parts)
    points = counted(count, "cut point")
    wanted = (
        " (instead of 6 cut points with 42 and 14 days, because too little is recorded or more would take "
        "too long)"
    )
    shorter = "" if (count, fitted, tested) == _WANTED else wanted
    return (
        f"Forecasts made at {points}, from up to {fitted} days for the next {tested}{shorter}, were off by "
        f"{_typical(test.forecast)}; assuming no change was off by {_typical(test.naive)}."
    )


def _typical(errors: TypicalErrors) -> str:
    return _listed(f"{name} {_ranged(error)}" for name, error in zip(_FIGURES, errors, strict=True))


def _ranged(error: Ranged) -> str:
    if not isfinite(error.value):
        return "-"
    interval = f" ({error.low:.0%} to {error.high:.0%})" if isfinite(error.high) else ""
    return f"{error.value:.0%}{interval}"


def _reach(found: CandidateTrust) -> str:
    if found.reach.level == "inside":
        return "The candidate stays inside what was recorded: sizes of batches, concurrent runs and retries."
    return (
        f"The history never shows {_listed(found.reach.beyond)}: "
        "how CI behaves then is assumed, and the grade is at most fair."
    )


def _difference(found: CandidateTrust, replicates: int) -> str:
    parts = [
        f"{name} is {_verdict(sureness.verdict)} ({_agreeing(sureness.verdict, sureness.lower, replicates)})"
        for name, sureness in zip(_FIGURES, found.difference.values(), strict=True)
    ]
    return f"Compared with the baseline, {_listed(parts)}."


def _verdict(verdict: str) -> str:
    return {"none": "the same", "unclear": "lower or higher"}.get(verdict, verdict)


def _agreeing(verdict: str, lower: float, replicates: int) -> str:
    number = round(lower * replicates)
    if verdict == "unclear":
        return f"lower in {number} of {replicates} replays"
    agreeing = {"none": replicates, "higher": replicates - number, "probably higher": replicates - number}
    return f"in {agreeing.get(verdict, number)} of {replicates} replays"


def _listed(words: Iterator[str] | tuple[str, ...] | list[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def _percent(value: float) -> str:
    return f"{value:.0%}" if isfinite(value) else "an unknown share"
