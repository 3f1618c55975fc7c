"""Families of worlds and pairs of policies in their variety."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random
from statistics import mean

from mergecast.forecasting.replay.values import Policy
from mergecast.queues.model.instant import MINUTE
from worlds import ordinary, outdoors
from worlds.changes import BATCH_CHANGES, CHANGES, SIZE_CHANGES, Change, pulls_at_once
from worlds.world import World

_SHORTEST, _LONGEST = 4.0, 40.0  # minutes
_SAMPLE = 60


@dataclass(frozen=True)
class Pair:
    """A history is made with `before`; `after` is asked for, and played in the same world for the truth."""

    name: str
    world: World
    before: Policy
    after: Policy


@dataclass(frozen=True)
class Family:
    """Worlds with something in common, and the changes that are tried in them."""

    draw: Callable[[Random], World]
    changes: tuple[Change, ...] = CHANGES


# `tuning` is for tuning; look at `final` only to report.
FAMILIES = {
    "tuning": Family(ordinary.tuning),
    "final": Family(ordinary.final),
    "frozen": Family(ordinary.frozen),
    "slowest": Family(outdoors.slowest, BATCH_CHANGES),
    "per-member": Family(outdoors.per_member, BATCH_CHANGES),
    "capped-sum": Family(outdoors.capped_sum, BATCH_CHANGES),
    "added-up": Family(outdoors.added_up, SIZE_CHANGES),
    "any-size": Family(outdoors.any_size, BATCH_CHANGES),
    "lost": Family(outdoors.lost),
    "overlapping": Family(outdoors.overlapping),
    "outages": Family(outdoors.outages),
    "refused": Family(outdoors.refused),
    "urgent": Family(outdoors.urgent),
    "drifting": Family(outdoors.drifting),
    "mixed": Family(outdoors.mixed),
}


def pairs(family: str, count: int) -> Iterator[Pair]:
    """This many pairs of a family, always the same ones: every change in turn, each in its own world."""
    changes = FAMILIES[family].changes
    for number in range(count):
        change = changes[number % len(changes)]
        draw = Random(f"{family}:{number}")
        world = fitted(FAMILIES[family].draw(draw), change, draw.uniform(0.25, 0.75))
        after = _with_timeout(change.after, world)
        yield Pair(f"{family} {number}: {change.name}", world, change.before, after)


def _with_timeout(policy: Policy, world: World) -> Policy:
    """A timeout that only the slow runs of this world meet."""
    (rule,) = policy.rules
    if rule.checks_timeout is None:
        return policy
    timeout = int(world.length_median * 2 * MINUTE)
    return replace(policy, rules=(replace(rule, checks_timeout=timeout),))


def fitted(world: World, change: Change, load: float) -> World:
    """The world with runs of such a length that a busy hour takes this share of the scarcer capacity."""
    capacity = min(_capacity(world, change.before), _capacity(world, change.after))
    busiest = world.pulls_per_day * (0.09 if world.rhythm == "office" else 0.055)
    minutes = 60 * load * capacity / busiest
    if minutes <= _LONGEST:
        return replace(world, length_median=max(minutes, _SHORTEST))
    return replace(world, length_median=_LONGEST, pulls_per_day=world.pulls_per_day * minutes / _LONGEST)


def _capacity(world: World, policy: Policy) -> float:
    """Roughly how many pull requests are tested in the time that one alone usually takes."""
    size = policy.rules[0].batch_size_max
    # With differing pull requests the usual length of a batch is that of a sample of batches.
    sample = range(_SAMPLE if world.pulls_differ else 0)
    longer = mean(world.growth(size * batch, size) for batch in sample) if sample else 1.0
    return pulls_at_once(policy) / longer
