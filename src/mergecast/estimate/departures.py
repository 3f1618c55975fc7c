"""When people take pull requests out of the queue: a risk per hour, seen only where the queue was slower."""

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from mergecast.estimate.survival import Numbers
from mergecast.history.structure import Stay

BY_PEOPLE: Final = ("PR_MANUALLY_DEQUEUED", "PULL_REQUEST_UPDATED", "PR_DEQUEUED", "PR_MANUALLY_MERGED")
_HOUR: Final = 3600.0
_BINS: Final = 168
_PRIOR: Final = 3.0  # how many departures the average risk weighs against those of one hour of the week
_DRAIN_HOURS: Final = 24 * 28


@dataclass(frozen=True)
class Hazard:
    """The risk of each hour from the first on, added up; `reasons` are those that were recorded."""

    since: float
    added_up: list[float]
    reasons: tuple[str, ...]

    def risk_until(self, at: float) -> float:
        place = (at - self.since) / _HOUR
        whole = min(max(int(place), 0), len(self.added_up) - 2)
        before, after = self.added_up[whole], self.added_up[whole + 1]
        return before + (after - before) * min(max(place - whole, 0.0), 1.0)

    def instant_of(self, risk: float) -> float | None:
        """When the risk added up to this much, None if it did not within weeks after the window."""
        place = bisect_right(self.added_up, risk)
        if place >= len(self.added_up):
            return None
        before, after = self.added_up[place - 1], self.added_up[place]
        return self.since + _HOUR * (place - 1 + (risk - before) / (after - before))


def fit_hazard(stays: Iterable[Stay], length: float) -> Hazard:
    """The risk by hour of the week, each hour's pulled towards the average as far as it was seen rarely."""
    known = list(stays)
    since = min((stay.entered for stay in known), default=0.0)
    hours = int((length - since) / _HOUR) + 1
    exposure = _exposure(known, since, hours, length)
    gone = [stay for stay in known if stay.reason in BY_PEOPLE and stay.left is not None]
    place = np.arange(hours) % _BINS
    exposed = np.bincount(place, exposure, minlength=_BINS)
    events = np.bincount(
        np.array([int((stay.left or 0.0) - since) // int(_HOUR) % _BINS for stay in gone], dtype=np.int64),
        minlength=_BINS,
    )
    average = len(gone) / max(float(exposure.sum()), 1.0)
    rates = (events + _PRIOR) / (exposed + _PRIOR / average) if average else np.zeros(_BINS)
    all_hours = np.arange(hours + _DRAIN_HOURS) % _BINS
    added_up: Numbers = np.concatenate(([0.0], np.cumsum(rates[all_hours])))
    return Hazard(since, added_up.tolist(), tuple(sorted(stay.reason or "" for stay in gone)))


def _exposure(stays: list[Stay], since: float, hours: int, length: float) -> Numbers:
    """How many hours pull requests spent in the queue, in each hour of the history."""
    spent = np.zeros(hours + 1)
    for stay in stays:
        start = (stay.entered - since) / _HOUR
        end = ((length if stay.left is None else stay.left) - since) / _HOUR
        first, last = int(start), min(int(end), hours)
        if first == last:
            spent[first] += end - start
        else:
            spent[first] += first + 1 - start
            spent[first + 1 : last] += 1
            spent[last] += end - last
    return spent[:hours]
