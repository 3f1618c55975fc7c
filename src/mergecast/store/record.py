"""Recording: deliveries into a held repository, each whole or not at all."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from mergecast.errors import Conflict, FieldError
from mergecast.model.event import WIRE_NAMES, Event
from mergecast.model.facts import Statement
from mergecast.store.changes import write_facts
from mergecast.store.held_repository import HeldRepository, SubjectName, subject_names
from mergecast.store.keys import halves, key_of
from mergecast.store.rows import (
    EventNumbers,
    EventRow,
    GroupRow,
    SubjectRow,
    event_row,
    group_of,
    statement_of,
)
from mergecast.store.values import KnownRepository, Receipt

# Facts of a subject are derived from all its events whenever one arrives: more would slow down everybody.
MOST_EVENTS_PER_SUBJECT = 10_000

_LIMIT_FIELDS = {
    "stay": ("session_id", "stay"),
    "run": ("batch_id", "CI run"),
    "bisection": ("batch_id", "bisection"),
}


_Names = tuple[SubjectName | None, SubjectName | None]


def record(held: HeldRepository, deliveries: Sequence[Sequence[Event]]) -> list[Receipt | Conflict]:
    """Store what is new and say for each delivery what became of it.

    A delivery that contradicts what is stored, or an earlier delivery of this call, is left out whole.
    """
    recording = _Recording(held, deliveries)
    results = [recording.add(events) for events in deliveries]
    recording.write()
    return results


class _Recording:
    def __init__(self, held: HeldRepository, deliveries: Sequence[Sequence[Event]]) -> None:
        self._held = held
        self._known = held.stored_events({event.id for events in deliveries for event in events})
        self._accepted: list[tuple[Event, _Names]] = []
        arriving = [event for events in deliveries for event in events if event.id not in self._known]
        self._numbers = held.subject_numbers(_distinct(map(subject_names, arriving)))
        self._statements = held.statements(self._numbers.values()) if self._numbers else []
        self._counts = _count_events(self._numbers, self._statements)

    def add(self, events: Sequence[Event]) -> Receipt | Conflict:
        """Accept the new events of a delivery, or none of them."""
        new: dict[str, Event] = {}
        errors: list[FieldError] = []
        for place, event in enumerate(events):
            stored = self._known.get(event.id) or new.setdefault(event.id, event)
            if stored != event:
                errors.append(_contradiction(place, stored, event))
        named = [(event, subject_names(event)) for event in new.values()]
        counts = Counter(name for _, names in named for name in names if name is not None)
        errors += self._beyond_limit(events, counts)
        if errors:
            return Conflict(errors)
        self._known.update(new)
        self._accepted += named
        self._counts.update(counts)
        return Receipt(len(new), len(events) - len(new))

    def _beyond_limit(self, events: Sequence[Event], counts: Counter[SubjectName]) -> list[FieldError]:
        """One error for each subject that would get too many events, at its first event of the delivery."""
        full = {name for name, more in counts.items() if self._counts[name] + more > MOST_EVENTS_PER_SUBJECT}
        errors = []
        for place, event in enumerate(events if full else ()):
            for name in subject_names(event):
                if name in full:
                    full.discard(name)
                    errors.append(_too_many(place, name))
        return errors

    def write(self) -> None:
        """Write the accepted events, and the facts that follow from them."""
        if not self._accepted:
            return
        held, events = self._held, [event for event, _ in self._accepted]
        touched = _distinct(names for _, names in self._accepted)
        new = [name for name in touched if name not in self._numbers]
        fresh = {name: number for number, name in enumerate(new, start=held.state.last_subject + 1)}
        numbers = self._numbers | fresh
        rows = self._event_rows(numbers)
        known = [self._numbers[name] for name in touched if name in self._numbers]
        statements = [*self._statements, *map(statement_of, rows)]
        held.delete_facts(known)
        held.insert([_subject_row(held.state.id, name, number) for name, number in fresh.items()])
        held.insert(rows)
        write_facts(held, {numbers[name] for name in touched}, statements)
        held.save(replace(_grown(held.state, events), last_subject=held.state.last_subject + len(fresh)))

    def _event_rows(self, numbers: dict[SubjectName, int]) -> list[EventRow]:
        held, state = self._held, self._held.state
        group_ids = dict(held.groups())
        groups = dict.fromkeys(group_of(event) for event, _ in self._accepted)
        new_groups = [group for group in groups if group not in group_ids]
        group_ids |= {group: state.last_group + place for place, group in enumerate(new_groups, start=1)}
        held.insert([GroupRow(state.id, group_ids[group], *group) for group in new_groups])
        held.save(replace(state, last_group=state.last_group + len(new_groups)))
        rows = []
        for number, (event, names) in enumerate(self._accepted, start=state.last_event + 1):
            stay, run = (None if name is None else numbers[name] for name in names)
            key = halves(key_of(state.id, event.id))
            added = EventNumbers(state.id, number, *key, group_ids[group_of(event)], stay, run)
            rows.append(event_row(added, event))
        return rows


def _distinct(pairs: Iterable[_Names]) -> list[SubjectName]:
    return list(dict.fromkeys(name for pair in pairs for name in pair if name is not None))


def _count_events(numbers: dict[SubjectName, int], statements: Collection[Statement]) -> Counter[SubjectName]:
    """How many stored events each subject has."""
    by_number: Counter[int | None] = Counter()
    for statement in {statement.id: statement for statement in statements}.values():
        by_number[statement.stay] += 1
        by_number[statement.run] += 1
    return Counter({name: by_number[number] for name, number in numbers.items()})


def _subject_row(repository_id: int, name: SubjectName, number: int) -> SubjectRow:
    return SubjectRow(repository_id, number, *halves(key_of(repository_id, *name)))


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


def _contradiction(place: int, stored: Event, event: Event) -> FieldError:
    fields = zip(Event._fields, stored, event, strict=True)
    names = [WIRE_NAMES.get(name, name) for name, one, other in fields if one != other]
    return FieldError(
        "body",
        f"/{place}/id",
        f"an event with this id already exists with another {' and '.join(names)}; "
        "the content of an id can never change",
    )


def _too_many(place: int, name: SubjectName) -> FieldError:
    field, kind = _LIMIT_FIELDS[name.kind]
    return FieldError(
        "body",
        f"/{place}/{field}",
        f"this {kind} would have more than {MOST_EVENTS_PER_SUBJECT:,} events, which is the limit",
    )
