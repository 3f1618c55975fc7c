"""Plans what happens in the simulation, and writes it down as events in wire form."""

import heapq
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from functools import cache
from hashlib import blake2b
from itertools import count
from random import Random
from typing import Final, TypeAlias

from mergecast.demo.ci_checks import CiCheck
from mergecast.demo.stays import Batch, Bisection, Group, Stay

Action: TypeAlias = Callable[[], None]
SOURCE: Final = "demo"
_COMMIT_BYTES: Final = 20
_DELAYS_IN_SECONDS: Final = {
    "queue_entered": (0.0, 0.01),
    "queue_left": (0.4, 2.5),
    "checks_started": (0.2, 1.2),
    "checks_ended": (0.01, 0.2),
    "bisection_started": (0.01, 0.2),
    "bisection_ended": (0.01, 0.2),
}


class Agenda:
    """Future actions by time; those of the same instant in the order in which they were planned."""

    def __init__(self) -> None:
        self._order = count()
        self._entries: list[tuple[float, int, Action]] = []

    def plan(self, moment: float, action: Action) -> None:
        """Plan `action` for `moment`, in seconds since the start."""
        heapq.heappush(self._entries, (moment, next(self._order), action))

    def __len__(self) -> int:
        return len(self._entries)

    def pop(self) -> tuple[float, Action]:
        """Take the next action off the agenda."""
        moment, _, action = heapq.heappop(self._entries)
        return moment, action


class EventLog:
    """The simulation's clock and uncollected events. Writing takes a moment; time never goes back."""

    def __init__(self, start: datetime, name: str, jitter: Random, source: str = SOURCE) -> None:
        self.name = name  # part of all ids, so that those of two simulations differ
        self.now = 0.0
        self._start = start.replace(tzinfo=None)  # without an offset it takes half the time to add and write
        self._jitter = jitter
        self._source = source
        self._written = 0
        self._uncollected: list[dict[str, object]] = []

    def advance(self, moment: float) -> None:
        """Let time pass until `moment`, unless it is already later."""
        self.now = max(self.now, moment)

    def collect(self) -> list[dict[str, object]]:
        """The events written since the last call, in time order."""
        collected, self._uncollected = self._uncollected, []
        return collected

    def entered(self, stay: Stay) -> None:
        """A pull request entered a queue."""
        fields: dict[str, object] = {"head_sha": self._commit(stay, stay.pushes)}
        self._write("queue_entered", stay.group, _of_stay(stay) | fields)

    def left(self, stay: Stay, reason: str, batch_id: str | None) -> None:
        """A pull request left its queue; if someone pushed to it, it has the new commit by then."""
        pushes = stay.pushes + (reason == "PULL_REQUEST_UPDATED")
        fields = {
            "reason": reason,
            "batch_id": batch_id,
            "seconds_waiting_for_schedule": round(stay.seconds_waiting_for_schedule, 6),
            "seconds_waiting_for_freeze": round(stay.seconds_waiting_for_freeze, 6),
            "head_sha": self._commit(stay, pushes),
        }
        self._write("queue_left", stay.group, _of_stay(stay) | fields)

    def checks_started(self, stay: Stay, batch: Batch) -> None:
        """CI started for one pull request of a batch."""
        fields = _of_check(stay, batch)
        fields["batch_pull_requests"] = list(batch.pull_requests)
        self._write("checks_started", stay.group, fields)

    def checks_ended(self, stay: Stay, batch: Batch, outcome: str) -> None:
        """CI ended for one pull request of a batch."""
        fields = _of_check(stay, batch)
        fields["outcome"] = outcome
        self._write("checks_ended", stay.group, fields)

    def bisection_started(self, bisection: Bisection, batch: Batch) -> None:
        """A failed batch is about to be split."""
        fields: dict[str, object] = {
            "batch_id": bisection.batch_id,
            "depth": bisection.splits,
            "batch_pull_requests": [stay.pull_request for stay in batch.stays],
        }
        self._write("bisection_started", bisection.group, fields)

    def bisection_ended(self, bisection: Bisection) -> None:
        """Every pull request of a bisected batch has left."""
        fields: dict[str, object] = {
            "batch_id": bisection.batch_id,
            "culprit_found": bisection.culprit_found,
            "max_failures_reached": bisection.max_failures_reached,
        }
        self._write("bisection_ended", bisection.group, fields)

    def ci_checks(self, group: Group, batch: Batch, checks: Iterable[CiCheck]) -> None:
        """What the checks of a run did. They take no time and no number, so that nothing else changes."""
        wire = cache(self._wire)  # checks of a run begin to wait together, and many are stopped together
        at = wire(self.now)
        for place, check in enumerate(checks, 1):
            execution = f"{batch.batch_id}-{batch.attempt}-{place:02d}"
            self._uncollected.append(
                {
                    "id": f"demo-ci-{execution}",
                    "type": "ci_check_reported",
                    "at": at,
                    "base_ref": group.base_ref,
                    "queue_name": group.queue_name,
                    "source": self._source,
                    "batch_id": batch.batch_id,
                    "attempt": batch.attempt,
                    "check_id": execution,
                    "name": check.name,
                    "conclusion": check.conclusion,
                    "queued_at": wire(check.queued_at),
                    "started_at": None if check.started_at is None else wire(check.started_at),
                    "ended_at": wire(check.ended_at),
                    "url": f"https://ci.harbor.example/{execution}",
                    "runner": check.runner,
                    "is_required": check.is_required,
                }
            )

    def _commit(self, stay: Stay, pushes: int) -> str:
        name = f"{self.name} {stay.pull_request} {pushes}"
        return blake2b(name.encode(), digest_size=_COMMIT_BYTES).hexdigest()

    def _wire(self, moment: float) -> str:
        return f"{(self._start + timedelta(seconds=moment)).isoformat(timespec='microseconds')}Z"

    def _write(self, kind: str, group: Group, fields: dict[str, object]) -> None:
        self._written += 1
        self.now += self._jitter.uniform(*_DELAYS_IN_SECONDS[kind])
        event: dict[str, object] = {
            "id": f"demo-{self.name}-{self._written:08d}",
            "type": kind,
            "at": self._wire(self.now),
            "base_ref": group.base_ref,
            "queue_name": group.queue_name,
            "priority_rule_name": group.priority_rule_name,
            "source": self._source,
        }
        event.update(fields)
        self._uncollected.append(event)


def play(agenda: Agenda, log: EventLog) -> Iterator[dict[str, object]]:
    """Do what is planned, one action after the other, and yield the events that it writes."""
    while agenda:
        moment, action = agenda.pop()
        log.advance(moment)
        action()
        yield from log.collect()


def wire_time(moment: datetime) -> str:
    """A moment in UTC as text; the order of texts is the order of moments."""
    return f"{moment.isoformat(timespec='microseconds').removesuffix('+00:00')}Z"


def _of_stay(stay: Stay) -> dict[str, object]:
    return {"session_id": stay.session_id, "pull_request": stay.pull_request}


def _of_check(stay: Stay, batch: Batch) -> dict[str, object]:
    return {
        "session_id": stay.session_id,
        "pull_request": stay.pull_request,
        "batch_id": batch.batch_id,
        "attempt": batch.attempt,
    }
