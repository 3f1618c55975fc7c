"""Finds the events that are connected with some stays or bisections, and whether all of that is over."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from mergecast.queues.model.connected import connected
from mergecast.queues.model.event import (
    BISECTION_ENDED,
    CHECKS_ENDED,
    QUEUE_ENTERED,
    QUEUE_LEFT,
)
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.keys import joined

# More than any stay has. Whoever may send events can connect any number of them, which would take too long.
MOST_CONNECTED_EVENTS = 20_000
_ENDS = (QUEUE_LEFT, CHECKS_ENDED, BISECTION_ENDED)

_Name = tuple[str, int]  # a thread, or what has the number of a subject


class FoundEvent(NamedTuple):
    number: int
    key_high: int
    key_low: int
    stay: int | None
    run: int | None  # or the bisection
    thread: int | None
    type: str
    happened_at: int
    pull_request: int | None
    batch_id: str | None

    @property
    def key(self) -> bytes:
        return joined(self.key_high, self.key_low)

    @property
    def names(self) -> list[_Name]:
        kinds = (("subject", self.stay), ("subject", self.run), ("thread", self.thread))
        return [(kind, number) for kind, number in kinds if number is not None]


@dataclass(frozen=True)
class Component:
    """Events that are connected by the stays, CI runs, bisections and threads that they belong to."""

    events: tuple[FoundEvent, ...]

    @cached_property
    def names(self) -> frozenset[_Name]:
        return frozenset(chain.from_iterable(event.names for event in self.events))

    @property
    def subjects(self) -> frozenset[int]:
        return frozenset(number for kind, number in self.names if kind == "subject")

    @property
    def threads(self) -> frozenset[int]:
        return frozenset(number for kind, number in self.names if kind == "thread")

    @property
    def pull_requests(self) -> frozenset[int]:
        """Those that entered a queue."""
        entries = (event for event in self.events if event.type == QUEUE_ENTERED)
        return frozenset(event.pull_request for event in entries if event.pull_request is not None)

    @property
    def batches(self) -> frozenset[str]:
        return frozenset(event.batch_id for event in self.events if event.batch_id is not None)

    def is_over_before(self, limit: int) -> bool:
        """Whether every stay, CI run and bisection has ended, and all events happened before the limit."""
        ended = {_ended(event) for event in self.events if event.type in _ENDS}
        return self.subjects <= ended and all(event.happened_at < limit for event in self.events)


def _ended(event: FoundEvent) -> int | None:
    return event.stay if event.type == QUEUE_LEFT else event.run


def find_components(held: HeldRepository, subjects: Collection[int]) -> list[Component]:
    """Everything that is connected with these subjects, except what is connected with too many events."""
    found: dict[int, FoundEvent] = {}
    new: set[_Name] = {("subject", subject) for subject in subjects}
    asked: set[_Name] = set()
    while new and len(found) <= MOST_CONNECTED_EVENTS:
        asked |= new
        rows = held.rows("connected_events", _numbers(new, "subject"), _numbers(new, "thread"))
        found |= {row[0]: FoundEvent(*row) for row in rows}
        new = set(chain.from_iterable(event.names for event in found.values())) - asked
        held.give_way()
    events = list(found.values())
    components = [
        Component(tuple(events[place] for place in places))
        for places in connected([event.names for event in events])
    ]
    return [component for component in components if component.names.isdisjoint(new)]


def _numbers(names: Collection[_Name], wanted: str) -> list[int]:
    return sorted(number for kind, number in names if kind == wanted)
