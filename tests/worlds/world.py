"""A latent world: what would happen to every pull request, run and person, whatever the queue does.

Two policies played in one world meet the same arrivals, breakages, people and, as far as their runs
correspond, the same runtimes and flakes. So the second one's figures are the truth for a forecast made from
the first one's events.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import exp, inf, log, sqrt
from random import Random
from typing import Final

from mergecast.forecasting.replay import codes
from mergecast.forecasting.replay.record import Record
from mergecast.forecasting.replay.replay import replay
from mergecast.forecasting.replay.values import (
    Arrivals,
    Circumstances,
    ClosedSpan,
    Closing,
    Entering,
    EnteringFields,
    Fate,
    Leaving,
    Oracle,
    Outcome,
    Policy,
    RunStart,
    RunStartFields,
)
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, SECOND
from worlds.draws import bell, chance
from worlds.growth import ANY_SIZE, Growth

START: Final = 1_788_134_400 * SECOND  # Monday, 2026-08-31
WEEK: Final = 7 * DAY

(BREAKS, BREAKS_AGAIN, CONFLICTS, REFUSES, LEAVES, WHY, LENGTH, TAIL) = range(8)
(FLAKES, EARLY, HOW_EARLY, CANCELS, WHEN_CANCELLED, DELAY, RETURNS, GAP, DRIFT, LAG) = range(8, 18)
(ALONE, TURNED_AWAY, LOST, MISREPORTED, PUSHES) = range(18, 23)

_OFFICE: Final = (*(0.02,) * 7, 0.2, 0.8, 1.5, 1.8, 1.6, 1.1, 1.4, 1.7, 1.7, 1.4, 0.9, 0.4, 0.2, *(0.05,) * 4)
_ROUND_THE_CLOCK: Final = (*(0.6,) * 6, *(0.9,) * 3, *(1.2,) * 10, *(0.9,) * 3, *(0.6,) * 2)
_EVEN: Final = (1.0,) * 24
_BY_THE_QUEUE: Final = codes.REASONS.index("PR_DEQUEUED")
RHYTHMS: Final = {"office": _OFFICE, "round the clock": _ROUND_THE_CLOCK, "even": _EVEN}


@dataclass(frozen=True)
class World:
    """Shares are probabilities; `length_*` describe CI run times, in minutes or as factors."""

    seed: int
    days: int = 35
    pulls_per_day: float = 40
    rhythm: str = "office"
    weekend: float = 0.1  # arrivals of a weekend day, relative to a working day
    burst_share: float = 0.1
    day_noise: float = 0.25
    day_noise_lasts: float = 0.0  # correlation with the noise of the day before
    load_change: float = 1.0  # more pull requests enter by this factor
    load_changes_on: int = 0  # from this day on
    urgent_share: float = 0.0
    urgent_interrupts: bool = False

    length_median: float = 15
    length_sigma: float = 0.3
    length_tail_share: float = 0.01
    length_drift: float = 0.08
    length_of_batch: Growth = ANY_SIZE
    pulls_differ: float = 0.0  # the spread of the members' own lengths, which `length_of_batch` combines
    full_build: float = inf  # no pull request takes longer alone than this, relative to the median
    length_of_load: float = 0.0  # more per further run in flight
    early_failures: float = 0.5  # share of failing runs that end before their time
    speed_change: float = 1.0  # CI becomes slower by this factor, step by step
    speed_changes: tuple[float, float] = (0.0, 1.0)  # between these days

    broken: float = 0.015
    still_broken: float = 0.2  # after it failed and came back
    broken_passes_retry: float = 0.01
    flakes: float = 0.02
    flakes_again: float = 0.2
    cancelled: float = 0.001

    conflicting: float = 0.003
    refused: float = 0.001
    turned_away: float = 0.0  # share of entries that the queue removes within seconds
    leaving_per_hour: float = 0.01
    back_after_failure: float = 0.8
    back_after_person: float = 0.5
    back_median_minutes: float = 60

    delay_seconds: tuple[float, float] = (2.0, 15.0)
    lag_seconds: float = 0.0  # how late the source reports, at most
    weekend_freeze: bool = False
    incidents: tuple[tuple[int, int], ...] = ()  # spans in hours: CI is slow and flakes more
    outages: tuple[tuple[int, int], ...] = ()  # spans in hours: runs make no progress

    lost: float = 0.0  # share of events that the receiver never gets
    receiver_down: tuple[tuple[int, int], ...] = ()  # spans in hours: it gets none
    misreported_ends: float = 0.0  # share of runs that are said to end at another time

    @cached_property
    def arrivals(self) -> Arrivals:
        return _arrivals(self)

    @property
    def end(self) -> int:
        return START + self.days * DAY

    def circumstances(self) -> Circumstances:
        return Circumstances(closed=_weekend_freezes(self) if self.weekend_freeze else (), begins_at=START)

    def play(self, policy: Policy) -> Record:
        """What happens under a policy, until the queue is empty."""
        return replay(self.arrivals, policy, Oracle(self, fate, outcome, comes_back), self.circumstances())

    def alone(self, pull: int) -> float:
        """How long CI takes for this pull request alone, relative to the median."""
        if not self.pulls_differ:
            return 1.0
        return min(self.full_build, exp(self.pulls_differ * bell(self.seed, ALONE, pull)))

    def growth(self, leader: int, size: int) -> float:
        """The length of a batch, relative to the median; those that enter next stand for the members."""
        return self.length_of_batch.length(lambda member: self.alone(leader + member), size)

    def is_incident(self, at: int) -> bool:
        hour = (at - START) // HOUR
        return any(first <= hour < last for first, last in self.incidents)


def fate(world: World, fields: EnteringFields) -> Fate:
    entering = Entering(*fields)
    pull, turn, seed = entering.pull, entering.turn, world.seed
    flaws = codes.BROKEN if is_broken(world, pull, turn) else 0
    if chance(seed, CONFLICTS, pull, turn) < world.conflicting:
        flaws |= codes.CONFLICTING
    if chance(seed, REFUSES, pull, turn) < world.refused:
        flaws |= codes.REFUSED
    if (away := chance(seed, TURNED_AWAY, pull, turn)) < world.turned_away:
        return Fate(flaws, entering.at + int((1 + 20 * away / world.turned_away) * SECOND), _BY_THE_QUEUE)
    if world.leaving_per_hour == 0:
        return Fate(flaws, codes.NEVER, codes.BY_HAND)
    patience = -log(chance(seed, LEAVES, pull, turn)) / world.leaving_per_hour * HOUR
    reason = codes.UPDATED if chance(seed, WHY, pull, turn) < 0.5 else codes.BY_HAND
    return Fate(flaws, entering.at + int(patience), reason)


def is_broken(world: World, pull: int, turn: int) -> bool:
    """Whether a pull request is broken when it enters for this time, counted from 0."""
    is_now = chance(world.seed, BREAKS, pull, 0) < world.broken
    for later in range(1, turn + 1):
        share = world.still_broken if is_now else world.broken / 3
        is_now = chance(world.seed, BREAKS_AGAIN, pull, later) < share
    return is_now


def outcome(world: World, fields: RunStartFields) -> Outcome:
    start = RunStart(*fields)
    found = _undisturbed(world, start)
    return found._replace(length=_with_outages(world, start.at + found.delay, found.length))


def _with_outages(world: World, start: int, length: int) -> int:
    """How long a run of this length takes if it stands still during outages."""
    end = start + length
    for first, last in world.outages:
        since, until = START + first * HOUR, START + last * HOUR
        if start < until and since < end:
            end += until - max(since, start)
    return end - start


def _undisturbed(world: World, start: RunStart) -> Outcome:
    seed, leader, led = world.seed, start.leader, start.led
    length = _length(world, start)
    lowest, highest = world.delay_seconds
    delay = int(SECOND * (lowest + (highest - lowest) * chance(seed, DELAY, leader, led)))
    if chance(seed, CANCELS, leader, led) < world.cancelled:
        return Outcome(delay, int(length * chance(seed, WHEN_CANCELLED, leader, led)), codes.CANCELLED)
    if chance(seed, FLAKES, leader, led) >= _failing(world, start):
        return Outcome(delay, int(length), codes.PASS)
    if chance(seed, EARLY, leader, led) < world.early_failures:
        length *= 0.3 + 0.7 * chance(seed, HOW_EARLY, leader, led)
    return Outcome(delay, int(length), codes.FAIL)


def _failing(world: World, start: RunStart) -> float:
    is_retry = start.attempt > 1
    if start.broken:
        return 1 - world.broken_passes_retry if is_retry else 1.0
    share = world.flakes_again if is_retry else world.flakes
    return min(1.0, 4 * share) if world.is_incident(start.at) else share


def _length(world: World, start: RunStart) -> float:
    seed = world.seed
    length = world.length_median * exp(world.length_sigma * bell(seed, LENGTH, start.leader, start.led))
    tail = chance(seed, TAIL, start.leader, start.led)
    if tail < world.length_tail_share:
        length *= min(6.0, (world.length_tail_share / tail) ** 0.5 + 1)
    length *= exp(world.length_drift * bell(seed, DRIFT, (start.at - START) // WEEK))
    length *= world.growth(start.leader, start.size) * _speed(world, start.at)
    length *= 1 + world.length_of_load * (start.in_flight - 1)
    return MINUTE * length * (1.7 if world.is_incident(start.at) else 1)


def _speed(world: World, at: int) -> float:
    first, last = world.speed_changes
    done = ((at - START) / DAY - first) / (last - first)
    return float(world.speed_change ** min(max(done, 0.0), 1.0))


def comes_back(world: World, leaving: Leaving) -> int:
    is_person = leaving.reason in {codes.BY_HAND, codes.UPDATED}
    share = world.back_after_person if is_person else world.back_after_failure
    if leaving.turn >= 6 or chance(world.seed, RETURNS, leaving.pull, leaving.turn) >= share:
        return codes.NEVER
    minutes = world.back_median_minutes * exp(bell(world.seed, GAP, leaving.pull, leaving.turn))
    return int(MINUTE * (1 + minutes))


def _arrivals(world: World) -> Arrivals:
    draw = Random(f"{world.seed}:arrivals")
    instants = sorted(
        at for day, load in enumerate(_loads(world, draw)) for at in _of_day(world, day, load, draw)
    )
    priority = [3000 if draw.random() < world.urgent_share else 2000 for _ in instants]
    return Arrivals(
        number=list(range(101, 101 + len(instants))),
        entered_at=instants,
        priority=priority,
        rule=[0] * len(instants),
        interrupts=[world.urgent_interrupts and one > 2000 for one in priority],
        scopes=[0] * len(instants),
    )


def _loads(world: World, draw: Random) -> Iterator[float]:
    """How many pull requests are expected on each working day; drawn between the arrivals of the days."""
    lasts, noise = world.day_noise_lasts, 0.0
    for day in range(world.days):
        new = draw.normalvariate(0, 1)
        noise = lasts * noise + sqrt(1 - lasts**2) * new if day else new
        load = world.pulls_per_day * exp(world.day_noise * noise - world.day_noise**2 / 2)
        yield load * (world.load_change if day >= world.load_changes_on else 1.0)


def _of_day(world: World, day: int, load: float, draw: Random) -> list[int]:
    weights = tuple(accumulate(RHYTHMS[world.rhythm]))
    expected = load * (world.weekend if day % 7 >= 5 else 1.0)
    instants = []
    passed = draw.expovariate(1)
    while passed < expected:
        hour = draw.choices(range(24), cum_weights=weights)[0]
        at = START + day * DAY + int((hour + draw.random()) * HOUR)
        instants.append(at)
        while draw.random() < world.burst_share:
            at += int(draw.expovariate(1 / 90) * SECOND)
            instants.append(at)
            passed += draw.expovariate(1)
        passed += draw.expovariate(1)
    return [at for at in instants if at < world.end]


def _weekend_freezes(world: World) -> tuple[ClosedSpan, ...]:
    """From Friday 18:00 to Monday 06:00."""
    fridays = range(START + 4 * DAY + 18 * HOUR, world.end + WEEK, WEEK)
    return tuple(ClosedSpan(at, at + 2 * DAY + 12 * HOUR, Closing.FREEZE) for at in fridays)
