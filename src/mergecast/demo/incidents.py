"""When something goes wrong for everyone, and when a queue is closed."""

from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Final

from mergecast.demo.settings import (
    BROKEN_SHARE,
    DAY,
    FLAKE_SHARE,
    HOUR,
    MINUTE,
    PUSHES_PAST_THE_QUEUE_PER_DAY,
    QUEUES,
    WEEK,
    QueueRules,
    WeeklySpan,
)

_FLAKES: Final = "flakes"
_SLOW_CI: Final = "slow CI"
_BROKEN_MAIN: Final = "broken main"
_KINDS: Final = (_FLAKES, _SLOW_CI, _BROKEN_MAIN)
_WEEKS_PER_INCIDENT: Final = 4
# Once, no CI run of the default queue starts for six hours: the runners are gone. The queue is not closed.
OUTAGE_BEGINS: Final = 10 * WEEK + 3 * DAY + 10 * HOUR
OUTAGE_ENDS: Final = OUTAGE_BEGINS + 6 * HOUR


@dataclass(frozen=True, slots=True)
class Incident:
    """`paused_until` equals `ends` for all but a broken main."""

    kind: str
    begins: float
    ends: float
    paused_until: float


@dataclass(frozen=True, slots=True)
class Disruption:
    """Something outside a queue that stops all its running checks."""

    moment: float
    queue_name: str
    outcome: str


@lru_cache(maxsize=64)
def incident(seed: int, number: int) -> Incident:
    """The incident of the four weeks with this number; three in a row are of different kinds."""
    kinds = list(_KINDS)
    Random(f"{seed}:incident-kinds:{number // len(_KINDS)}").shuffle(kinds)
    kind = kinds[number % len(_KINDS)]
    chance = Random(f"{seed}:incident:{number}")
    monday = (number * _WEEKS_PER_INCIDENT + chance.randrange(_WEEKS_PER_INCIDENT)) * WEEK
    if kind != _BROKEN_MAIN:
        return Incident(kind, monday, monday + 5 * DAY, monday + 5 * DAY)
    begins = monday + chance.randint(1, 3) * DAY + chance.uniform(12, 15) * HOUR
    ends = begins + 3 * HOUR
    return Incident(kind, begins, ends, ends + chance.uniform(20, 90) * MINUTE)


def _incident_near(seed: int, moment: float) -> Incident:
    return incident(seed, int(moment // (_WEEKS_PER_INCIDENT * WEEK)))


def _is_under(seed: int, moment: float, kind: str) -> bool:
    near = _incident_near(seed, moment)
    return near.kind == kind and near.begins <= moment < near.ends


def broken_share(seed: int, moment: float) -> float:
    """The chance that a pull request entering at `moment` breaks CI."""
    return 0.6 if _is_under(seed, moment, _BROKEN_MAIN) else BROKEN_SHARE


def flake_share(seed: int, moment: float) -> float:
    """The chance that a run starting at `moment` fails although nothing is wrong."""
    return FLAKE_SHARE * (4 if _is_under(seed, moment, _FLAKES) else 1)


def slowness(seed: int, moment: float) -> float:
    """By which factor CI is slower than usual."""
    return 1.8 if _is_under(seed, moment, _SLOW_CI) else 1.0


def paused_until(seed: int, moment: float) -> float | None:
    """The end of a pause during which `moment` falls, or None."""
    near = _incident_near(seed, moment)
    return near.paused_until if near.ends <= moment < near.paused_until else None


def disruptions(seed: int, day: int) -> list[Disruption]:
    """What stops running checks on a day, which is counted from the start of the history."""
    found = [
        Disruption(moment, rules.name, outcome)
        for rules in QUEUES
        for moment, outcome in (*_freezes(rules, day), *_pauses(rules, seed, day))
    ]
    chance = Random(f"{seed}:pushes:{day}")
    if chance.random() < PUSHES_PAST_THE_QUEUE_PER_DAY:
        moment = day * DAY + chance.uniform(8, 20) * HOUR
        pushed = chance.choices(QUEUES, [rules.share for rules in QUEUES])[0]
        found.append(Disruption(moment, pushed.name, "MERGE_QUEUE_RESET"))
    return found


def _freezes(rules: QueueRules, day: int) -> list[tuple[float, str]]:
    monday = day // 7 * WEEK
    moments = [monday + span.begins for span in rules.freezes]
    return [(moment, "SCHEDULED_FREEZE_STATUS_CHANGED") for moment in moments if moment // DAY == day]


def _pauses(rules: QueueRules, seed: int, day: int) -> list[tuple[float, str]]:
    near = _incident_near(seed, day * DAY)
    pauses_today = near.ends < near.paused_until and near.ends // DAY == day
    if not (rules.is_paused_by_incidents and pauses_today):
        return []
    return [(near.ends, "PR_CHECKS_STOPPED_BECAUSE_MERGE_QUEUE_PAUSE")]


def closed_until(rules: QueueRules, seed: int, moment: float) -> float | None:
    """When runs can start again: the queue opens, or the runners are back. None if they can at `moment`."""
    for monday in _mondays(moment, moment):
        for span in (*rules.freezes, *rules.off_schedule):
            if monday + span.begins <= moment < monday + span.ends:
                return monday + span.ends
    if not rules.is_paused_by_incidents:
        return None
    return OUTAGE_ENDS if OUTAGE_BEGINS <= moment < OUTAGE_ENDS else paused_until(seed, moment)


def closed_seconds(spans: tuple[WeeklySpan, ...], since: float, until: float) -> float:
    """How much of the time between two moments the weekly spans cover."""
    if not spans:
        return 0.0
    return sum(
        min(monday + span.ends, until) - max(monday + span.begins, since)
        for monday in _mondays(since, until)
        for span in spans
        if monday + span.begins < until and since < monday + span.ends
    )


def _mondays(since: float, until: float) -> list[float]:
    """A span may reach into the week after its own, so the first is one week earlier."""
    return [week * WEEK for week in range(int(since // WEEK) - 1, int(until // WEEK) + 1)]
