"""In which hours of the week a source usually reports something, and when its silence becomes unusual."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil
from typing import Final

from mergecast.queues.model.instant import HOUR
from mergecast.signals.thresholds.course import Span
from mergecast.signals.thresholds.rates import HOURS, Rates, hour_of_week, rates_of

USUAL_HOURS: Final = 12.0  # of silence that are too long
CLOCK_HOURS: Final = 24  # by the clock, if no week was ever silent then
_FEWEST_WEEKS: Final = 7  # of the last eight, which the silence itself may shorten
# Eight weeks with an event or two on a Sunday do not show that a Sunday without any is unusual.
_FEWEST_HEARD: Final = 3
_USUAL_SHARE: Final = 0.75  # 6 of 8 weeks


@dataclass(frozen=True, slots=True)
class SourceHours:
    """The hours of the week in which a source usually reports, and those in which it did."""

    usual: Rates  # 1 in a usual hour, 0 otherwise
    heard: tuple[int, ...]  # numbers of hours, in order
    since: int  # the first hour that was observed

    def is_due(self, last: int) -> bool:
        """Whether every earlier week had events in some hours of the day from this time of the week on."""
        first = last // HOUR + 1
        weeks = (first - self.since) // HOURS
        return weeks >= _FEWEST_WEEKS and all(
            self._heard(start, start + CLOCK_HOURS) >= _FEWEST_HEARD
            for start in range(first - HOURS, first - weeks * HOURS - 1, -HOURS)
        )

    def _heard(self, start: int, end: int) -> int:
        return bisect_left(self.heard, end) - bisect_left(self.heard, start)

    def silent_from(self, last: int) -> int | None:
        """When the silence since an instant becomes unusual; None if that takes more than a week."""
        missed, day = self.usual.when(last, USUAL_HOURS), last + CLOCK_HOURS * HOUR
        if not self.is_due(last):
            return missed
        return day if missed is None else min(missed, day)


def learn_hours(signs: Iterable[int], window: Span) -> SourceHours | None:
    """From the instants at which a source reported something; None if it never did."""
    heard = sorted({at // HOUR for at in signs})
    if not heard:
        return None
    since = max(heard[0], window.start // HOUR + 1)
    weeks = Counter(hour_of_week(hour * HOUR) for hour in heard)
    enough = ceil(_USUAL_SHARE * (window.end // HOUR - since) / HOURS)
    usual = [float(weeks[hour] >= max(enough, 2)) for hour in range(HOURS)]
    return SourceHours(rates_of(usual), tuple(heard), since)
