"""Copies deliveries from one store to another, and the rows that do not follow from them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from mergecast.queues.model.delivery import Delivery
from mergecast.queues.model.notification import REMOVED
from mergecast.queues.store.field_packing import unpack_fields
from mergecast.queues.store.held_repository import HeldRepository, SubjectName, subject_keys, subject_name
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.rows import (
    AlertRow,
    CauseRow,
    CursorRow,
    DeliveryRow,
    DictionaryRow,
    ExpiredRow,
    LookedBackRow,
    PullRequestRow,
    ReferencePeriodRow,
    Row,
    SetUpRow,
    SkippedRow,
    SourceRow,
    ThresholdRow,
)
from mergecast.queues.store.stored_rows import delete_rows, read_rows
from mergecast.queues.store.values import KnownRepository, PackedDelivery


def _write_causes(held: HeldRepository, rows: Sequence[CauseRow]) -> None:
    """Replace the causes of the copy, whose stays have other numbers.

    So the copy tells nothing twice, and says when what was told is over.
    """
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


PAGE = 2_000


# What does not follow from events and deliveries, such as alerts, which are found while a queue is watched.
# Rows of the copy are replaced: all, or those with the same value in this column.
_COPIED: dict[type[Row], str | None] = {
    DictionaryRow: None,
    SkippedRow: None,
    ExpiredRow: None,
    SourceRow: None,
    CursorRow: "source",
    PullRequestRow: "number",
    ReferencePeriodRow: "name",
    SetUpRow: "base_ref",
    AlertRow: None,
    ThresholdRow: None,
    LookedBackRow: None,
}

CopiedRows = Mapping[type[Row], Sequence[Row]]


def read_deliveries(reader: Reader, repository_id: int, after: int) -> list[tuple[int, PackedDelivery]]:
    """The next deliveries, each with its number."""
    return [_packed(row) for row in reader.rows("deliveries_page", [repository_id, after, PAGE])]


def _packed(row: Sequence[Any]) -> tuple[int, PackedDelivery]:
    thread, *columns = row
    stored = DeliveryRow(*columns)
    delivery = Delivery(
        stored.source,
        stored.kind,
        stored.guid,
        stored.digest,
        stored.event,
        stored.action,
        stored.received_at,
        b"",
        thread,
        stored.happened_at,
        unpack_fields(stored.fields),
        stored.is_about_queue,
    )
    return stored.number, PackedDelivery(delivery, stored.body, stored.dictionary)


def read_copied_rows(reader: Reader, repository_id: int) -> CopiedRows:
    return {row_type: read_rows(reader, repository_id, row_type) for row_type in (*_COPIED, CauseRow)}


def write_copied_rows(held: HeldRepository, tables: CopiedRows, known: KnownRepository) -> None:
    """Replace the rows of the copy. Doing so twice changes nothing.

    The copy continues with a version that the original never had: ETags contain it, and clients keep answers.
    """
    for row_type, column in _COPIED.items():
        rows = tables[row_type]
        chosen = {} if column is None else {column: [getattr(row, column) for row in rows]}
        delete_rows(held, row_type, **chosen)
        held.insert([row._replace(repository_id=held.state.id) for row in rows])
    _write_causes(held, [row for row in tables[CauseRow] if isinstance(row, CauseRow)])
    state = held.state
    if known.kept_since is not None:  # the first and the last event may have been deleted
        state = replace(state, kept_since=known.kept_since, first_at=known.first_at, last_at=known.last_at)
    version = max(state.version, known.version + 1)
    held.save(replace(state, version=version, platform_id=known.platform_id, former_names=known.former_names))
