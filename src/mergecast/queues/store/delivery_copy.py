"""Copies deliveries from one store to another, with everything else about their sources."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from mergecast.queues.model.delivery import Delivery
from mergecast.queues.store.delivery_rows import (
    CursorRow,
    DictionaryRow,
    ExpiredRow,
    PullRequestRow,
    SkippedRow,
    SourceRow,
)
from mergecast.queues.store.field_packing import unpack_fields
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.values import KnownRepository, PackedDelivery

PAGE = 2_000


class SourceTables(NamedTuple):
    """Everything about the sources of a repository that does not follow from their deliveries."""

    dictionaries: list[DictionaryRow]
    skipped: list[SkippedRow]
    expired: list[ExpiredRow]
    sources: list[SourceRow]
    cursors: list[CursorRow]
    pull_requests: list[PullRequestRow]


def read_deliveries(reader: Reader, repository_id: int, after: int) -> list[tuple[int, PackedDelivery]]:
    """The next deliveries, each with its number."""
    return [_packed(row) for row in reader.rows("deliveries_page", [repository_id, after, PAGE])]


def _packed(row: Sequence[Any]) -> tuple[int, PackedDelivery]:
    thread, number, *named, happened_at, is_about_queue, fields, body, dictionary = row
    source, kind, guid, digest, event, action, received_at = named
    delivery = Delivery(
        source, kind, guid, digest, event, action, received_at, b"", thread, happened_at,
        unpack_fields(fields), is_about_queue,
    )  # fmt: skip
    return number, PackedDelivery(delivery, body, dictionary)


def read_source_tables(reader: Reader, repository_id: int) -> SourceTables:
    def rows(statement: str) -> list[tuple[Any, ...]]:
        return reader.rows(statement, [repository_id])

    return SourceTables(
        [DictionaryRow(*row) for row in rows("dictionaries")],
        [SkippedRow(*row) for row in rows("skipped_deliveries")],
        [ExpiredRow(*row) for row in rows("expired")],
        [SourceRow(*row) for row in rows("sources")],
        [CursorRow(*row) for row in rows("cursors")],
        [PullRequestRow(*row) for row in rows("all_pull_requests")],
    )


def write_source_tables(held: HeldRepository, tables: SourceTables, known: KnownRepository) -> None:
    """Replace the tables of the copy. Doing so twice changes nothing.

    The copy continues with a version that the original never had: ETags contain it, and clients keep answers.
    """
    id = held.state.id
    held.change_rows("delete_dictionaries")
    held.change_rows("delete_skipped_deliveries")
    held.change_rows("delete_expired")
    held.change_rows("delete_sources")
    for cursor in tables.cursors:
        held.change_rows("delete_cursor", cursor.source)
    held.change_rows("delete_pull_requests", [row.number for row in tables.pull_requests])
    held.insert([row._replace(repository_id=id) for row in tables.dictionaries])
    held.insert([row._replace(repository_id=id) for row in tables.skipped])
    held.insert([row._replace(repository_id=id) for row in tables.expired])
    held.insert([row._replace(repository_id=id) for row in tables.sources])
    held.insert([row._replace(repository_id=id) for row in tables.cursors])
    held.insert([row._replace(repository_id=id) for row in tables.pull_requests])
    state = held.state
    if known.kept_since is not None:  # the first and the last event may have been deleted
        state = replace(state, kept_since=known.kept_since, first_at=known.first_at, last_at=known.last_at)
    version = max(state.version, known.version + 1)
    held.save(replace(state, version=version, platform_id=known.platform_id, former_names=known.former_names))
