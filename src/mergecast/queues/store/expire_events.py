"""Deletes stays, CI runs and bisections that ended long ago, and old reports about CI checks, in small steps.

What is left must not depend on what is deleted. So everything that is connected by events is deleted
together, or not at all (`find_components`), and `_without_needed` lists what else needs it.
"""

import asyncio
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain
from typing import NamedTuple

from mergecast.queues.model.connected import connected
from mergecast.queues.model.event import BISECTION_ENDED, CHECKS_ENDED, QUEUE_ENTERED, QUEUE_LEFT
from mergecast.queues.model.instant import DAY
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.ci.delete import Chosen, delete_chosen_checks
from mergecast.queues.store.ci.rows import CiCheckRow, CiDayRow, CiRunRow
from mergecast.queues.store.ci.runs import touch_days
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.keys import all_halves, joined
from mergecast.queues.store.rows import (
    DeliveryRow,
    SubjectRow,
    ThreadLinkRow,
    ThreadRow,
    UntranslatedRow,
    WaitingThreadRow,
    WithdrawnEndRow,
)
from mergecast.queues.store.store import Store
from mergecast.queues.store.stored_rows import delete_rows, stored_rows
from mergecast.queues.store.verdicts import delete_verdicts

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


_AT_ONCE = 100  # stays, or bisections: others take turns after so many
_STATEMENTS = ("ended_stays", "ended_bisections")
_NO_INSTANT = (2**62, -(2**62))  # of the first and the last delivery, where none is added


class _Place(NamedTuple):
    """How far the stays, then the bisections, were looked at."""

    statement: int = 0
    at: int = -(2**63)
    number: int = 0


class _Step(NamedTuple):
    deleted: int  # events
    following: _Place | None


async def drop_old_events(store: Store, name: Repository, now: int, keep: int) -> int:
    """Delete what ended longer than `keep` ago, whole days at a time; returns how many events that were.

    After each step it rests for as long as the step took, so that others need not wait for every one of them.
    """
    limit, deleted = (now - keep) // DAY * DAY, 0
    place: _Place | None = _Place()
    while place is not None:
        begun = time.perf_counter()
        step = await store.change(name, partial(_delete_some, limit=limit, place=place), create=False)
        if step is None:
            break
        deleted, place = deleted + step.deleted, step.following
        if step.deleted:
            await asyncio.sleep(time.perf_counter() - begun)
    return deleted


def _delete_some(held: HeldRepository, limit: int, place: _Place) -> _Step:
    """Look at the next stays or bisections, and delete those that may be deleted."""
    rows = held.rows(_STATEMENTS[place.statement], limit, place.at, place.number, _AT_ONCE)
    following: _Place | None = _Place(place.statement + 1)
    if len(rows) == _AT_ONCE:
        following = _Place(place.statement, *rows[-1])
    elif place.statement + 1 == len(_STATEMENTS):
        following = None
    if not rows:
        return _Step(0, following)
    components = [
        component
        for component in find_components(held, [number for _, number in rows])
        if component.is_over_before(limit)
    ]
    deletable = _without_needed(held, components, limit)
    if deletable:
        _delete(held, deletable, limit)
    return _Step(sum(len(component.events) for component in deletable), following)


def _without_needed(held: HeldRepository, components: Sequence[Component], limit: int) -> list[Component]:
    """Those on which nothing depends that stays: see the three functions below."""
    found = list(components)
    for is_needed in (_ends_an_open_stay, _explains_other_threads, _has_later_checks):
        if found:
            needed = is_needed(held, found, limit)
            found = [component for place, component in enumerate(found) if place not in needed]
            held.give_way()
    return found


def _ends_an_open_stay(held: HeldRepository, components: Sequence[Component], limit: int) -> set[int]:  # noqa: ARG001
    """A stay without an end is over when its pull request enters again: that entry must stay."""
    asked = sorted(frozenset(chain.from_iterable(component.pull_requests for component in components)))
    still_open = {number for (number,) in held.rows("open_pull_requests", asked)} if asked else set()
    return {
        place
        for place, component in enumerate(components)
        if not component.pull_requests.isdisjoint(still_open)
    }


def _explains_other_threads(held: HeldRepository, components: Sequence[Component], limit: int) -> set[int]:
    """A thread that is translated again needs those it is built on; some may have later deliveries, too."""
    asked = sorted(frozenset(chain.from_iterable(component.threads for component in components)))
    if not asked:
        return set()
    rows = stored_rows(held.rows, ThreadRow, number=asked)
    kept = {row.number for row in rows if row.last_at >= limit}
    kept |= {row.thread for row in stored_rows(held.rows, WaitingThreadRow, thread=asked)}
    links = stored_rows(held.rows, ThreadLinkRow, thread=asked)
    owned = sorted({link.name for link in links if link.is_owner})
    in_use = {name for (name,) in held.rows("names_in_use", owned, limit)} if owned else set()
    kept |= {link.thread for link in links if link.is_owner and link.name in in_use}
    return {place for place, component in enumerate(components) if not component.threads.isdisjoint(kept)}


def _has_later_checks(held: HeldRepository, components: Sequence[Component], limit: int) -> set[int]:
    """Whether a check is flaky depends on all attempts of its batch, whenever they ran."""
    asked = sorted(frozenset(chain.from_iterable(component.batches for component in components)))
    if not asked or not held.state.ci_checks:
        return set()
    later = {batch for batch, last in held.rows("last_ci_checks_of_batches", asked) if last >= limit}
    return {place for place, component in enumerate(components) if not component.batches.isdisjoint(later)}


def _delete(held: HeldRepository, components: Sequence[Component], limit: int) -> None:
    events = {event.number: event.key for component in components for event in component.events}
    subjects = sorted(frozenset(chain.from_iterable(component.subjects for component in components)))
    threads = sorted(frozenset(chain.from_iterable(component.threads for component in components)))
    rows = stored_rows(held.rows, SubjectRow, number=[*subjects, *threads])
    keys = {row.number: joined(row.key_high, row.key_low) for row in rows}
    if held.state.ci_checks:
        _delete_ci_runs(held, [keys[number] for number in subjects if number in keys])
    held.delete_facts(subjects)
    delete_rows(held, WithdrawnEndRow, subject=subjects)
    delete_verdicts(held, subjects)
    held.delete_numbered(events, keys)
    held.give_way()
    if threads:
        _delete_threads(held, threads)
        held.give_way()
        translated = (event for component in components for event in component.events if event.thread)
        pulls = {event.pull_request for event in translated if event.pull_request is not None}
        held.change_rows("delete_old_pull_requests", sorted(pulls), limit)
    state = held.state
    kept_since = max(limit, state.kept_since or limit)
    events_left = state.events - len(events)
    held.save(replace(state, version=state.version + 1, events=events_left, kept_since=kept_since))


def _delete_ci_runs(held: HeldRepository, keys: Sequence[bytes]) -> None:
    """Delete the reports about checks of these runs."""
    high, low = zip(*all_halves(keys), strict=True)
    runs = sorted(CiRunRow(*row).run for row in held.rows("ci_runs_by_key", list(high), list(low)))
    if not runs:
        return
    days = {day for (day,) in held.rows("days_of_ci_runs", runs, DAY)}
    deleted = delete_rows(held, CiCheckRow, run=runs)
    delete_rows(held, CiRunRow, run=runs)
    touch_days(held, days)
    state = held.state
    held.save(replace(state, ci_version=state.ci_version + 1, ci_checks=state.ci_checks - deleted))


def _delete_threads(held: HeldRepository, threads: Sequence[int]) -> None:
    """Delete threads with their deliveries; what follows from their bodies is deleted with the bodies."""
    counts = held.rows("count_deliveries_of_threads", threads)
    delete_rows(held, ThreadRow, number=threads)
    for row_type in (DeliveryRow, ThreadLinkRow, UntranslatedRow):
        delete_rows(held, row_type, thread=threads)
    for source, kind, _, counted in counts:
        held.change_rows("add_to_source", source, kind, -counted, *_NO_INSTANT)
    state = held.state
    held.save(replace(state, deliveries=state.deliveries - sum(every for _, _, every, _ in counts)))


async def drop_old_ci_checks(store: Store, name: Repository, now: int, keep: int) -> None:
    """Delete the reports that are older than `keep`, a day in each transaction."""
    work = partial(_delete_oldest_day, now=now, keep=keep)
    while await store.change(name, work, create=False):
        pass


def _delete_oldest_day(held: HeldRepository, now: int, keep: int) -> bool:
    """Delete the executions of the oldest day if it is too old; returns whether there may be more."""
    last = (now - keep) // DAY  # the last day that may have some that are not too old
    oldest = held.rows("oldest_ci_day", last)
    if not oldest:
        return False
    ((day,),) = oldest
    delete_chosen_checks(held, Chosen(placed_before=(day + 1) * DAY))
    delete_rows(held, CiDayRow, day=[day])
    return True
