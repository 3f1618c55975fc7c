"""How base branches were set up when that was last read: a document for each branch."""

import zlib
from typing import NamedTuple

from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.rows import SetUpRow
from mergecast.queues.store.stored_rows import ReadRows, delete_rows, of_repository, stored_rows

MOST_BRANCHES = 50  # of a repository; the one that was read longest ago makes room


class StoredSetUp(NamedTuple):
    base_ref: str
    read_at: int
    document: bytes


def read_set_ups(reader: Reader, repository_id: int) -> list[StoredSetUp]:
    """All of a repository, the newest first."""
    return _newest_first(of_repository(reader, repository_id))


def put_set_up(held: HeldRepository, set_up: StoredSetUp) -> bytes | None:
    """Keep how a branch is set up; returns the document that was kept of it before."""
    kept = _newest_first(held.rows)
    others = [one.base_ref for one in kept if one.base_ref != set_up.base_ref]
    delete_rows(held, SetUpRow, base_ref=[set_up.base_ref, *others[MOST_BRANCHES - 1 :]])
    packed = set_up._replace(document=zlib.compress(set_up.document))
    held.insert([SetUpRow(held.state.id, *packed)])
    held.save(held.state)
    return next((one.document for one in kept if one.base_ref == set_up.base_ref), None)


def _newest_first(read: ReadRows) -> list[StoredSetUp]:
    rows = sorted(stored_rows(read, SetUpRow), key=lambda row: (-row.read_at, row.base_ref))
    return [StoredSetUp(row.base_ref, row.read_at, zlib.decompress(row.document)) for row in rows]
