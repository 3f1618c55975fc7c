"""Compares the stored facts of a repository with those that its events give."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from mergecast.queues.model.event import Event
from mergecast.queues.model.facts import Statement
from mergecast.queues.model.verdict import NO_VERDICT
from mergecast.queues.store.changes import derive_facts
from mergecast.queues.store.keys import halves, key_of
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.rows import SUBJECT_COLUMNS, TABLES, Row
from mergecast.queues.store.stored_rows import of_repository, stored_rows
from mergecast.queues.store.values import KnownRepository

MOST_SHOWN = 20


class Verification(NamedTuple):
    """What was read of a repository, and where facts and events disagree."""

    events: int = 0
    snapshots: int = 0
    subjects: int = 0
    differences: int = 0  # a rebuild repairs them
    wrong: int = 0  # events and counts that no rebuild repairs
    examples: tuple[str, ...] = ()  # of the first of both
    deliveries: int = 0

    @classmethod
    def of(cls, differences: Sequence[str] = (), wrong: Sequence[str] = (), **read: int) -> "Verification":
        """These differences and errors, in words, and how much was read."""
        examples = (*differences, *wrong)[:MOST_SHOWN]
        return cls(differences=len(differences), wrong=len(wrong), examples=examples, **read)

    def plus(self, other: "Verification") -> "Verification":
        return Verification(
            self.events + other.events,
            self.snapshots + other.snapshots,
            self.subjects + other.subjects,
            self.differences + other.differences,
            self.wrong + other.wrong,
            (*self.examples, *other.examples)[:MOST_SHOWN],
            self.deliveries + other.deliveries,
        )


def verify_events(reader: Reader, repository_id: int, page: Sequence[tuple[int, Event]]) -> Verification:
    """Compare the stored key of each event with its id, by which a second delivery finds it."""
    parameters = [repository_id, page[0][0], page[-1][0]]
    stored = {number: (high, low) for number, high, low in reader.rows("event_keys", parameters)}
    wrong = [
        f"events: the key of {event.id!r} does not follow from its id"
        for number, event in page
        if stored.get(number) != halves(key_of(repository_id, event.id))
    ]
    return Verification.of(wrong=wrong, events=len(page))


def verify_state(reader: Reader, known: KnownRepository, found: Verification) -> Verification:
    """Compare the stored state with what was found; a repository that changed meanwhile proves nothing."""
    ((version, events, snapshots, products),) = reader.rows("state", [known.id]) or [(None,) * 4]
    if version != known.version:
        return Verification()
    given = None if known.products is None else ",".join(known.products)
    pairs = (
        ("events", events, found.events),
        ("snapshots", snapshots, found.snapshots),
        ("products", products, given),
    )
    wrong = [
        f"repository_state: {name} is {stored!r}, {actual!r} is right"
        for name, stored, actual in pairs
        if stored != actual
    ]
    return Verification.of(wrong=wrong)


def verify_subjects(reader: Reader, repository_id: int, subjects: Sequence[int]) -> Verification:
    """Derive the facts of these subjects from their events, and compare them with the stored ones."""
    read = of_repository(reader, repository_id)
    statements = [Statement(*row) for row in read("statements", list(subjects))]
    derived = [row for rows in derive_facts(frozenset(subjects), statements) for row in rows]
    differences: list[str] = []
    for row_type, table in TABLES.items():
        if table in SUBJECT_COLUMNS:
            stored = stored_rows(read, row_type, **{SUBJECT_COLUMNS[table]: subjects})
            differences += _differences(table, stored, [row for row in derived if type(row) is row_type])
    return Verification.of(differences, subjects=len(subjects))


def verify_verdicts(reader: Reader, known: KnownRepository) -> Verification:
    """Find verdicts that do not fit the stays they are about; what is being judged again proves nothing."""
    if known.judge_from is not None or known.judging_from is not None:
        return Verification()
    wrong = reader.column("wrong_verdicts", [known.id, sorted(NO_VERDICT)])
    return Verification.of([f"verdicts: stay {stay} does not follow from events" for stay in wrong])


def _differences(table: str, stored: Iterable[Row], derived: Iterable[Row]) -> list[str]:
    found, expected = Counter(stored), Counter(derived)
    column = SUBJECT_COLUMNS[table]
    missing = [f"{table}: {column} {getattr(row, column)} is missing" for row in expected - found]
    extra = [
        f"{table}: {column} {getattr(row, column)} does not follow from events" for row in found - expected
    ]
    return missing + extra
