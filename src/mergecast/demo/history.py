"""The history of the invented queues."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import partial
from itertools import count, takewhile
from math import inf
from random import Random
from typing import Final

from mergecast.demo.arrivals import Arrival, daily_arrivals
from mergecast.demo.ci_runs import fate
from mergecast.demo.event_log import Agenda, EventLog, play, wire_time
from mergecast.demo.incidents import disruptions
from mergecast.demo.merge_queue import MergeQueue, Simulation
from mergecast.demo.settings import (
    DAY,
    DEQUEUES_PER_HOUR,
    FIRST_PULL_REQUEST,
    HOUR,
    MINUTE,
    OPEN_PULL_REQUESTS,
    QUEUES,
    UPDATES_PER_HOUR,
    WEEK,
)
from mergecast.demo.stays import Fate, Group, Stay


def demo_events(
    start: date, until: datetime, seed: int = 20260302, checks_since: datetime | None = None
) -> Iterator[dict[str, object]]:
    """Everything that happened in the invented queues, in time order, as events in wire form.

    The history starts on `start`, a Monday in UTC, and ends with `until` included. A later `until` only adds
    events at the end. The first event is on the day of `start`. CI checks are reported of the runs that end
    since `checks_since`, or of none: they are three quarters of all events, and nothing else depends on them.
    """
    if start.weekday() != 0:
        raise ValueError(f"`{start}` is a {start:%A}, expected a Monday: start on the Monday of that week")
    if until.utcoffset() is None:
        raise ValueError(f"`{until}` has no offset from UTC, expected an aware datetime: add one")
    last = wire_time(until.astimezone(UTC))
    return takewhile(lambda event: str(event["at"]) <= last, _History(start, seed, checks_since).events())


class _History:
    """One run of the simulation. It has no end, so that nothing depends on when the reader stops."""

    def __init__(self, start: date, seed: int, checks_since: datetime | None) -> None:
        self._seed = seed
        self._agenda = Agenda()
        name = f"{Random(f'{seed}:name:{start.isoformat()}').getrandbits(24):06x}"
        midnight = datetime(start.year, start.month, start.day, tzinfo=UTC)
        self._log = EventLog(midnight, name, Random(f"{seed}:jitter:{start.isoformat()}"))
        self._days = enumerate(daily_arrivals(seed, start))
        self._pull_requests = (
            number for number in count(FIRST_PULL_REQUEST) if number not in OPEN_PULL_REQUESTS
        )
        since = inf if checks_since is None else (checks_since - midnight).total_seconds()
        simulation = Simulation(seed, self._agenda, self._log, self._when_left, since)
        self._queues = {rules.name: MergeQueue(rules, simulation) for rules in QUEUES}

    def events(self) -> Iterator[dict[str, object]]:
        self._agenda.plan(0.0, self._begin_day)
        return play(self._agenda, self._log)

    def _begin_day(self) -> None:
        day, arrivals = next(self._days)
        for arrival in arrivals:
            self._agenda.plan(arrival.moment, partial(self._arrive, arrival))
        for disruption in disruptions(self._seed, day):
            queue = self._queues[disruption.queue_name]
            self._agenda.plan(disruption.moment, partial(queue.disrupt, disruption.outcome))
        self._agenda.plan((day + 1) * DAY, self._begin_day)

    def _arrive(self, arrival: Arrival) -> None:
        self._enter(self._stay(next(self._pull_requests), 1, arrival.group, arrival.fate))

    def _stay(self, pull_request: int, turn: int, group: Group, given: Fate | None = None) -> Stay:
        now = self._log.now
        session_id = f"stay-{self._log.name}-{pull_request}-{turn}"
        its_fate = given or fate(self._seed, session_id, now)
        return Stay(session_id, pull_request, turn, group, its_fate, now, now)

    def _enter(self, stay: Stay) -> None:
        queue = self._queues[stay.group.queue_name]
        queue.enter(stay)
        intent = withdrawal(self._seed, stay.session_id, stay.entered_at)
        if intent is not None:
            self._agenda.plan(intent.moment, partial(queue.withdraw, stay, intent.reason))

    def _when_left(self, stay: Stay, reason: str) -> None:
        back_at = comes_back_at(self._seed, stay, reason, self._log.now)
        if back_at is not None:
            self._agenda.plan(back_at, partial(self._come_back, stay, reason))

    def _come_back(self, before: Stay, reason: str) -> None:
        stay = self._stay(before.pull_request, before.turn + 1, before.group)
        stay.pushes = before.pushes + has_changed(self._seed, before, reason, stay.fate)
        self._enter(stay)


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """Someone removes a pull request from the queue, if it is still there then."""

    moment: float
    reason: str


@dataclass(frozen=True, slots=True)
class _Habit:
    share: float
    median_minutes: float
    sigma: float


_AFTER_A_FLAKE: Final = _Habit(share=0.9, median_minutes=25, sigma=1.2)
_AFTER_A_CONFLICT: Final = _Habit(share=0.7, median_minutes=120, sigma=1.0)
_COMING_BACK: Final = {
    "CHECKS_FAILED": _Habit(share=0.4, median_minutes=300, sigma=1.0),
    "CHECKS_TIMEOUT": _AFTER_A_FLAKE,
    "BATCH_MAX_FAILURE_RESOLUTION_ATTEMPTS": _AFTER_A_FLAKE,
    "PR_UNEXPECTEDLY_FAILED_TO_MERGE": _AFTER_A_FLAKE,
    "PULL_REQUEST_UPDATED": _Habit(share=0.8, median_minutes=50, sigma=0.9),
    "PR_MANUALLY_DEQUEUED": _Habit(share=0.4, median_minutes=180, sigma=1.0),
    "CONFLICT_WITH_BASE_BRANCH": _AFTER_A_CONFLICT,
    "CONFLICT_WITH_PULL_AHEAD": _AFTER_A_CONFLICT,
}
_NEEDS_PUSH: Final = ("PULL_REQUEST_UPDATED", "CONFLICT_WITH_BASE_BRANCH", "CONFLICT_WITH_PULL_AHEAD")
_UNCHANGED_SHARE: Final = 0.85
_UNCHANGED_SHARE_IF_BROKEN: Final = 0.25


def withdrawal(seed: int, session_id: str, entered_at: float) -> Withdrawal | None:
    """When someone removes the pull request; None if that would be outside working hours."""
    chance = Random(f"{seed}:withdrawal:{session_id}")
    per_hour = UPDATES_PER_HOUR + DEQUEUES_PER_HOUR
    moment = entered_at + HOUR * chance.expovariate(per_hour)
    is_update = chance.random() < UPDATES_PER_HOUR / per_hour
    if not _is_working_time(moment):
        return None
    return Withdrawal(moment, "PULL_REQUEST_UPDATED" if is_update else "PR_MANUALLY_DEQUEUED")


def comes_back_at(seed: int, stay: Stay, reason: str, moment: float) -> float | None:
    """When a pull request that left at `moment` is queued again, or None."""
    habit = _COMING_BACK.get(reason)
    if reason == "CHECKS_FAILED" and not stay.fate.is_broken:
        habit = _AFTER_A_FLAKE
    if habit is None:
        return None
    chance = Random(f"{seed}:back:{stay.session_id}")
    if chance.random() >= habit.share:
        return None
    back_at = moment + MINUTE * (1 + habit.median_minutes * chance.lognormvariate(0, habit.sigma))
    return back_at if _is_working_time(back_at) else _next_morning(back_at) + chance.uniform(0, 2) * HOUR


def has_changed(seed: int, before: Stay, reason: str, now: Fate) -> bool:
    """Whether someone pushed a commit after the pull request had left, before it came back.

    A commit that was broken stays broken, and one that was not does not break.
    """
    if reason in _NEEDS_PUSH or before.fate.is_broken != now.is_broken:
        return True
    unchanged = _UNCHANGED_SHARE_IF_BROKEN if now.is_broken else _UNCHANGED_SHARE
    return Random(f"{seed}:push:{before.session_id}").random() >= unchanged


def _is_working_time(moment: float) -> bool:
    return moment % WEEK < 5 * DAY and moment % DAY >= 7 * HOUR


def _next_morning(moment: float) -> float:
    # It is the early morning of a working day, or the weekend.
    day = moment // DAY if moment % WEEK < 5 * DAY else (moment // WEEK + 1) * 7
    return day * DAY + 7 * HOUR
