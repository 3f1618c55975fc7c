"""Worlds that contain what the estimates do not assume, one thing at a time, and all of them together."""

from dataclasses import replace
from math import inf
from random import Random

from worlds.growth import ANY_SIZE, CappedSum, PerMember, Slowest
from worlds.ordinary import tuning
from worlds.world import World

Spans = tuple[tuple[int, int], ...]


def slowest(draw: Random) -> World:
    """A batch takes as long as its slowest member, and no member longer than a full build."""
    return replace(_differing(draw), length_of_batch=Slowest(), full_build=draw.uniform(1.8, 3.5))


def per_member(draw: Random) -> World:
    """Each further member takes 10 % more."""
    return replace(_differing(draw), length_of_batch=PerMember(0.1))


def capped_sum(draw: Random) -> World:
    """Members are built one after the other, up to a full build."""
    cap = draw.uniform(2.0, 4.0)
    return replace(_differing(draw), length_of_batch=CappedSum(cap), full_build=cap)


def added_up(draw: Random) -> World:
    """Members are built one after the other; a full build takes very long, or there is none."""
    cap = draw.choice((draw.uniform(4.0, 9.0), inf))
    return replace(_differing(draw), length_of_batch=CappedSum(cap), full_build=draw.uniform(2.0, 4.0))


def any_size(draw: Random) -> World:
    """A batch takes as long as one pull request, which is always a full build."""
    return replace(tuning(draw), length_of_batch=ANY_SIZE, length_of_load=0.0)


def _differing(draw: Random) -> World:
    """Every pull request has its own length, in each of its runs; runs differ little otherwise."""
    return replace(tuning(draw), length_sigma=draw.uniform(0.05, 0.15), pulls_differ=draw.uniform(0.3, 0.9))


def lost(draw: Random) -> World:
    """Deliveries are lost one by one, and all of them while the receiver is down for some hours."""
    world = tuning(draw)
    spans = _spans(draw, world.days, draw.choice((0, 1, 2)), (1, 6))
    return replace(world, lost=draw.uniform(0.002, 0.03), receiver_down=spans)


def overlapping(draw: Random) -> World:
    """Some runs are said to end long after the next ones began, or before they did end."""
    return replace(tuning(draw), misreported_ends=draw.uniform(0.005, 0.04))


def outages(draw: Random) -> World:
    """CI stands still for hours, several times."""
    world = tuning(draw)
    return replace(world, outages=_spans(draw, world.days, draw.choice((1, 2, 3, 4)), (2, 9)))


def refused(draw: Random) -> World:
    """Entries are removed within seconds, conflict when tested, or cannot be merged after they passed."""
    return replace(
        tuning(draw),
        turned_away=draw.uniform(0.0, 0.12),
        conflicting=draw.uniform(0.0, 0.05),
        refused=draw.uniform(0.0, 0.04),
    )


def urgent(draw: Random) -> World:
    """Urgent pull requests stop the checks of others."""
    return replace(tuning(draw), urgent_share=draw.uniform(0.02, 0.15), urgent_interrupts=True)


def drifting(draw: Random) -> World:
    """CI becomes 30 % slower or faster within one to three weeks."""
    world = tuning(draw)
    first = draw.uniform(2, world.days - 15)
    return replace(
        world,
        speed_change=draw.choice((1.3, 1 / 1.3)),
        speed_changes=(first, first + draw.uniform(7, 21)),
    )


def mixed(draw: Random) -> World:
    """All of it, more mildly."""
    world = draw.choice((slowest, per_member, capped_sum, any_size))(draw)
    return replace(
        world,
        lost=draw.uniform(0.0, 0.01),
        misreported_ends=draw.uniform(0.0, 0.01),
        outages=_spans(draw, world.days, draw.choice((0, 1)), (2, 5)),
        turned_away=draw.uniform(0.0, 0.05),
        conflicting=draw.uniform(0.0, 0.02),
        refused=draw.uniform(0.0, 0.01),
        urgent_share=draw.choice((0.0, 0.05)),
        urgent_interrupts=True,
        speed_change=draw.uniform(0.85, 1.15),
        speed_changes=(7.0, 21.0),
    )


def _spans(draw: Random, days: int, count: int, hours: tuple[int, int]) -> Spans:
    """Spans on different working days, each beginning in the morning or the afternoon."""
    working = [day for day in range(1, days - 1) if day % 7 < 5]
    begins = sorted(24 * day + draw.randint(7, 15) for day in draw.sample(working, count))
    return tuple((hour, hour + draw.randint(*hours)) for hour in begins)
