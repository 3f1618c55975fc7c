"""One transaction: new events with their numbers, the facts they change, and the counters."""

from collections import ChainMap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import duckdb

from mergecast.model.event import BISECTION_ENDED, BISECTION_STARTED, Event, Group
from mergecast.model.facts import Statement
from mergecast.model.repository import Repository
from mergecast.store.catalog import Catalog, Counters, KnownRepository
from mergecast.store.fact_tables import rewrite_facts
from mergecast.store.key_index import KeyIndex, halves, key_of
from mergecast.store.tables import insert

_BISECTIONS = (BISECTION_STARTED, BISECTION_ENDED)


class SubjectName(NamedTuple):
    """What events call a subject: its repository, its kind, and what tells it from others of the kind."""

    repository_id: int
    kind: str
    name: str | None
    attempt: int | None = None


@dataclass(slots=True)
class Keys:
    """Which numbers the events and the subjects have that the store knows."""

    events: KeyIndex
    subjects: KeyIndex


@dataclass(slots=True)
class Staged:
    """What one transaction is going to store."""

    repositories: dict[Repository, KnownRepository] = field(default_factory=dict)
    events: dict[bytes, tuple[int, Event]] = field(default_factory=dict)  # with the repository's id


@dataclass(slots=True)
class _Subjects:
    """The numbers of all subjects the events speak of."""

    numbers: dict[SubjectName, int]
    known: list[int]
    fresh: dict[bytes, int]
    fresh_rows: list[tuple[int, int]]  # repository and number, in the order of `fresh`


def write(
    connection: duckdb.DuckDBPyConnection, catalog: Catalog, keys: Keys, staged: Staged, counters: Counters
) -> None:
    """Store the staged events, then let the catalog and the keys know. Raises with nothing stored."""
    subjects = _number_subjects(keys.subjects, list(staged.events.values()), counters)
    groups = _number_groups(catalog, staged, counters)
    numbers = range(counters.number + 1, counters.number + 1 + len(staged.events))
    counters.number += len(staged.events)
    connection.execute("begin")
    try:
        _insert_names(connection, groups, subjects)
        statements = _insert_events(
            connection, staged, numbers, subjects, ChainMap(groups, catalog.group_ids)
        )
        rewrite_facts(connection, subjects.known, subjects.fresh.values(), statements)
        _save_repositories(connection, catalog, staged)
        save_counters(connection, counters)
        connection.execute("commit")
    except duckdb.Error:
        roll_back(connection)
        raise
    catalog.counters = counters
    for (repository_id, group), group_id in groups.items():
        catalog.add_group(repository_id, group_id, group)
    keys.events.add(zip(staged.events, numbers, strict=True))
    keys.subjects.add(subjects.fresh.items())
    # Last: who sees the new version must be able to see everything that belongs to it.
    catalog.repositories.update(staged.repositories)


def roll_back(connection: duckdb.DuckDBPyConnection) -> None:
    try:
        connection.execute("rollback")
    except duckdb.Error:
        # A commit that failed has ended the transaction already.
        return


def save_counters(connection: duckdb.DuckDBPyConnection, counters: Counters) -> None:
    connection.execute(
        "update store_state "
        "set last_version = $1, last_number = $2, last_repository_id = $3, last_group_id = $4",
        [counters.version, counters.number, counters.repository_id, counters.group_id],
    )


def _subject_names(repository_id: int, event: Event) -> tuple[SubjectName | None, SubjectName | None]:
    """The stay and the CI run, or the bisection, that an event speaks of."""
    stay = None if event.session_id is None else SubjectName(repository_id, "stay", event.session_id)
    if event.type in _BISECTIONS:
        return stay, SubjectName(repository_id, "bisection", event.batch_id)
    if event.attempt is None:
        return stay, None
    return stay, SubjectName(repository_id, "run", event.batch_id, event.attempt)


def _number_subjects(index: KeyIndex, events: Sequence[tuple[int, Event]], counters: Counters) -> _Subjects:
    pairs = (_subject_names(repository_id, event) for repository_id, event in events)
    names = list(dict.fromkeys(name for pair in pairs for name in pair if name is not None))
    keys = [key_of(*name) for name in names]
    subjects = _Subjects({}, [], {}, [])
    for name, key, number in zip(names, keys, index.find(keys), strict=True):
        if number is None:
            counters.number += 1
            subjects.numbers[name] = subjects.fresh[key] = counters.number
            subjects.fresh_rows.append((name.repository_id, counters.number))
        else:
            subjects.numbers[name] = number
            subjects.known.append(number)
    return subjects


def _number_groups(catalog: Catalog, staged: Staged, counters: Counters) -> dict[tuple[int, Group], int]:
    groups: dict[tuple[int, Group], int] = {}
    for repository_id, event in staged.events.values():
        group = (repository_id, _group_of(event))
        if group not in catalog.group_ids and group not in groups:
            counters.group_id += 1
            groups[group] = counters.group_id
    return groups


def _group_of(event: Event) -> Group:
    return Group(event.base_ref, event.queue_name, event.priority_rule_name)


def _insert_names(
    connection: duckdb.DuckDBPyConnection, groups: dict[tuple[int, Group], int], subjects: _Subjects
) -> None:
    insert(connection, "groups", [(id, group_id, *group) for (id, group), group_id in groups.items()])
    if subjects.fresh:
        high, low = halves(list(subjects.fresh))
        insert(
            connection,
            "subjects",
            [
                (*row, upper, lower)
                for row, upper, lower in zip(subjects.fresh_rows, high.tolist(), low.tolist(), strict=True)
            ],
        )


def _insert_events(
    connection: duckdb.DuckDBPyConnection,
    staged: Staged,
    numbers: range,
    subjects: _Subjects,
    group_ids: Mapping[tuple[int, Group], int],
) -> list[Statement]:
    """Append the rows of the events; returns what the events say, for the facts."""
    high, low = halves(list(staged.events))
    rows: list[tuple[object, ...]] = []
    statements: list[Statement] = []
    for number, upper, lower, (repository_id, event) in zip(
        numbers, high.tolist(), low.tolist(), staged.events.values(), strict=True
    ):
        stay, run = (
            None if name is None else subjects.numbers[name] for name in _subject_names(repository_id, event)
        )
        batch_size = None
        if event.batch_pull_requests is not None:
            batch_size = event.batch_pull_requests.count(",") + 1
        group_id = group_ids[repository_id, _group_of(event)]
        rows.append((
            repository_id, number, upper, lower, event.id, event.type, event.happened_at, group_id,
            event.source, event.session_id, stay, event.pull_request, event.batch_id, run, event.attempt,
            event.batch_pull_requests, batch_size, event.reason, event.outcome, event.schedule_wait,
            event.freeze_wait, event.depth, event.culprit_found, event.max_failures_reached,
        ))  # fmt: skip
        statements.append(Statement(
            event.happened_at, event.id, event.type, repository_id, group_id, stay, run,
            event.pull_request, event.batch_id, batch_size, event.reason, event.outcome,
            event.schedule_wait, event.freeze_wait, event.depth, event.culprit_found,
            event.max_failures_reached,
        ))  # fmt: skip
    insert(connection, "events", rows)
    return statements


def _save_repositories(connection: duckdb.DuckDBPyConnection, catalog: Catalog, staged: Staged) -> None:
    for repository, known in staged.repositories.items():
        if repository in catalog.repositories:
            connection.execute(
                "update repositories set version = $2, events = $3, first_at = $4, last_at = $5 "
                "where repository_id = $1",
                [known.id, known.version, known.events, known.first_at, known.last_at],
            )
        else:
            insert(
                connection,
                "repositories",
                [(known.id, repository.owner, repository.name, *_numbers(known))],
            )


def _numbers(known: KnownRepository) -> tuple[int, int, int | None, int | None]:
    return known.version, known.events, known.first_at, known.last_at
