"""Audit lines: who deleted something or changed a setting. They outlive the repository they are about."""

from collections.abc import AsyncIterator, Sequence
from typing import NamedTuple

from mergecast.queues.model.instant import DAY
from mergecast.queues.store.held_repository import SharedRows
from mergecast.queues.store.store import Store

AUDIT_KEEP = 400 * DAY
_PAGE = 1000
_FIRST, _LAST = -(1 << 62), 1 << 62


class AuditRow(NamedTuple):
    id: str  # the later of two lines has the larger one
    at: int
    owner: str | None
    repository: str | None  # its name without the owner; None if the line is about all of them
    document: str  # what happened, in JSON


class AuditSelection(NamedTuple):
    """Which lines are asked for; names are in lower case."""

    start: int = _FIRST
    end: int = _LAST
    owner: str | None = None
    repository: str | None = None


async def add_audit_lines(store: Store, lines: Sequence[AuditRow]) -> None:
    """Add the lines that are not there yet; done once they are durable."""

    def add(shared: SharedRows) -> None:
        for line in lines:
            shared.change("add_audit_line", *line)

    await store.change_shared(add)


async def read_audit_lines(
    store: Store, selection: AuditSelection, limit: int, before: str | None = None
) -> list[AuditRow]:
    """The newest lines, or the newest of those before a line."""
    asked = [*selection, before, limit]
    rows = await store.read(None, lambda reader: reader.rows("audit_page", asked))
    return [AuditRow(*row) for row in rows]


async def all_audit_lines(store: Store) -> AsyncIterator[list[AuditRow]]:
    """Page by page, newest first."""
    before = None
    while page := await read_audit_lines(store, AuditSelection(), _PAGE, before):
        yield page
        before = page[-1].id


async def drop_old_audit_lines(store: Store, now: int) -> None:
    await store.change_shared(lambda shared: shared.change("delete_old_audit_lines", now - AUDIT_KEEP))


async def check_audit_lines(store: Store) -> int:
    """Read all lines, which fails if some are damaged; returns how many there are."""
    ((lines, _),) = await store.read(None, lambda reader: reader.rows("readable_audit_lines", []))
    return int(lines)
