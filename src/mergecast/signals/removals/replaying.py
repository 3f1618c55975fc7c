"""Judges the removals of one queue, period by period, from what the store has. Pure."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

import msgspec

from mergecast.queues.model.event import CHECKS_STARTED, QUEUE_ENTERED, QUEUE_LEFT
from mergecast.queues.model.instant import DAY, MINUTE
from mergecast.queues.model.verdict import NO_VERDICT, Verdict
from mergecast.queues.store.happened import CheckEvent, Happened, StayEvent
from mergecast.queues.store.verdicts import JudgedPeriod, JudgedRemoval, QueueKey, QueueState, RemovedStay
from mergecast.signals.verdict.engine import Engine, OtherVersion
from mergecast.signals.verdict.happenings import Check, Happening, Report, RunId, Split, Stay, happenings

# States of the last days are all kept, then one in a week, then one in four weeks, for three years.
_DAYS, _WEEKS, _FOUR_WEEKS = 8, 17, 39
# How far behind now the state is that a server can go back to: what happened before seldom changes.
_BEHIND: Final = 15 * MINUTE


def is_kept(day: int, today: int) -> bool:
    """Whether the state of a day is kept, so that a change in the past is not judged from the first event on.

    >>> [day for day in range(100, 140) if is_kept(day, 140)]
    [105, 112, 119, 126, 133, 134, 135, 136, 137, 138, 139]
    """
    age = today - day
    is_seldom = (day % 7 == 0 and age < 7 * _WEEKS) or (day % 28 == 0 and age < 28 * _FOUR_WEEKS)
    return age < _DAYS or is_seldom


@dataclass(slots=True)
class Replay:
    """A queue from a state on, or from its first event."""

    queue: QueueKey
    engine: Engine
    start: int
    recent: QueueState | None = None  # to which it can go back

    @classmethod
    def of(cls, queue: QueueKey, state: QueueState | None, first_at: int) -> "Replay":
        if state is not None:
            with suppress(OtherVersion):
                return cls(queue, Engine.load(state.document), state.at, recent=state)
        return cls(queue, Engine(), first_at // DAY * DAY)

    def judge(self, happened: Happened, end: int, today: int, *, is_last: bool) -> JudgedPeriod:
        """Judge everything up to the end of a period in which this happened.

        A period ends with a day, except for the last one, which ends now.
        """
        judged: dict[str, Verdict] = {}
        states: list[QueueState] = []
        stops = self._stops(end, today, is_last=is_last)
        for happening in [*in_order(happened), None]:
            at = end if happening is None else happening.at
            while stops and stops[0] <= at:
                judged.update(self.engine.advance(stops[0]))
                states.append(QueueState(stops.pop(0), self.engine.dump()))
            judged.update(self.engine.advance(at) if happening is None else self.engine.apply(happening))
        judged.update(self._open())
        listed = [_judged(session, verdict) for session, verdict in judged.items()]
        start, self.start = self.start, end
        if is_last and states:
            self.recent = states[-1]
        of_days = [state for state in states if state.at % DAY == 0]
        keeps = partial(is_kept, today=today)
        return JudgedPeriod(self.queue, start, end, _removed(happened), listed, of_days, keeps)

    def _stops(self, end: int, today: int, *, is_last: bool) -> list[int]:
        """The instants of a period whose states are needed later."""
        days = range(self.start // DAY + 1, -(-end // DAY) if is_last else end // DAY + 1)
        found = {day * DAY for day in days if is_kept(day, today) or day * DAY == end}
        if is_last and (self.recent is None or self.recent.at < end - 2 * _BEHIND):
            found.add(max(self.start, end - _BEHIND))
        return sorted(found)

    def _open(self) -> Iterator[tuple[str, Verdict]]:
        """What is said for now about removals whose verdicts may still change."""
        for session_id in self.engine.open_removals:
            verdict = self.engine.judge(session_id)
            if verdict is not None:
                yield session_id, verdict


def in_order(happened: Happened) -> list[Happening]:
    return happenings(
        map(_stay, happened.stays),
        map(_check, happened.checks),
        [
            Report(RunId(one.batch_id, one.attempt), one.name, one.placed_at, one.conclusion, one.length)
            for one in happened.reports
        ],
        [Split(one.happened_at, one.batch_id, _numbers(one.pull_requests)) for one in happened.splits],
    )


def _stay(event: StayEvent) -> Stay:
    """One end of a stay: each is a happening of its own."""
    if event.type == QUEUE_ENTERED:
        entered = Stay(event.session_id, event.pull_request, event.happened_at, entered_sha=event.head_sha)
        return entered._replace(priority_rule_name=event.priority_rule_name)
    reason, sha = event.reason, event.head_sha
    return Stay(event.session_id, event.pull_request, None, event.happened_at, reason, left_sha=sha)


def _check(event: CheckEvent) -> Check:
    check = Check(event.session_id, event.pull_request, RunId(event.batch_id, event.attempt), None)
    if event.type == CHECKS_STARTED:
        return check._replace(started_at=event.happened_at, pull_requests=_numbers(event.pull_requests))
    return check._replace(ended_at=event.happened_at, outcome=event.outcome)


def _numbers(listed: str | None) -> tuple[int, ...]:
    return tuple(int(number) for number in listed.split(",")) if listed else ()


def _removed(happened: Happened) -> dict[str, RemovedStay]:
    return {
        event.session_id: RemovedStay(event.stay, event.happened_at, event.pull_request)
        for event in happened.stays
        if event.type == QUEUE_LEFT and event.reason not in NO_VERDICT
    }


def _judged(session_id: str, verdict: Verdict) -> JudgedRemoval:
    document = msgspec.json.encode(verdict._replace(judged_at=0)).decode()  # a column of its own
    return JudgedRemoval(session_id, verdict.judged_at, verdict.cause, verdict.act, document)
