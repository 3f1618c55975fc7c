"""When conditions about the clock do not hold, over a span of time."""

from collections.abc import Iterator

from mergecast.conditions.compare import ORDERS, combine
from mergecast.conditions.times.intervals import Interval
from mergecast.conditions.times.next_change import next_change
from mergecast.conditions.times.schedules import Schedule
from mergecast.conditions.times.timestamps import Instant
from mergecast.conditions.tree import All, AnyOf, Condition, Leaf, Not
from mergecast.model.window import Window

_CLOCK = frozenset({"schedule", "current-datetime"})


def closed_spans(conditions: All, window: Window) -> Iterator[Window]:
    """The spans in which some condition that asks only about the clock does not hold."""
    clock = All(tuple(member for member in conditions.members if _asks_only_the_clock(member)))
    leaves = list(_leaves(clock))
    at: int | None = window.start
    closed_since = None
    while at is not None and at < window.end:
        if _holds(clock, at):
            if closed_since is not None:
                yield Window(closed_since, at)
            closed_since = None
        elif closed_since is None:
            closed_since = at
        changes = [change for leaf in leaves if (change := next_change(leaf, None, at)) is not None]
        at = min(changes, default=None)
    if closed_since is not None:
        yield Window(closed_since, window.end)


def asks_the_clock(condition: Condition) -> bool:
    """Whether some part of a condition depends on the time of day or the date."""
    return any(leaf.attribute.name in _CLOCK for leaf in _leaves(condition))


def mixes_the_clock(conditions: All) -> bool:
    """Whether the clock decides only together with something else, so that `closed_spans` leaves it out."""
    return any(asks_the_clock(member) and not _asks_only_the_clock(member) for member in conditions.members)


def _asks_only_the_clock(condition: Condition) -> bool:
    return all(
        leaf.attribute.name in _CLOCK and isinstance(leaf.value, Schedule | Interval | Instant)
        for leaf in _leaves(condition)
    )


def _leaves(condition: Condition) -> Iterator[Leaf]:
    if isinstance(condition, Leaf):
        yield condition
    else:
        for member in (condition.member,) if isinstance(condition, Not) else condition.members:
            yield from _leaves(member)


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
