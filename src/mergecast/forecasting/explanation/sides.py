"""The two periods that are compared: what is recorded of each, and what is estimated from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from mergecast.forecasting.estimate.population import chains
from mergecast.forecasting.estimate.survival import Flags, Numbers
from mergecast.forecasting.history.inference import TrainRules, infer
from mergecast.forecasting.history.reading import read_history
from mergecast.forecasting.history.seconds import DAY, in_seconds
from mergecast.forecasting.history.structure import History, Stay
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import DAY as DAY_IN_MICROSECONDS
from mergecast.queues.model.instant import WEEK, Window

WARM_UP: Final = DAY  # what was in the queue when a period began entered within this time
_WEEKEND: Final = (2, 3)  # days of the week from Thursday on, as 1970-01-01 was
_RARE: Final = 0.05  # a queue with a smaller share of the pull requests may be missing in one period


@dataclass(frozen=True)
class Side:
    """One of the periods. Its clock has the same day of the week at 0 as that of the other one.

    What is estimated comes from the period alone; `arriving` also has what was in the queue when it began.
    """

    window: Window
    since: float  # when the period begins, on its clock
    recorded: History
    arriving: History
    trains: tuple[TrainRules, ...] = ()

    @property
    def until(self) -> float:
        return self.recorded.length

    @property
    def days(self) -> int:
        return max(1, round((self.until - self.since) / DAY))

    def by_day(self, instants: Sequence[float] | Numbers, values: Numbers) -> Numbers:
        """The sum of the values of each day of the period."""
        days = (np.asarray(instants, dtype=np.float64) - self.since) // DAY
        places = np.clip(days, 0, self.days - 1).astype(np.int64)
        return np.bincount(places, values, minlength=self.days).astype(np.float64)

    @property
    def is_weekend(self) -> Flags:
        first = self.window.start // DAY_IN_MICROSECONDS
        return np.isin((first + np.arange(self.days)) % 7, _WEEKEND)

    @property
    def entered(self) -> list[Stay]:
        """The first stay of each pull request that entered in the period."""
        return [chain[0] for chain in chains(self.recorded) if chain[0].entered >= self.since]

    @property
    def merged(self) -> list[Stay]:
        """What left merged in the period."""
        return [stay for stay in self.left if stay.is_merged]

    @property
    def left(self) -> list[Stay]:
        return [
            stay
            for stay in self.recorded.stays
            if stay.left is not None and self.since <= stay.left < self.until
        ]


def read_side(events: Sequence[Event], window: Window, other: Window) -> Side:
    """One period; `other` is the earlier one, whose start gives the day of the week at which clocks begin."""
    since = (window.start - other.start) % WEEK
    whole = read_history(events, Window(window.start - since, window.end))
    begin = in_seconds(since)
    return Side(window, begin, whole.since(begin), whole.since(begin - WARM_UP))


def with_rules(side: Side, queues: Sequence[str]) -> Side:
    """The period with the rules of these queues alone."""
    recorded, arriving = side.recorded.of_queues(queues), side.arriving.of_queues(queues)
    return Side(side.window, side.since, recorded, arriving, infer(recorded))


def shared_queues(before: Side, after: Side) -> tuple[str, ...]:
    """The queues of both periods; empty if one that matters is missing in either."""
    counts = [
        {name: sum(stay.queue_name == name for stay in side.entered) for name in side.recorded.queue_names}
        for side in (before, after)
    ]
    shared = counts[0].keys() & counts[1].keys()
    for own in counts:
        lost = sum(count for name, count in own.items() if name not in shared)
        if lost > _RARE * sum(own.values()):
            return ()
    return tuple(sorted(shared))


def returns(side: Side) -> list[tuple[Stay, bool]]:
    """Each stay that ended unmerged in the period, and whether its pull request entered again."""
    found = []
    for chain in chains(side.recorded):
        for stay, following in pairwise((*chain, None)):
            if stay is not None and stay.left is not None and not stay.is_merged and stay.left >= side.since:
                found.append((stay, following is not None))
    return found


def quantile(values: Sequence[float] | Numbers, share: float) -> float:
    return float(np.quantile(values, share)) if len(values) else float("nan")
