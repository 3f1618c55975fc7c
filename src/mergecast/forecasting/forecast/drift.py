"""How much the recorded weeks differ from each other."""

from itertools import pairwise
from typing import Final, NamedTuple

from mergecast.forecasting.forecast.errors import TypicalErrors, errors, typical
from mergecast.forecasting.forecast.figures import recorded_figures
from mergecast.forecasting.history.seconds import WEEK
from mergecast.forecasting.history.structure import History

_LEAST_MERGED: Final = 20  # fewer pull requests say nothing about a week


class Drift(NamedTuple):
    """The typical change from one recorded week to the next, in either direction."""

    change: TypicalErrors
    weeks: int


def drift(history: History, queues: frozenset[str]) -> Drift:
    start, end = history.recorded_span
    names = sorted(queues)
    spans = [(end - WEEK * (back + 1), end - WEEK * back) for back in range(int((end - start) / WEEK))]
    merged = [stay.left or 0.0 for stay in history.stays if stay.is_merged and stay.queue_name in queues]
    weeks = [
        recorded_figures(history, names, since, until)
        for since, until in reversed(spans)
        if sum(since <= left < until for left in merged) >= _LEAST_MERGED
    ]
    return Drift(typical([errors(after, before) for before, after in pairwise(weeks)]), len(weeks))
