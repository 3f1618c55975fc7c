"""When each level of a queue would speak, in words."""

from collections.abc import Callable
from typing import Final

from mergecast.queues.model.figures import Figure
from mergecast.queues.model.instant import MINUTE, SECOND, duration, exact_duration
from mergecast.queues.model.words import counted
from mergecast.signals.thresholds.judged import (
    EVERYONE_FAILS,
    FORGOTTEN,
    GOING_ROUND,
    NO_RUN_STARTED,
    RUN_TOO_LONG,
    RUNS_SLOW,
    SOURCE_SILENT,
    SPLITS,
)
from mergecast.signals.thresholds.levels import Levels
from mergecast.signals.thresholds.readings import Chosen
from mergecast.signals.thresholds.sentences import number
from mergecast.signals.thresholds.set_course import FEWEST, LONG, SHORT
from mergecast.signals.thresholds.source_hours import CLOCK_HOURS, USUAL_HOURS
from mergecast.signals.thresholds.standing_still import STANDSTILL_SECONDS
from mergecast.signals.thresholds.written_value import written_value

_LEAST_WAIT: Final = 5 * MINUTE  # a shorter one needs no words


def when(levels: Levels, chosen: Chosen, figure: str) -> str | None:
    """When an alert about a queue as it is now begins; None if the figure is not judged."""
    if figure in chosen:
        value = chosen[figure]
        return None if value is None else _WORDS[figure](levels, value, exact_duration)
    if figure == SOURCE_SILENT:
        return _source_silent_learned() if levels.sources else None
    value = learned_value(levels, figure)
    return None if value is None else _WORDS[figure](levels, value, duration)


def when_over_time(figure: Figure, value: float) -> str:
    """When an alert about the last hours of a queue begins, by a value that was set.

    >>> from mergecast.queues.model.figures import FIGURES
    >>> from mergecast.queues.model.figures import FIGURES
    >>> when_over_time(FIGURES["time_to_merge_p95"], 3600)
    'when time to merge, p95 is above 1h for an hour, over 24 hours, or over 7 days if fewer than 20 left'
    """
    written = written_value(figure.name, value)
    span = f"over {24 * SHORT} hours, or over {LONG} days if fewer than {FEWEST} left"
    return f"when {figure.words} is above {written} for an hour, {span}"


def when_compared(figure: Figure, name: str, value: float, limit: float) -> str:
    """When an alert against a reference period may begin.

    >>> from mergecast.queues.model.figures import FIGURES
    >>> from mergecast.queues.model.figures import FIGURES
    >>> when_compared(FIGURES["failure_rate"], "march", 0.02, 1.5)
    'when failure rate is more than 1.5 times what it was in march (2.0%), and chance does not explain it'
    """
    then = f"what it was in {name} ({figure.written(value)})"
    return f"when {figure.words} is more than {limit:g} times {then}, and chance does not explain it"


def learned_value(levels: Levels, figure: str) -> float | None:
    """What was learned for a figure; sources have hours of their own, and this number of them."""
    if figure == NO_RUN_STARTED:
        return STANDSTILL_SECONDS
    if figure == SPLITS:
        return levels.most_splits
    if figure == SOURCE_SILENT:
        return USUAL_HOURS if levels.sources else None
    return levels.values.get(figure)


def _no_run_started(levels: Levels, value: float, written: Callable[[float], str]) -> str:
    waits = [wait for wait in levels.branch.waits.values() if wait >= _LEAST_WAIT]
    filled = f", after up to {duration(max(waits) / SECOND)} to fill a batch" if waits else ""
    return f"when nothing runs on the branch for {written(value)}, although a pull request waits{filled}"


def _everyone_fails(levels: Levels, value: float, _: Callable[[float], str]) -> str:
    apart = duration(levels.pause / SECOND)
    return (
        f"when {number(value)} CI runs in a row fail that have no pull request in common, "
        f"each at most {apart} after the one before"
    )


def _source_silent(_: Levels, value: float, __: Callable[[float], str]) -> str:
    return f"when a source sends nothing in {number(value)} hours of the week in which it usually does"


def _source_silent_learned() -> str:
    return (
        f"when a source sends nothing in {number(USUAL_HOURS)} hours of the week in which it usually does, "
        f"or for {CLOCK_HOURS} hours in which every earlier week had an event"
    )


def _forgotten(_: Levels, value: float, __: Callable[[float], str]) -> str:
    runs = counted(round(value), "CI run")
    return f"when {runs} of later pull requests with the same priority have passed one over"


_WORDS: Final[dict[str, Callable[[Levels, float, Callable[[float], str]], str]]] = {
    NO_RUN_STARTED: _no_run_started,
    RUN_TOO_LONG: lambda _, value, written: f"when a CI run takes longer than {written(value)}",
    EVERYONE_FAILS: _everyone_fails,
    GOING_ROUND: lambda _, value, __: (
        f"when a pull request enters {number(value)} times within 24 hours because its checks fail"
    ),
    SPLITS: lambda _, value, __: f"when a batch is split {number(value)} times",
    SOURCE_SILENT: _source_silent,
    RUNS_SLOW: lambda _, value, __: (
        f"when the CI runs of 2 to 8 hours take {number(value)} times as long as usual"
    ),
    FORGOTTEN: _forgotten,
}
