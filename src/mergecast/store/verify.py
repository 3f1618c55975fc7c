"""Compares the stored facts of a repository with those that its events give."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from mergecast.model.facts import Statement
from mergecast.store.changes import derive_facts
from mergecast.store.rows import SUBJECT_COLUMNS, TABLES, Row

_MOST_SHOWN = 20


class Verification(NamedTuple):
    """What was read of a repository, and where facts and events disagree."""

    events: int = 0
    snapshots: int = 0
    subjects: int = 0
    differences: int = 0
    examples: tuple[str, ...] = ()  # of the first differences

    def plus(self, other: "Verification") -> "Verification":
        return Verification(
            self.events + other.events,
            self.snapshots + other.snapshots,
            self.subjects + other.subjects,
            self.differences + other.differences,
            (*self.examples, *other.examples)[:_MOST_SHOWN],
        )


class _Reader(Protocol):
    def rows(self, question: str, parameters: Sequence[object]) -> list[tuple[Any, ...]]: ...


def verify_subjects(reader: _Reader, repository_id: int, subjects: Sequence[int]) -> Verification:
    """Derive the facts of these subjects from their events, and compare them with the stored ones."""
    parameters = [repository_id, list(subjects)]
    statements = [Statement(*row) for row in reader.rows("statements", parameters)]
    derived = [row for rows in derive_facts(frozenset(subjects), statements) for row in rows]
    differences: list[str] = []
    for row_type, table in TABLES.items():
        if table in SUBJECT_COLUMNS:
            stored = (row_type(*row) for row in reader.rows(f"facts_in_{table}", parameters))
            differences += _differences(table, stored, [row for row in derived if type(row) is row_type])
    return Verification(
        subjects=len(subjects), differences=len(differences), examples=tuple(differences[:_MOST_SHOWN])
    )


def _differences(table: str, stored: Iterable[Row], derived: Iterable[Row]) -> list[str]:
    found, expected = Counter(stored), Counter(derived)
    column = SUBJECT_COLUMNS[table]
    missing = [f"{table}: {column} {getattr(row, column)} is missing" for row in expected - found]
    extra = [
        f"{table}: {column} {getattr(row, column)} does not follow from events" for row in found - expected
    ]
    return missing + extra
