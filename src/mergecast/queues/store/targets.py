"""Targets in the store: one row for each repository that has some."""

from collections.abc import Sequence
from dataclasses import replace

import msgspec

from mergecast.queues.model.target import Target
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.rows import TargetsRow
from mergecast.queues.store.stored_rows import delete_rows, stored_rows


def read_targets(reader: Reader, repository_ids: Sequence[int]) -> dict[int, list[Target]]:
    """The targets of the repositories that have some."""
    rows = reader.rows("targets", [list(repository_ids)])
    return {id: msgspec.json.decode(document, type=list[Target]) for id, document in rows}


def set_targets(held: HeldRepository, targets: Sequence[Target]) -> None:
    """Replace all targets of a repository. Doing so twice changes nothing."""
    rows = [TargetsRow(held.state.id, msgspec.json.encode(targets).decode())] if targets else []
    if rows == stored_rows(held.rows, TargetsRow):
        return
    delete_rows(held, TargetsRow)
    held.insert(rows)
    # Summaries tell whether targets are met, although no event has changed.
    held.save(replace(held.state, version=held.state.version + 1))
