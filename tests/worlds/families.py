"""Worlds and pairs of policies in their variety: one family to tune estimates on, others to check them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random

from mergecast.forecasting.replay.values import Landing, Policy, QueueRule, github_policy, gitlab_policy
from mergecast.queues.model.instant import MINUTE
from worlds.world import World


@dataclass(frozen=True)
class Pair:
    """A history is made with `before`; `after` is asked for, and played in the same world for the truth."""

    name: str
    world: World
    before: Policy
    after: Policy


@dataclass(frozen=True)
class Change:
    """Two policies; a timeout is given its length when the world is known."""

    name: str
    before: Policy
    after: Policy


def _queue(size: int, slots: int, **rule: int) -> Policy:
    return Policy(rules=(QueueRule(size, size, 5 * MINUTE, **rule),), max_parallel_checks=slots)


def _skipping(policy: Policy) -> Policy:
    return replace(policy, skip_intermediate_results=True)


_RETRYING = {"max_checks_retries": 1}

CHANGES = (
    Change("batch 1 to 5", _queue(1, 5), _queue(5, 5)),
    Change("batch 5 to 1", _queue(5, 5), _queue(1, 5)),
    Change("batch 3 to 8, retry", _queue(3, 4, **_RETRYING), _queue(8, 4, **_RETRYING)),
    Change("parallel 1 to 5", _queue(2, 1), _queue(2, 5)),
    Change("parallel 10 to 3", _queue(1, 10), _queue(1, 3)),
    Change("parallel 5 to 2, retry", _queue(4, 5, **_RETRYING), _queue(4, 2, **_RETRYING)),
    Change("retry on", _queue(3, 5), _queue(3, 5, **_RETRYING)),
    Change("retry off", _queue(3, 5, **_RETRYING), _queue(3, 5)),
    Change("skip on", _queue(3, 5), _skipping(_queue(3, 5))),
    Change("skip off", _skipping(_queue(3, 5)), _queue(3, 5)),
    Change("skip, batch 1 to 4", _skipping(_queue(1, 8)), _skipping(_queue(4, 4))),
    Change("timeout", _queue(3, 4, **_RETRYING), _queue(3, 4, max_checks_retries=1, checks_timeout=1)),
    Change("split limit", _queue(6, 3), _queue(6, 3, batch_max_failure_resolution_attempts=1)),
    Change("GitHub, build 5 to 2", github_policy(5), github_policy(2)),
    Change("GitHub, build 3 to 10", github_policy(3), github_policy(10)),
    Change(
        "GitHub, groups of 3", github_policy(5), github_policy(5, Landing(min_entries=3, wait=60 * MINUTE))
    ),
    Change("GitLab, 20 to 4", gitlab_policy(20), gitlab_policy(4)),
    Change("GitLab, 3 to 10", gitlab_policy(3), gitlab_policy(10)),
)


def pairs(family: str, count: int) -> Iterator[Pair]:
    """This many pairs of a family, always the same ones: every change in turn, each in its own world.

    `tuning` is for tuning; look at `final` only to report.
    """
    draw_world = FAMILIES[family]
    for number in range(count):
        change = CHANGES[number % len(CHANGES)]
        draw = Random(f"{family}:{number}")
        world = fitted(draw_world(draw), change, draw.uniform(0.25, 0.75))
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
    capacity = min(_pulls_at_once(change.before), _pulls_at_once(change.after))
    busiest = world.pulls_per_day * (0.09 if world.rhythm == "office" else 0.055)
    minutes = 60 * load * capacity / busiest
    shortest, longest = 4.0, 40.0
    if minutes <= longest:
        return replace(world, length_median=max(minutes, shortest))
    return replace(world, length_median=longest, pulls_per_day=world.pulls_per_day * minutes / longest)


def _pulls_at_once(policy: Policy) -> float:
    """Roughly how many pull requests are under test when all slots are taken."""
    slots = policy.max_parallel_checks
    # A batch is seldom full, and what runs behind a failure is wasted.
    return float(slots**0.8 * policy.rules[0].batch_size_max ** 0.7)


def _tuning(draw: Random) -> World:
    return World(
        seed=draw.getrandbits(30),
        days=draw.choice((28, 35, 42)),
        pulls_per_day=draw.uniform(20, 90),
        rhythm=draw.choice(("office", "office", "round the clock")),
        weekend=draw.choice((0.05, 0.3)),
        burst_share=draw.uniform(0, 0.2),
        length_sigma=draw.uniform(0.15, 0.45),
        length_tail_share=draw.choice((0.0, 0.01, 0.02)),
        length_drift=draw.uniform(0.0, 0.12),
        length_of_size=draw.choice((0.0, 0.01, 0.03)),
        length_of_load=draw.choice((0.0, 0.0, 0.02)),
        early_failures=draw.uniform(0.2, 0.8),
        broken=draw.uniform(0.005, 0.03),
        flakes=draw.uniform(0.003, 0.03),
        flakes_again=draw.uniform(0.1, 0.3),
        leaving_per_hour=draw.uniform(0.0, 0.03),
        back_after_failure=draw.uniform(0.5, 0.95),
        back_median_minutes=draw.uniform(20, 200),
        lag_seconds=draw.choice((0.0, 0.0, 4.0, 10.0)),
    )


def _final(draw: Random) -> World:
    """Other ranges, and things that the family for tuning does not have."""
    hour = draw.randrange(24 * 7, 24 * 21)
    return World(
        seed=draw.getrandbits(31) | 1 << 31,
        days=draw.choice((30, 40, 56)),
        pulls_per_day=draw.uniform(15, 120),
        rhythm=draw.choice(("office", "round the clock", "even")),
        weekend=draw.choice((0.02, 0.2, 0.8)),
        burst_share=draw.uniform(0, 0.35),
        day_noise=draw.uniform(0.1, 0.4),
        urgent_share=draw.choice((0.0, 0.0, 0.06)),
        length_sigma=draw.uniform(0.1, 0.55),
        length_tail_share=draw.choice((0.0, 0.005, 0.03)),
        length_drift=draw.uniform(0.0, 0.18),
        length_of_size=draw.choice((0.0, 0.02, 0.04)),
        length_of_load=draw.choice((0.0, 0.0, 0.01, 0.03)),
        early_failures=draw.uniform(0.0, 1.0),
        broken=draw.uniform(0.003, 0.04),
        still_broken=draw.uniform(0.1, 0.4),
        flakes=draw.uniform(0.002, 0.04),
        flakes_again=draw.uniform(0.05, 0.35),
        cancelled=draw.choice((0.0, 0.003)),
        conflicting=draw.choice((0.0, 0.01)),
        leaving_per_hour=draw.uniform(0.0, 0.05),
        back_after_failure=draw.uniform(0.3, 0.95),
        back_after_person=draw.uniform(0.2, 0.8),
        back_median_minutes=draw.uniform(10, 400),
        lag_seconds=draw.choice((0.0, 3.0, 8.0)),
        incidents=((hour, hour + draw.randrange(3, 12)),) if draw.random() < 0.3 else (),
    )


def _frozen(draw: Random) -> World:
    """Weekends are closed: merges wait for Monday."""
    return replace(_tuning(draw), weekend=0.3, weekend_freeze=True)


FAMILIES: dict[str, Callable[[Random], World]] = {"tuning": _tuning, "final": _final, "frozen": _frozen}
