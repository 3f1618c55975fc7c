"""When pull requests arrive, and in which queue."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from mergecast.demo.settings import (
    BOTS_AT_LEAST,
    BOTS_AT_MOST,
    BOTS_GAP_SECONDS,
    BOTS_HOUR,
    BURST_GAP_SECONDS,
    BURST_SHARE,
    DAY,
    DAY_NOISE_CORRELATION,
    DAY_NOISE_SIGMA,
    DEFAULT_QUEUE,
    HOLIDAY_WEIGHT,
    HOUR,
    HOUR_WEIGHTS,
    LOW,
    OFFICES,
    PEOPLE_PER_WEEKDAY,
    QUEUES,
    TRANSLATIONS_GAP_SECONDS,
    TRANSLATIONS_HOURS,
    URGENT,
    WEBSITE_QUEUE,
    WEEKDAY_WEIGHTS,
)
from mergecast.demo.stays import Fate, Group


@dataclass(frozen=True, slots=True)
class Arrival:
    """`moment` is in seconds since the start of the history; without a fate, chance decides about it."""

    moment: float
    group: Group
    fate: Fate | None = None


def daily_arrivals(seed: int, start: date) -> Iterator[list[Arrival]]:
    """The new pull requests of each day, without end; those of a day are in time order."""
    day, noise = 0, 0.0
    while True:
        chance = Random(f"{seed}:arrivals:{day}")
        fresh = math.sqrt(1 - DAY_NOISE_CORRELATION**2) * chance.normalvariate(0, 1)
        noise = DAY_NOISE_CORRELATION * noise + fresh
        level = math.exp(DAY_NOISE_SIGMA * noise - DAY_NOISE_SIGMA**2 / 2)
        updates = list(_updates(chance, day))
        people = _people(chance, day, level * _season(start + timedelta(days=day)))
        found = [*updates, *people, *_translations(chance, day)]
        yield sorted(found, key=lambda arrival: arrival.moment)
        day += 1


def _season(today: date) -> float:
    is_holiday = (today.month, today.day) >= (12, 23) or (today.month, today.day) <= (1, 2)
    return HOLIDAY_WEIGHT if is_holiday else 1.0


def _updates(chance: Random, day: int) -> Iterator[Arrival]:
    """Updates of dependencies; the last one breaks something, so that every day has a bisection."""
    moment = day * DAY + BOTS_HOUR * HOUR
    group = Group(DEFAULT_QUEUE.base_ref, DEFAULT_QUEUE.name, LOW)
    updates = chance.randint(BOTS_AT_LEAST, BOTS_AT_MOST)
    for number in range(1, updates + 1):
        moment += chance.expovariate(1 / BOTS_GAP_SECONDS)
        yield Arrival(moment, group, Fate(is_broken=True) if number == updates else None)


def _translations(chance: Random, day: int) -> Iterator[Arrival]:
    """Three batches: a slow one, one that passes and so merges the first without its result, a broken one."""
    group = Group(WEBSITE_QUEUE.base_ref, WEBSITE_QUEUE.name, None)
    fates = [Fate(is_slow=True), Fate(), Fate(), Fate(), Fate(), Fate(is_broken=True)]
    for hour in TRANSLATIONS_HOURS:
        moment = day * DAY + hour * HOUR
        for its_fate in fates:
            moment += chance.expovariate(1 / TRANSLATIONS_GAP_SECONDS)
            yield Arrival(moment, group, its_fate)


def _people(chance: Random, day: int, level: float) -> Iterator[Arrival]:
    for hour in range(day * 24, (day + 1) * 24):
        expected = level * _expected_in_hour(hour)
        passed = chance.expovariate(expected) if expected else math.inf
        while passed < 1:
            moment = hour * HOUR + passed * HOUR
            yield Arrival(moment, _group(chance))
            if chance.random() < BURST_SHARE:
                yield Arrival(moment + chance.expovariate(1 / BURST_GAP_SECONDS), _group(chance))
            passed += chance.expovariate(expected)


def _expected_in_hour(hour: int) -> float:
    weights = 0.0
    for office in OFFICES:
        local_day, local_hour = divmod(hour + office.hours_ahead, 24)
        weights += office.share * HOUR_WEIGHTS[local_hour] * WEEKDAY_WEIGHTS[local_day % 7]
    return PEOPLE_PER_WEEKDAY / (1 + BURST_SHARE) * weights / sum(HOUR_WEIGHTS)


def _group(chance: Random) -> Group:
    rules = chance.choices(QUEUES, [rules.share for rules in QUEUES])[0]
    priority = URGENT if chance.random() < rules.urgent_share else None
    return Group(rules.base_ref, rules.name, priority)
