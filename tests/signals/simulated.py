"""Alerts in a simulated queue: which ones begin, and when."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from mergecast.forecasting.replay.values import Policy
from mergecast.queues.model.alert import Alert
from mergecast.queues.model.instant import DAY, HOUR, WEEK, Window
from mergecast.queues.model.reference_period import FEWEST_MERGES, Limits, QueueHour, ReferencePeriod
from mergecast.signals.thresholds.reference_comparison import compare, window_start
from mergecast.signals.thresholds.reference_course import follow
from mergecast.signals.thresholds.reference_figures import figures_of
from mergecast.signals.thresholds.reference_spread import spreads_of
from worlds.families import FAMILIES, fitted
from worlds.steps import Step, hours_of
from worlds.world import START, World


@dataclass(frozen=True)
class Simulated:
    """A world, how its queue works, and which period is pinned."""

    name: str
    world: World
    policy: Policy
    days: int  # of the period
    earlier: int  # weeks before it, after a first one in which the queue fills

    @property
    def pinned_from(self) -> int:
        return START + (1 + self.earlier) * WEEK

    @property
    def pinned_until(self) -> int:
        return self.pinned_from + self.days * DAY

    @property
    def watched_from(self) -> int:
        """The first instant at which a week has nothing of the period."""
        return self.pinned_until + 7 * DAY


def simulated(family: str, number: int, weeks: int, days: int, earlier: int = 0) -> Simulated:
    """A quiet queue for so many weeks after its reference period of so many days; always the same one."""
    draw = Random(f"alerts:{family}:{number}")
    changes = FAMILIES[family].changes
    change = changes[draw.randrange(len(changes))]
    drawn = fitted(FAMILIES[family].draw(draw), change, draw.uniform(0.25, 0.75))
    world = replace(drawn, days=14 + 7 * earlier + days + 7 * weeks, incidents=())
    return Simulated(f"{family} {number}: {change.name}", world, change.before, days, earlier)


def with_step(queue: Simulated, at: int, **factors: float) -> list[QueueHour]:
    """The hours of a queue whose world has some of its values multiplied from an instant on."""
    changed = {name: getattr(queue.world, name) * factor for name, factor in factors.items()}
    return hours_of(Step(queue.world, replace(queue.world, **changed), at).play(queue.policy))


def pinned(
    hours: Sequence[QueueHour], start: int, end: int, limits: Limits | None = None
) -> ReferencePeriod | None:
    """The reference period, if it has enough merges."""
    before, within = between(hours, 0, start), between(hours, start, end)
    merges = sum(hour.merges for hour in within)
    if merges < FEWEST_MERGES:
        return None
    spreads = spreads_of(Window(start, end), before, within)
    figures = figures_of(within)
    return ReferencePeriod(
        "pinned", "main", "default", start, end, limits or Limits(), end, merges, figures, spreads
    )


def between(hours: Sequence[QueueHour], start: int, end: int) -> list[QueueHour]:
    numbers = [hour.number for hour in hours]
    return list(hours[bisect_left(numbers, start // HOUR) : bisect_left(numbers, end // HOUR)])


def watched(
    period: ReferencePeriod, hours: Sequence[QueueHour], start: int, end: int, every: int = HOUR
) -> Iterator[Alert]:
    """The alerts that begin in a period, as comparisons at every hour, or less often, would find them."""
    before = between(hours, period.start, period.end)
    numbers = [hour.number for hour in hours]
    current: list[Alert] = []
    for at in range(start, end, every):
        last = at // HOUR
        recent = hours[bisect_left(numbers, window_start(at) // HOUR) : bisect_left(numbers, last)]
        known = {alert.id for alert in current}
        found = follow(period, current, compare(period, before, recent, at))
        yield from (alert for alert in found if alert.id not in known)
        current = [alert for alert in found if alert.ended_at is None]
