"""Replaces the events of translated threads; events that clients sent are never changed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from mergecast.errors import Conflict
from mergecast.queues.model.event import Event
from mergecast.queues.store.add_events import Recording
from mergecast.queues.store.changes import rewrite_facts
from mergecast.queues.store.held_repository import HeldRepository, NamedEvent, named


class Replaced(NamedTuple):
    """How many events were added, and for each thread those whose ids are already in use."""

    added: int
    refused: Mapping[int, Sequence[Event]]


class _Stored(NamedTuple):
    number: int
    thread: int
    subjects: frozenset[int]
    event: Event


def replace_derived(
    held: HeldRepository, wanted: Mapping[int, Sequence[Event]], new: Collection[int] = ()
) -> Replaced:
    """Make these the only events of these threads. Events that stay the same are not written again.

    Threads that are new have no events yet.
    """
    known = [thread for thread in wanted if thread not in new]
    stored = [_stored(row) for row in held.rows("derived_events", known)] if known else []
    kept = {thread: frozenset(wanted[thread]) for thread in known}
    same = {one.event.id for one in stored if one.event in kept[one.thread]}
    removed = [one for one in stored if one.event.id not in same]
    added = {
        thread: [named(event) for event in events if event.id not in same]
        for thread, events in wanted.items()
    }
    if removed:
        _remove(held, removed)
    recording = Recording(held, list(added.values()))
    replaced = _record(recording, added)
    # Recording writes the facts of the subjects that got events; these have only lost some.
    bereft = {subject for one in removed for subject in one.subjects} - recording.touched_subjects()
    rewrite_facts(held, sorted(bereft))
    return replaced


def _stored(row: Sequence[Any]) -> _Stored:
    number, thread, stay, run, *content = row
    subjects = frozenset(subject for subject in (stay, run) if subject is not None)
    return _Stored(number, thread, subjects, Event(*content))


def _remove(held: HeldRepository, removed: Sequence[_Stored]) -> None:
    held.remove("delete_numbered_events", [one.number for one in removed])
    span = held.span_of_events()
    held.save(
        replace(
            held.state,
            version=held.state.version + 1,
            events=span.events,
            first_at=span.first_at,
            last_at=span.last_at,
        )
    )


def _record(recording: Recording, added: Mapping[int, Sequence[NamedEvent]]) -> Replaced:
    refused: dict[int, list[Event]] = {}
    count = 0
    for thread, events in added.items():
        new = [one for one in events if not recording.is_known(one[0])]
        result = recording.add(new, thread)
        if isinstance(result, Conflict):
            new = []
        else:
            count += result.stored
        if len(new) < len(events):
            refused[thread] = [one[0] for one in events if one not in new]
    recording.write()
    return Replaced(count, refused)
