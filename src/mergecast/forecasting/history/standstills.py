"""When CI stood still: for hours, no run ended although some were in progress."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import Final

from mergecast.forecasting.history.seconds import HOUR
from mergecast.forecasting.history.structure import VERDICTS, Run

_SHORTEST: Final = HOUR
_LONG: Final = 2.0  # times the length that 95 % of all runs stay below
_ALONE: Final = 2.0  # times that, if only one run shows it
_FEW: Final = 20  # runs from which their usual length is known
_ENDED: Final = VERDICTS - {"CHECKS_TIMEOUT"}  # CI itself came to a result

Span = tuple[float, float]


def standstills(runs: Sequence[Run]) -> tuple[Span, ...]:
    """Spans in which the runs in progress stood still: none ended, and all took much longer than usual."""
    complete = sorted(
        (run.ended, run.started) for run in runs if run.ended is not None and run.outcome in _ENDED
    )
    if len(complete) < _FEW:
        return ()
    lengths = sorted(ended - started for ended, started in complete)
    usual, long = median(lengths), _LONG * lengths[int(0.95 * len(lengths))]
    slow = [(started, ended) for ended, started in complete if ended - started > long]
    gaps = [
        (before, after)
        for (before, _), (after, _) in pairwise(complete)
        if after - before > max(_SHORTEST, long)
    ]
    return tuple(span for gap in gaps for span in _standstill(gap, slow, usual, long))


def _standstill(gap: Span, slow: list[Span], usual: float, long: float) -> Iterator[Span]:
    """When CI stood still within a gap between two ends of runs.

    A run that started before took longer than usual by its length, and one that started within
    it ended the usual time after it.
    """
    held = [run for run in slow if min(run[1], gap[1]) - max(run[0], gap[0]) > long]
    extra = [end - start - usual for start, end in held if start <= gap[0]]
    resumed = [end - usual for start, end in held if start > gap[0]]
    if not held or (len(held) == 1 and held[0][1] - held[0][0] < _ALONE * long):
        return
    until = min(median(resumed) if resumed else gap[0] + median(extra), gap[1])
    first = min(start for start, _ in held)
    since = max(gap[0], first, until - median(extra) if extra else first)
    if until - since > _SHORTEST:
        yield since, until


def overlap(spans: Sequence[Span], start: float, end: float) -> float:
    """How much of the time between two instants is within these spans."""
    return sum(max(0.0, min(end, until) - max(start, since)) for since, until in spans)
