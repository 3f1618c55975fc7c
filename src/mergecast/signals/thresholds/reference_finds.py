"""Which change an alert would find, computed before a period is pinned from the weeks before it.

What if all pull requests of those weeks had taken longer to merge by some factor? Then each p95, and each
change by ranks, would be higher by that factor. So every look at the last days has a lowest factor with which
an alert would have begun.
"""

from collections.abc import Sequence
from itertools import chain
from math import ceil, exp, floor, inf, log
from typing import Final

from mergecast.queues.model.instant import HOUR
from mergecast.queues.model.reference_period import Finds, QueueHour, ReferencePeriod
from mergecast.queues.model.words import counted, plural
from mergecast.signals.thresholds.reference_comparison import SPREADS_NEEDED, WINDOWS, Beside
from mergecast.signals.thresholds.reference_spread import FEWEST, blocks, weeks_before
from mergecast.signals.thresholds.time_shift import HOURS_OF_WEEK, shift

FEWEST_WEEKS: Final = 4
_MOST_WEEKS = 12  # more would take long, and show little more
_SHARE = 0.8
_ROUNDED = 20  # parts of 1


def finds(period: ReferencePeriod, pinned: Sequence[QueueHour], earlier: Sequence[QueueHour]) -> Finds:
    """The smallest change that is found in 8 of 10 cases, and within how many days."""
    days = _days(-(-period.start // HOUR), earlier)
    weeks = len(days) // 7
    if weeks < FEWEST_WEEKS:
        return Finds(None, None, weeks)
    tried = _Tried(period, pinned, days)
    within = {length: tried.factor(length) for length in SPREADS_NEEDED}
    change = max(ceil((exp(min(within.values())) - 1) * _ROUNDED), 1) / _ROUNDED
    soonest = next(length for length, factor in within.items() if factor <= log(1 + change))
    return Finds(change, soonest, weeks)


def _days(first: int, earlier: Sequence[QueueHour]) -> list[list[QueueHour]]:
    """The hours of each day of the last weeks before an hour that have enough merges."""
    days = blocks(earlier, first - weeks_before(first, earlier) * HOURS_OF_WEEK, first, 24)
    weeks = [days[begin : begin + 7] for begin in range(0, len(days), 7)]
    enough = [week for week in weeks if sum(len(hour.seconds) for day in week for hour in day) >= FEWEST]
    return [day for week in enough[-_MOST_WEEKS:] for day in week]


class _Tried:
    """Days before a period, as if they came after it and pull requests took longer to merge.

    After the last day comes the first one, so that a change can begin on each of them.
    """

    def __init__(
        self, period: ReferencePeriod, pinned: Sequence[QueueHour], days: Sequence[Sequence[QueueHour]]
    ) -> None:
        self._beside, self._count = Beside(period, pinned), len(days)
        end = -(-period.start // HOUR)
        self._limit = log(period.limits.time_to_merge_p95)
        self._ranks = [self._beside.times.ranks(day) for day in days]
        self._times = [sorted(seconds for hour in day for seconds in hour.seconds) for day in days]
        self._before = {
            (weekday, window): self._beside.same_hours(
                end - (6 - weekday) * 24, window
            ).figures.time_to_merge_p95
            for weekday in range(7)
            for window in WINDOWS
        }
        self._looks = [self._look(day) for day in range(len(days))]

    def factor(self, length: int) -> float:
        """The logarithm of the smallest factor that is found within so many days in 8 of 10 cases."""
        found = sorted(self._found(begin, length) for begin in range(self._count))
        return found[ceil(_SHARE * len(found)) - 1]

    def _found(self, begin: int, length: int) -> float:
        """The smallest factor that is found if it holds from a day on; it must hold in all of a window."""
        return min(
            needed
            for passed in range(1, length + 1)
            for window, needed in self._looks[(begin + passed - 1) % self._count].items()
            if window <= passed
        )

    def _look(self, day: int) -> dict[int, float]:
        """The factor that begins an alert at the end of a day, by the window that chance is judged in."""
        needed: dict[int, float] = {}
        highest = -inf
        for window in WINDOWS:
            past = [number % self._count for number in range(day - window + 1, day + 1)]
            highest = max(highest, self._ratio(past, day, window))
            if window in SPREADS_NEEDED:
                change = shift([self._ranks[number] for number in past])
                caution = inf if change is None else self._beside.caution_of_times(window) - change
                needed[window] = max(caution, self._limit - highest)
        return needed

    def _ratio(self, past: Sequence[int], day: int, window: int) -> float:
        """The logarithm of the ratio of the p95 to that of the period, if there is enough to compare."""
        times = sorted(chain.from_iterable(self._times[number] for number in past))
        before = self._before[day % 7, window]
        return log(max(_p95(times), 1) / before) if len(times) >= FEWEST and before else -inf


def _p95(rising: Sequence[int]) -> float:
    place = 0.95 * (len(rising) - 1)
    low, high = rising[floor(place)], rising[ceil(place)]
    return low + (place - floor(place)) * (high - low)


def finds_sentence(found: Finds) -> str:
    """What an alert would find, in words."""
    if found.change is None or found.days is None:
        are = f"{plural(found.weeks, 'is', 'are')} {found.weeks}"
        return (
            f"Which change an alert would find cannot be told yet: that takes {FEWEST_WEEKS} weeks "
            f"with at least {FEWEST} merges each before the period, and there {are}."
        )
    return (
        f"If pull requests take {round(100 * found.change)} % longer to merge, an alert begins "
        f"within {counted(found.days // 7, 'week')} in 8 of 10 cases, judging by the {found.weeks} weeks "
        "before the period."
    )
