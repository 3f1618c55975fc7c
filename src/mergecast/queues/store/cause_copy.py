"""Copies causes of notices, so that the copy tells nothing twice and says when what was told is over."""

from collections.abc import Mapping, Sequence

import msgspec

from mergecast.queues.model.notification import REMOVED
from mergecast.queues.store.held_repository import HeldRepository, SubjectName, subject_keys, subject_name
from mergecast.queues.store.rows import CauseRow
from mergecast.queues.store.stored_rows import delete_rows


def write_causes(held: HeldRepository, rows: Sequence[CauseRow]) -> None:
    """Replace the causes of the copy, whose stays have other numbers."""
    names = {_stay_of(row) for row in rows if row.kind == REMOVED}
    numbers = held.subject_numbers(subject_keys(held.state.id, names))
    delete_rows(held, CauseRow)
    held.insert(
        _copied(held, row, numbers) for row in rows if row.kind != REMOVED or _stay_of(row) in numbers
    )


def _copied(held: HeldRepository, row: CauseRow, numbers: Mapping[SubjectName, int]) -> CauseRow:
    if row.kind == REMOVED:
        document = msgspec.json.decode(row.document) | {"stay": numbers[_stay_of(row)]}
        row = row._replace(document=msgspec.json.encode(document).decode())
    return row._replace(repository_id=held.state.id)


def _stay_of(removal: CauseRow) -> SubjectName:
    return subject_name("stay", removal.key)
