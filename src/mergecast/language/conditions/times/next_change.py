"""When the passing of time changes a condition, and when conditions about the clock do not hold."""

from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, timedelta

from mergecast.language.conditions.attribute import Observed
from mergecast.language.conditions.compare import ORDERS, combine
from mergecast.language.conditions.operators import Operator
from mergecast.language.conditions.times.intervals import Interval
from mergecast.language.conditions.times.schedules import Schedule
from mergecast.language.conditions.times.timestamps import Instant, RelativeTime, instant_of, local_time, zone
from mergecast.language.conditions.tree import All, AnyOf, Condition, Leaf, Not, leaves
from mergecast.queues.model.instant import Window

# A week, and one more day at either end because time zones can be a day apart.
_DAYS_OF_SCHEDULE = 9
# How far to look ahead, by the smallest open field of an interval: at least past a leap year.
_DAYS, _MONTHS, _YEARS = 400, 110, 9
# `>=` and `<` change at the instant itself, `>` and `<=` right after it; the reverse for relative times.
_AT_ONCE = frozenset({Operator.AT_LEAST, Operator.BELOW})
_CLOCK = frozenset({"schedule", "current-datetime"})


def next_change(leaf: Leaf, observed: Observed, now: int) -> int | None:
    """The first instant after `now` at which the leaf may change; None if time does not change it."""
    match leaf.value:
        case Schedule() as schedule:
            return _first_flip(schedule, _schedule_boundaries(schedule, now), now)
        case Interval() as interval:
            return _first_flip(interval, _interval_boundaries(interval, now), now)
        case RelativeTime(before=before):
            times = observed if isinstance(observed, tuple) else (observed,)
            after = leaf.operator in _AT_ONCE
            return _earliest((at + before + after for at in times if isinstance(at, int)), now)
        case Instant(at=at) if leaf.attribute.name == "current-datetime":
            return _earliest([at + (leaf.operator not in _AT_ONCE)], now)
        case _:
            return None


def _earliest(instants: Iterable[int], now: int) -> int | None:
    return min((at for at in instants if at > now), default=None)


def _first_flip(period: Schedule | Interval, boundaries: Iterable[int], now: int) -> int | None:
    """The first boundary at which the period begins or ends; boundaries are in order."""
    is_inside = period.contains(now)
    return next((at for at in boundaries if at > now and period.contains(at) is not is_inside), None)


def _schedule_boundaries(schedule: Schedule, now: int) -> list[int]:
    today = local_time(now, schedule.zone).date()
    ends: list[tuple[time, str, int]] = [(time(), schedule.zone, 0)] if schedule.days else []
    if schedule.times:
        times = schedule.times
        start, end = (time(*divmod(minutes, 60)) for minutes in (times.start, times.end))
        ends += [(start, times.start_zone, 0), (end, times.end_zone, 1), (time(), times.end_zone, 0)]
    days = (today + timedelta(days=offset) for offset in range(-1, _DAYS_OF_SCHEDULE))
    return sorted(_instant(day, moment, name) + more for day in days for moment, name, more in ends)


def _interval_boundaries(interval: Interval, now: int) -> Iterator[int]:
    """Each midnight at which open fields get new values, and both ends with those values."""
    days = _fillings(interval, interval.today(now))
    fillings = [(_instant(day, time(), interval.start.zone), day) for day in days]
    for place, (midnight, day) in enumerate(fillings):
        bounds = interval.bounds(day)
        found = (midnight, bounds[0], bounds[1] + 1) if bounds else (midnight,)
        following = fillings[place + 1][0] if place + 1 < len(fillings) else None
        yield from sorted(at for at in found if following is None or at < following)


def _fillings(interval: Interval, today: date) -> list[date]:
    """The days on which open fields get new values, starting today."""
    start, end = interval.start, interval.end
    if start.day is None or end.day is None:
        return [today + timedelta(days=offset) for offset in range(_DAYS)]
    if start.month is None or end.month is None:
        month = today.year * 12 + today.month
        return [today, *(date((month + more) // 12, (month + more) % 12 + 1, 1) for more in range(_MONTHS))]
    if start.year is None or end.year is None:
        return [today, *(date(today.year + more, 1, 1) for more in range(1, _YEARS))]
    return [today]


def _instant(day: date, moment: time, name: str) -> int:
    return instant_of(datetime.combine(day, moment, zone(name)))


def closed_spans(conditions: All, window: Window) -> Iterator[Window]:
    """The spans in which some condition that asks only about the clock does not hold."""
    clock = All(tuple(member for member in conditions.members if _asks_only_the_clock(member)))
    clock_leaves = list(leaves(clock))
    at: int | None = window.start
    closed_since = None
    while at is not None and at < window.end:
        if _holds(clock, at):
            if closed_since is not None:
                yield Window(closed_since, at)
            closed_since = None
        elif closed_since is None:
            closed_since = at
        changes = [change for leaf in clock_leaves if (change := next_change(leaf, None, at)) is not None]
        at = min(changes, default=None)
    if closed_since is not None:
        yield Window(closed_since, window.end)


def asks_the_clock(condition: Condition) -> bool:
    """Whether some part of a condition depends on the time of day or the date."""
    return any(leaf.attribute.name in _CLOCK for leaf in leaves(condition))


def mixes_the_clock(conditions: All) -> bool:
    """Whether the clock decides only together with something else, so that `closed_spans` leaves it out."""
    return any(asks_the_clock(member) and not _asks_only_the_clock(member) for member in conditions.members)


def _asks_only_the_clock(condition: Condition) -> bool:
    return all(
        leaf.attribute.name in _CLOCK and isinstance(leaf.value, Schedule | Interval | Instant)
        for leaf in leaves(condition)
    )


def _holds(condition: Condition, now: int) -> bool:
    match condition:
        case Leaf(value=Schedule() | Interval() as period):
            return combine(condition, now, lambda _: period.contains(now))
        case Leaf(value=Instant(at=at)):
            order = ORDERS.get(condition.operator)
            return combine(condition, now, lambda _: order(now, at) if order else now == at)
        case Not(member=member):
            return not _holds(member, now)
        case AnyOf(members=members):
            return any(_holds(member, now) for member in members)
        case All(members=members):
            return all(_holds(member, now) for member in members)
    raise AssertionError(condition)
