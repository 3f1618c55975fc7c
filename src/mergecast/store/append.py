"""Deliveries into the store: each whole or not at all, many in one transaction."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import duckdb
import numpy as np

from mergecast.errors import Conflict, FieldError
from mergecast.model.event import WIRE_NAMES, Event
from mergecast.model.repository import Repository
from mergecast.store.catalog import Catalog, KnownRepository
from mergecast.store.key_index import KeyIndex, key_of
from mergecast.store.sql_files import sql
from mergecast.store.write_events import Keys, Staged, write


class Delivery(NamedTuple):
    repository: Repository
    events: Sequence[Event]


class Receipt(NamedTuple):
    stored: int
    duplicates: int


def append(
    connection: duckdb.DuckDBPyConnection, catalog: Catalog, keys: Keys, deliveries: Iterable[Delivery]
) -> list[Receipt | Conflict]:
    """Store what is new in one transaction and say for each delivery how it went.

    A delivery that contradicts what is stored, or an earlier delivery of this call, is left out whole.
    When this raises, nothing of any delivery was stored.
    """
    staged = Staged()
    counters = replace(catalog.counters)
    results: list[Receipt | Conflict] = []
    for delivery in deliveries:
        known = _repository(staged, catalog, delivery.repository)
        if known is None:
            counters.repository_id += 1
            known = KnownRepository(counters.repository_id, delivery.repository, 0)
        try:
            new = _new_events(connection, keys.events, staged, known.id, delivery.events)
        except Conflict as conflict:
            results.append(conflict)
            continue
        results.append(Receipt(len(new), len(delivery.events) - len(new)))
        if new:
            counters.version += 1
            staged.events.update({key: (known.id, event) for key, event in new.items()})
            staged.repositories[delivery.repository] = _grown(known, new.values(), counters.version)
    if staged.events:
        write(connection, catalog, keys, staged, counters)
    return results


def _repository(staged: Staged, catalog: Catalog, repository: Repository) -> KnownRepository | None:
    return staged.repositories.get(repository) or catalog.repositories.get(repository)


def _grown(known: KnownRepository, events: Iterable[Event], version: int) -> KnownRepository:
    instants = [event.happened_at for event in events]
    before = [at for at in (known.first_at, known.last_at) if at is not None]
    return replace(
        known,
        version=version,
        events=known.events + len(instants),
        first_at=min(before + instants),
        last_at=max(before + instants),
    )


def _new_events(
    connection: duckdb.DuckDBPyConnection,
    index: KeyIndex,
    staged: Staged,
    repository_id: int,
    events: Sequence[Event],
) -> dict[bytes, Event]:
    """The events that are not stored yet, by key; a contradiction raises `Conflict`."""
    keys = [key_of(repository_id, event.id) for event in events]
    numbers = index.find(keys)
    stored = _stored_events(connection, [number for number in numbers if number is not None])
    new: dict[bytes, Event] = {}
    errors: list[FieldError] = []
    for place, (event, key, number) in enumerate(zip(events, keys, numbers, strict=True)):
        if number is not None:
            before = stored[number]
        elif key in staged.events:
            before = staged.events[key][1]
        else:
            before = new.setdefault(key, event)
        if before != event:
            errors.append(_contradiction(place, before, event))
    if errors:
        raise Conflict(errors)
    return new


def _stored_events(connection: duckdb.DuckDBPyConnection, numbers: Sequence[int]) -> dict[int, Event]:
    if not numbers:
        return {}
    connection.register("wanted", {"number": np.array(numbers, dtype=np.int64)})
    return {row[0]: Event(*row[1:]) for row in connection.execute(sql("stored_events")).fetchall()}


def _contradiction(place: int, before: Event, event: Event) -> FieldError:
    fields = zip(Event._fields, before, event, strict=True)
    names = [WIRE_NAMES.get(name, name) for name, one, other in fields if one != other]
    return FieldError(
        "body",
        f"/{place}/id",
        f"an event with this id came before with another {' and '.join(names)}; "
        "an id stands for one event and its content forever",
    )
