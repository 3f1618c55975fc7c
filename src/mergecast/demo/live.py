"""Traffic for people who watch: a queue of small translations that never stops, a few events a minute."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from random import Random
from typing import Final

from mergecast.demo.ci_runs import fate
from mergecast.demo.event_log import Agenda, EventLog, play
from mergecast.demo.merge_queue import MergeQueue, Simulation
from mergecast.demo.settings import MINUTE, Pipeline, QueueRules
from mergecast.demo.stays import Group, Stay

SOURCE: Final = "demo-live"
QUEUE_NAME: Final = "translations"
_QUEUE: Final = QueueRules(
    name=QUEUE_NAME,
    base_ref="main",
    share=1.0,
    urgent_share=0.0,
    max_parallel_checks=3,
    batch_size=4,
    pipeline=Pipeline(floor_minutes=1.5, median_minutes=3, sigma=0.5),
    batch_max_wait_seconds=MINUTE,
    skips_intermediate_results=True,
)
_ARRIVALS_PER_MINUTE: Final = 0.5
_NUMBERS_FROM: Final = datetime(2026, 1, 1, tzinfo=UTC)
_FIRST_PULL_REQUEST: Final = 100_000
_SESSION: Final = re.compile(r"stay-live-([0-9]{1,11})-[0-9]+")


def live_events(start: datetime) -> Iterator[dict[str, object]]:
    """The events of a queue that opens at `start`, in time order and without end."""
    return _LiveQueue(start).events()


def opened_at(session_id: str) -> datetime | None:
    """When the queue opened that a stay was in; None if it was another queue.

    >>> opened_at("stay-live-1794744000-558640")
    datetime.datetime(2026, 11, 15, 12, 0, tzinfo=datetime.timezone.utc)
    """
    found = _SESSION.fullmatch(session_id)
    return datetime.fromtimestamp(int(found[1]), UTC) if found else None


class _LiveQueue:
    def __init__(self, start: datetime) -> None:
        self._seed = int(start.timestamp())
        self._chance = Random(f"{self._seed}:live")
        self._agenda = Agenda()
        self._log = EventLog(start, f"live-{self._seed}", Random(f"{self._seed}:jitter"), SOURCE)
        self._queue = MergeQueue(_QUEUE, Simulation(self._seed, self._agenda, self._log, lambda *_: None))
        minutes = int((start - _NUMBERS_FROM).total_seconds() // MINUTE)
        self._next_pull_request = _FIRST_PULL_REQUEST + max(0, minutes)

    def events(self) -> Iterator[dict[str, object]]:
        self._agenda.plan(0.0, self._arrive)
        return play(self._agenda, self._log)

    def _arrive(self) -> None:
        now, number = self._log.now, self._next_pull_request
        self._next_pull_request += 1
        session_id = f"stay-{self._log.name}-{number}"
        group = Group(_QUEUE.base_ref, _QUEUE.name, None)
        self._queue.enter(Stay(session_id, number, 1, group, fate(self._seed, session_id, now), now, now))
        pause = MINUTE * self._chance.expovariate(_ARRIVALS_PER_MINUTE)
        self._agenda.plan(now + pause, self._arrive)
