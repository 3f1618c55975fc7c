"""When each level of a queue would speak, in words."""

from collections.abc import Callable, Mapping
from typing import Final

from mergecast.queues.model.instant import SECOND, duration, exact_duration
from mergecast.queues.model.words import counted
from mergecast.signals.detection.levels import Levels
from mergecast.signals.detection.queue_problem import (
    EVERYONE_FAILS,
    FORGOTTEN,
    GOING_ROUND,
    NO_RUN_STARTED,
    NOTHING_MERGES,
    RUN_TOO_LONG,
    RUNS_SLOW,
    SOURCE_SILENT,
)
from mergecast.signals.detection.sentences import number
from mergecast.signals.detection.source_hours import CLOCK_HOURS, USUAL_HOURS


def when(levels: Levels, by_hand: Mapping[str, float], problem: str) -> str | None:
    """When a problem of a queue begins; None if it cannot be judged."""
    if problem in by_hand:
        return _WORDS[problem](levels, by_hand[problem], exact_duration)
    if problem == SOURCE_SILENT:
        return _source_silent_learned() if levels.sources else None
    value = levels.values.get(problem)
    return None if value is None else _WORDS[problem](levels, value, duration)


def _no_run_started(levels: Levels, value: float, written: Callable[[float], str]) -> str:
    slots = levels.pace.slots
    free = "the only slot" if slots == 1 else f"one of {slots} slots"
    return f"when a pull request waits, {free} is free, and no CI run starts for {written(value)}"


def _run_too_long(_: Levels, value: float, written: Callable[[float], str]) -> str:
    return f"when a CI run takes longer than {written(value)}"


def _everyone_fails(levels: Levels, value: float, _: Callable[[float], str]) -> str:
    apart = duration(levels.pace.apart / SECOND)
    return (
        f"when {number(value)} CI runs in a row fail that have no pull request in common, "
        f"each at most {apart} after the one before"
    )


def _going_round(levels: Levels, value: float, _: Callable[[float], str]) -> str:
    entries = f"when a pull request enters {number(value)} times within 24 hours because its checks fail"
    splits = levels.most_splits
    return entries if splits is None else f"{entries}, or while a batch is being split {splits} times"


def _nothing_merges(levels: Levels, value: float, _: Callable[[float], str]) -> str:
    hourly = [rate for rate in (levels.merges.hourly if levels.merges else ()) if rate]
    busiest = f", {duration(value / max(hourly) * 3600)} in the busiest hours of the week" if hourly else ""
    return f"when nothing merges in a time in which {number(value)} merges are usual{busiest}"


def _source_silent(_: Levels, value: float, __: Callable[[float], str]) -> str:
    return f"when a source sends nothing in {number(value)} hours of the week in which it usually does"


def _source_silent_learned() -> str:
    return (
        f"when a source sends nothing in {number(USUAL_HOURS)} hours of the week in which it usually does, "
        f"or for {CLOCK_HOURS} hours in which every earlier week had an event"
    )


def _runs_slow(_: Levels, value: float, __: Callable[[float], str]) -> str:
    return f"when the CI runs of 2 to 8 hours take {number(value)} times as long as usual"


def _forgotten(_: Levels, value: float, __: Callable[[float], str]) -> str:
    runs = counted(round(value), "CI run")
    return f"when {runs} of others with the same priority that entered later have passed a pull request over"


_WORDS: Final[dict[str, Callable[[Levels, float, Callable[[float], str]], str]]] = {
    NO_RUN_STARTED: _no_run_started,
    RUN_TOO_LONG: _run_too_long,
    EVERYONE_FAILS: _everyone_fails,
    GOING_ROUND: _going_round,
    NOTHING_MERGES: _nothing_merges,
    SOURCE_SILENT: _source_silent,
    RUNS_SLOW: _runs_slow,
    FORGOTTEN: _forgotten,
}
