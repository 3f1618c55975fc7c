"""What verdicts would say about pull requests in the queues of a branch, now and at past instants."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Final

from mergecast.judge.messages import CheckFound
from mergecast.queues.model.event import (
    BISECTION_STARTED,
    CHECKS_ENDED,
    CHECKS_STARTED,
    QUEUE_ENTERED,
    QUEUE_LEFT,
    Event,
)
from mergecast.queues.model.instant import DAY
from mergecast.queues.model.verdict import Suspicion
from mergecast.signals.verdict.engine import Engine, OtherVersion
from mergecast.signals.verdict.happenings import Check, Happening, Report, RunId, Split, Stay, happenings

_KEPT_EVERY: Final = 7 * DAY


class Past:
    """The queues of a branch; what is asked for in the order of time costs one replay of each."""

    def __init__(
        self, events: Iterable[Event], checks: Iterable[CheckFound], states: Mapping[str, bytes]
    ) -> None:
        by_queue: dict[str, list[Event]] = {}
        for event in events:
            by_queue.setdefault(event.queue_name, []).append(event)
        reports = [Report(RunId(one.batch_id, one.attempt), *one[2:]) for one in checks]
        self._queues = {
            name: _queue(of_queue, reports, _loaded(states.get(name))) for name, of_queue in by_queue.items()
        }

    def at(self, instant: int) -> list[Suspicion]:
        return [found for queue in self._queues.values() for found in queue.at(instant).suspicions()]

    def states_at(self, instant: int) -> dict[str, bytes]:
        """From which another process can go on."""
        return {name: queue.at(instant).dump() for name, queue in self._queues.items()}


class _Queue:
    """What happens after a state; keeps a state of each week, to which it can go back."""

    def __init__(self, happened: list[Happening], engine: Engine) -> None:
        self._happened, self._engine, self._next = happened, engine, 0
        self._kept = [(engine.at or 0, self._next, engine.dump())]

    def at(self, instant: int) -> Engine:
        if self._engine.at is not None and instant < self._engine.at:
            self._go_back(instant)
        end = bisect_right(self._happened, instant, key=_instant)
        for happening in self._happened[self._next : end]:
            self._engine.apply(happening)
            self._next += 1
            if happening.at >= self._kept[-1][0] + _KEPT_EVERY:
                self._kept.append((happening.at, self._next, self._engine.dump()))
        if self._engine.at is None or self._engine.at < instant:
            self._engine.advance(instant)
        return self._engine

    def _go_back(self, instant: int) -> None:
        """An instant before the first state is answered with that state."""
        known = max(1, bisect_right(self._kept, instant, key=lambda kept: kept[0]))
        _, self._next, state = self._kept[known - 1]
        self._engine = Engine.load(state)


def _queue(events: Sequence[Event], reports: Iterable[Report], engine: Engine) -> _Queue:
    since = engine.at
    later = events if since is None else [event for event in events if event.happened_at > since]
    return _Queue(_happened(later, reports), engine)


def _instant(happening: Happening) -> int:
    return happening.at


def _loaded(state: bytes | None) -> Engine:
    if state is not None:
        with suppress(OtherVersion):
            return Engine.load(state)
    return Engine()


def _happened(events: Sequence[Event], reports: Iterable[Report]) -> list[Happening]:
    """Of several events that say the same, the first counts."""
    firsts = {
        (event.type, event.session_id, event.batch_id, event.attempt, event.depth): event
        for event in reversed(events)
    }
    found = list(firsts.values())
    return happenings(
        (_stay(event) for event in found if event.type in {QUEUE_ENTERED, QUEUE_LEFT}),
        (_check(event) for event in found if event.type in {CHECKS_STARTED, CHECKS_ENDED}),
        reports,
        (
            Split(event.happened_at, event.batch_id or "", _numbers(event.batch_pull_requests))
            for event in found
            if event.type == BISECTION_STARTED
        ),
    )


def _stay(event: Event) -> Stay:
    """One end of a stay: each is a happening of its own."""
    session_id, number, at = event.session_id or "", event.pull_request or 0, event.happened_at
    if event.type == QUEUE_ENTERED:
        rule = event.priority_rule_name
        return Stay(session_id, number, at, entered_sha=event.head_sha, priority_rule_name=rule)
    return Stay(session_id, number, None, at, event.reason, left_sha=event.head_sha)


def _check(event: Event) -> Check:
    run = RunId(event.batch_id or "", event.attempt or 1)
    check = Check(event.session_id or "", event.pull_request or 0, run, None)
    if event.type == CHECKS_STARTED:
        numbers = _numbers(event.batch_pull_requests)
        return check._replace(started_at=event.happened_at, pull_requests=numbers)
    return check._replace(ended_at=event.happened_at, outcome=event.outcome)


def _numbers(listed: str | None) -> tuple[int, ...]:
    return tuple(int(number) for number in listed.split(",")) if listed else ()
