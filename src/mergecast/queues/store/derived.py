"""Replaces the events of translated threads; events that clients sent are never changed."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from mergecast.errors import Conflict
from mergecast.queues.model.event import Event
from mergecast.queues.store.add_events import Recording
from mergecast.queues.store.changes import rewrite_facts, state_after_deleting
from mergecast.queues.store.counting import End, end_of, remember_ends
from mergecast.queues.store.held_repository import HeldRepository, NamedEvent, named
from mergecast.queues.store.keys import keys_of


class Replaced(NamedTuple):
    """How many events were added, and the events of each thread whose ids are already in use."""

    added: int
    refused: Mapping[int, Sequence[Event]]


class _Stored(NamedTuple):
    number: int
    thread: int
    subjects: frozenset[int]
    end: End | None
    event: Event


def replace_derived(
    held: HeldRepository, wanted: Mapping[int, Sequence[Event]], new: Collection[int] = ()
) -> Replaced:
    """Make these the only events of these threads. Events that stay the same are not written again.

    Threads that are `new` have no events yet.
    """
    known = [thread for thread in wanted if thread not in new]
    stored = [_stored(row) for row in held.rows("derived_events", known)] if known else []
    kept = {thread: frozenset(wanted[thread]) for thread in known}
    same = {found.event.id for found in stored if found.event in kept[found.thread]}
    removed = [found for found in stored if found.event.id not in same]
    added = {
        thread: [named(event) for event in events if event.id not in same]
        for thread, events in wanted.items()
    }
    if removed:
        keys = keys_of(held.state.id, (found.event.id for found in removed))
        held.delete_numbered(dict(zip((found.number for found in removed), keys, strict=True)), {})
        since = min(found.event.happened_at for found in removed)
        held.save(state_after_deleting(held).to_judge(since, held.now))
    ends = {event.end for event in removed if event.end is not None}
    recording = Recording(held, list(added.values()), ends)
    replaced = _record(recording, added)
    remember_ends(held, ends)
    # Recording has written the facts of all subjects that got events. The others have only lost some.
    changed = {subject for event in removed for subject in event.subjects}
    rewrite_facts(held, sorted(changed - recording.touched_subjects()))
    return replaced


def _stored(row: Sequence[Any]) -> _Stored:
    number, thread, stay, run, *content = row
    subjects = frozenset(subject for subject in (stay, run) if subject is not None)
    event = Event(*content)
    return _Stored(number, thread, subjects, end_of(event.type, stay, run), event)


def _record(recording: Recording, added: Mapping[int, Sequence[NamedEvent]]) -> Replaced:
    refused: dict[int, list[Event]] = {}
    count = 0
    for thread, events in added.items():
        new = [named_event for named_event in events if not recording.is_known(named_event[0])]
        result = recording.add(new, thread)
        if isinstance(result, Conflict):
            new = []
        else:
            count += result.stored
        if len(new) < len(events):
            refused[thread] = [named_event[0] for named_event in events if named_event not in new]
    recording.write()
    return Replaced(count, refused)
