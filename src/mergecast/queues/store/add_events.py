"""Stores events in a held repository: those of one delivery all, or none of them.

The events of a translated thread are replaced; events that clients sent are never changed.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from operator import itemgetter
from typing import Any, NamedTuple

from mergecast.errors import Conflict, FieldError
from mergecast.queues.model.ci_check import AnyEvent
from mergecast.queues.model.event import WIRE_NAMES, Event, Group
from mergecast.queues.model.facts import Statement
from mergecast.queues.store.changes import rewrite_facts, state_after_deleting, write_facts
from mergecast.queues.store.counting import End, NewEvents, count_new_ends, end_of, remember_ends
from mergecast.queues.store.held_repository import (
    HeldRepository,
    NamedEvent,
    SubjectName,
    kind_of,
    named,
    subject_keys,
)
from mergecast.queues.store.keys import all_halves, keys_of
from mergecast.queues.store.removals import add_removals, is_removal_event
from mergecast.queues.store.rows import EventRow, GroupRow, SubjectRow, event_row, group_names, statement_of
from mergecast.queues.store.values import KnownRepository, Receipt

# Facts of a subject are derived from all its events whenever one arrives: more would slow down all clients.
MOST_EVENTS_PER_SUBJECT = 10_000

_LIMIT_FIELDS = {
    "stay": ("session_id", "stay"),
    "run": ("batch_id", "CI run"),
    "bisection": ("batch_id", "bisection"),
}


_names = itemgetter(1, 2)  # of a named event


class Recording:
    """What is about to be written to a held repository.

    Names and keys are made once for each event, because making them is a large part of the cost. `removed`
    are ends that were deleted in the same transaction.
    """

    def __init__(
        self,
        held: HeldRepository,
        deliveries: Sequence[Sequence[NamedEvent]],
        removed: Collection[End] = (),
    ) -> None:
        self._held, self._removed = held, removed
        arriving = list(chain.from_iterable(deliveries))
        ids = {event.id for event, _, _ in arriving}
        self._keys = dict(zip(ids, keys_of(held.state.id, ids), strict=True))
        held.give_way()
        self._known = held.stored_events(self._keys.values())
        held.give_way()
        if self._known:
            arriving = [named_event for named_event in arriving if named_event[0].id not in self._known]
        self._subject_keys = subject_keys(held.state.id, _distinct(arriving))
        held.give_way()
        self._numbers = held.subject_numbers(self._subject_keys)
        self._statements = held.statements(self._numbers.values()) if self._numbers else []
        self._counts = _count_events(self._numbers, self._statements)
        self._most_stored = max(self._counts.values(), default=0)
        self._accepted: dict[str, NamedEvent] = {}
        self._completed: dict[str, NamedEvent] = {}  # stored events that now name their commit
        self._counted = 0  # how many accepted events are included in `_counts`
        self._threads: dict[str, int] = {}  # of derived events, by their ids

    def is_known(self, event: Event) -> bool:
        """Whether an event with this id is stored or accepted."""
        return event.id in self._known

    def add(self, delivery: Sequence[NamedEvent], thread: int | None = None) -> Receipt | Conflict:
        """Accept the new events of a delivery or of a translated thread, or none of them."""
        added: dict[str, NamedEvent] = {}  # new ones, and known ones that now name their commit
        errors: list[FieldError] = []
        for place, named_event in enumerate(delivery):
            event = named_event[0]
            stored = added[event.id][0] if event.id in added else self._known.get(event.id)
            if stored is None or _adds_commit(event, stored):
                added[event.id] = named_event
            elif stored != event and not _adds_commit(stored, event):
                errors.append(contradiction("an event", place, stored, event))
        new = {id: named_event for id, named_event in added.items() if id not in self._known}
        errors += self._beyond_limit(delivery, new.values())
        if errors:
            return Conflict(errors)
        for id in added.keys() - new.keys():
            (self._accepted if id in self._accepted else self._completed)[id] = added[id]
        self._known.update([(id, event) for id, (event, _, _) in added.items()])
        self._accepted |= new
        if thread is not None:
            self._threads.update(dict.fromkeys(new, thread))
        return Receipt(len(new), len(delivery) - len(new))

    def _beyond_limit(self, delivery: Sequence[NamedEvent], new: Collection[NamedEvent]) -> list[FieldError]:
        """One error for each subject that would get too many events, at its first event of the delivery."""
        if self._most_stored + len(self._accepted) + len(new) <= MOST_EVENTS_PER_SUBJECT:
            return []  # even if all belong to one subject, which spares counting them
        self._counts.update(_all_names(islice(self._accepted.values(), self._counted, None)))
        self._counted = len(self._accepted)
        counts = Counter(_all_names(new))
        full = {name for name, more in counts.items() if self._counts[name] + more > MOST_EVENTS_PER_SUBJECT}
        errors = []
        for place, named_event in enumerate(delivery if full else ()):
            for name in _names(named_event):
                if name in full:
                    full.discard(name)
                    errors.append(_too_many(place, name))
        return errors

    def write(self) -> None:
        """Write what was accepted, and the facts that follow from it."""
        if self._completed:
            self._add_commits()
        if self._accepted:
            self._add_events()

    def _add_commits(self) -> None:
        held = self._held
        high, low = zip(*all_halves(self._keys[id] for id in self._completed), strict=True)
        commits = [event.head_sha for event, _, _ in self._completed.values()]
        held.change_rows("add_commits", list(high), list(low), commits)
        stays = held.subject_numbers(subject_keys(held.state.id, _distinct(self._completed.values())))
        rewrite_facts(held, sorted(set(stays.values()) - self.touched_subjects()))
        self._statements = held.statements(self._numbers.values()) if self._numbers else []
        since = min(event.happened_at for event, _, _ in self._completed.values())
        held.save(replace(held.state, version=held.state.version + 1).to_judge(since, held.now))

    def _add_events(self) -> None:
        accepted = self._accepted.values()
        held, events = self._held, [event for event, _, _ in accepted]
        touched = _distinct(accepted)
        new = [name for name in touched if name not in self._numbers]
        fresh = {name: number for number, name in enumerate(new, start=held.state.last_subject + 1)}
        numbers = self._numbers | fresh
        held.give_way()
        groups = self._group_ids()
        rows = self._event_rows(numbers, groups)
        held.give_way()
        statements = [*self._statements, *map(statement_of, rows)]
        held.give_way()
        for kind, known in self._touched_by_kind(touched).items():
            held.delete_facts(known, kind)
        keys = all_halves(self._subject_keys[name] for name in fresh)
        held.insert(
            [
                SubjectRow(held.state.id, number, *key)
                for number, key in zip(fresh.values(), keys, strict=True)
            ]
        )
        held.insert(rows)
        facts = write_facts(held, {numbers[name] for name in touched}, statements)
        count_new_ends(held, groups, NewEvents(rows, facts, self._statements, self._removed))
        state = replace(_grown(held.state, events), last_subject=held.state.last_subject + len(fresh))
        since = min(event.happened_at for event in events)
        held.save(state.to_judge(since, held.now, is_removal=any(map(is_removal_event, events))))
        add_removals(held, accepted, numbers)

    def _touched_by_kind(self, touched: Iterable[SubjectName]) -> dict[str, list[int]]:
        """The numbers of the known subjects, by kind."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for name in touched:
            if name in self._numbers:
                found[kind_of(name)].append(self._numbers[name])
        return found

    def touched_subjects(self) -> set[int]:
        """The known subjects of the accepted events."""
        return {self._numbers[name] for name in _distinct(self._accepted.values()) if name in self._numbers}

    def _event_rows(
        self, numbers: Mapping[SubjectName, int], group_ids: Mapping[Group, int]
    ) -> list[EventRow]:
        id, last, threads = self._held.state.id, self._held.state.last_event, self._threads
        groups = [group_names(event) for event, _, _ in self._accepted.values()]
        keys = all_halves([self._keys[id] for id in self._accepted])
        rows = []
        for number, ((event, stay, run), group, (high, low)) in enumerate(
            zip(self._accepted.values(), groups, keys, strict=True), start=last + 1
        ):
            own_stay = None if stay is None else numbers[stay]
            own_run = None if run is None else numbers[run]
            added = (id, number, high, low, group_ids[group], own_stay, own_run, threads.get(event.id))
            rows.append(event_row(added, event))
        return rows

    def _group_ids(self) -> Mapping[Group, int]:
        """The ids of all groups; those that are new with these events are added to the repository."""
        held, state = self._held, self._held.state
        known = held.groups()
        names = dict.fromkeys(group_names(event) for event, _, _ in self._accepted.values())
        new = [Group(*group) for group in names if group not in known]
        if not new:
            return known
        added = {group: state.last_group + place for place, group in enumerate(new, start=1)}
        held.insert([GroupRow(state.id, id, *group) for group, id in added.items()])
        held.save(replace(state, last_group=state.last_group + len(added)))
        return {**known, **added}


def _all_names(events: Iterable[NamedEvent]) -> Iterator[SubjectName]:
    return (name for named_event in events for name in _names(named_event) if name is not None)


def _distinct(events: Iterable[NamedEvent]) -> list[SubjectName]:
    names = dict.fromkeys(chain.from_iterable(map(_names, events)))
    return [name for name in names if name is not None]


def _count_events(numbers: dict[SubjectName, int], statements: Collection[Statement]) -> Counter[SubjectName]:
    """How many stored events each subject has."""
    by_number: Counter[int | None] = Counter()
    for statement in {statement.id: statement for statement in statements}.values():
        by_number[statement.stay] += 1
        by_number[statement.run] += 1
    return Counter({name: by_number[number] for name, number in numbers.items()})


def _grown(state: KnownRepository, events: Sequence[Event]) -> KnownRepository:
    instants = [event.happened_at for event in events]
    instants += [at for at in (state.first_at, state.last_at) if at is not None]
    return replace(
        state,
        version=state.version + 1,
        events=state.events + len(events),
        last_event=state.last_event + len(events),
        first_at=min(instants),
        last_at=max(instants),
    )


def _adds_commit(event: Event, to: Event) -> bool:
    """Whether one event is the other with the commit that it lacks: clients may learn it later."""
    return to.head_sha is None and event.head_sha is not None and event._replace(head_sha=None) == to


def contradiction(what: str, place: int, stored: AnyEvent, given: AnyEvent) -> FieldError:
    """The error for the content of a known id that has changed."""
    fields = zip(given._fields, stored, given, strict=True)
    names = [
        WIRE_NAMES.get(name, name)
        for name, old, new in fields
        if old != new and (name != "head_sha" or None not in (old, new))
    ]
    return FieldError(
        "body",
        f"/{place}/id",
        f"{what} with this id already exists with another {' and '.join(names)}; "
        "the content of an id can never change",
    )


def _too_many(place: int, name: SubjectName) -> FieldError:
    field, kind = _LIMIT_FIELDS[kind_of(name)]
    return FieldError(
        "body",
        f"/{place}/{field}",
        f"this {kind} would have more than {MOST_EVENTS_PER_SUBJECT:,} events, which is the limit",
    )


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
