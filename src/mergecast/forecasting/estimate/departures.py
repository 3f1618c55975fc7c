"""Estimates when people remove pull requests from the queue, as a risk for each hour of the week.

Of a pull request that left for another reason, we only know that it was not removed before.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from mergecast.forecasting.estimate.survival import Numbers
from mergecast.forecasting.history.seconds import HOUR, MINUTE
from mergecast.forecasting.history.structure import Stay

BY_PEOPLE: Final = ("PR_MANUALLY_DEQUEUED", "PULL_REQUEST_UPDATED", "PR_DEQUEUED", "PR_MANUALLY_MERGED")
_BINS: Final = 168
_PRIOR: Final = 3.0  # the weight of the average risk, in departures, against that of one hour of the week
_AT_ONCE: Final = MINUTE
_DRAIN_HOURS: Final = 24 * 28


@dataclass(frozen=True)
class Hazard:
    """The risk of being removed, added up hour by hour, and the recorded reasons of all removals."""

    since: float
    added_up: Numbers
    reasons: tuple[str, ...]

    def risk_until(self, instants: Numbers) -> Numbers:
        return np.interp((instants - self.since) / HOUR, np.arange(len(self.added_up)), self.added_up)

    def instants_of(self, risks: Numbers) -> Numbers:
        """When the added-up risk reaches these values; infinite if not within four weeks after the window."""
        hours = np.interp(risks, self.added_up, np.arange(len(self.added_up)), right=np.inf)
        return np.where(risks > self.added_up[-1], np.inf, self.since + hours * HOUR)


def fit_hazard(stays: Iterable[Stay], length: float) -> Hazard:
    """The risk by hour of the week, shrunk towards the average where there are few observations."""
    known = list(stays)
    since = min((stay.entered for stay in known), default=0.0)
    hours = int((length - since) / HOUR) + 1
    exposure = _exposure(known, since, hours, length)
    gone = [stay for stay in known if stay.reason in BY_PEOPLE and not is_refused(stay)]
    place = np.arange(hours) % _BINS
    exposed = np.bincount(place, exposure, minlength=_BINS)
    events = np.bincount(
        np.array([int((stay.left or 0.0) - since) // int(HOUR) % _BINS for stay in gone], dtype=np.int64),
        minlength=_BINS,
    )
    average = len(gone) / max(float(exposure.sum()), 1.0)
    rates = (events + _PRIOR) / (exposed + _PRIOR / average) if average else np.zeros(_BINS)
    all_hours = np.arange(hours + _DRAIN_HOURS) % _BINS
    added_up: Numbers = np.concatenate(([0.0], np.cumsum(rates[all_hours])))
    return Hazard(since, added_up, tuple(sorted(stay.reason or "" for stay in gone)))


def is_refused(stay: Stay) -> bool:
    """Whether a stay ended as soon as it began: that is no risk for those that wait."""
    return stay.left is None or stay.left - stay.entered <= _AT_ONCE


def _exposure(stays: list[Stay], since: float, hours: int, length: float) -> Numbers:
    """How many hours all pull requests together spent in the queue, in each hour of the history."""
    spent = np.zeros(hours + 1)
    for stay in stays:
        start = (stay.entered - since) / HOUR
        end = ((length if stay.left is None else stay.left) - since) / HOUR
        first, last = int(start), min(int(end), hours)
        if first == last:
            spent[first] += end - start
        else:
            spent[first] += first + 1 - start
            spent[first + 1 : last] += 1
            spent[last] += end - last
    return spent[:hours]
