"""Audit lines in every kind of store."""

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from empty_store import copy_empty_store
from mergecast.incoming.intake.intake import Intake
from mergecast.queues.model.instant import DAY, HOUR
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.audit_rows import (
    AUDIT_KEEP,
    AuditRow,
    AuditSelection,
    add_audit_lines,
    all_audit_lines,
    check_audit_lines,
    drop_old_audit_lines,
    read_audit_lines,
)
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.store import Store
from waiting import wait_until

pytestmark = pytest.mark.thorough

_NAMES: tuple[tuple[str | None, str | None], ...] = (
    ("Acme", "Widgets"),
    ("acme", None),
    ("other", "widgets"),
    (None, None),
)
_LINES = [
    AuditRow(f"{at:016x}00000000", at, *_NAMES[at % 4], '{"event": "é", "who": "a\\u0000b"}')
    for at in range(12)
]


def _read(store: Store, limit: int = 100, before: str | None = None, **selection: Any) -> list[int]:
    """When the selected lines were written."""
    found = asyncio.run(read_audit_lines(store, AuditSelection(**selection), limit, before))
    return [line.at for line in found]


def test_lines_are_read_in_pages(store: Store) -> None:
    """Newest first; a page continues before a line. Adding the same lines again changes nothing."""
    for _ in range(2):
        asyncio.run(add_audit_lines(store, _LINES))

    assert [11, 10, 9] == _read(store, 3)
    assert [8, 7, 6] == _read(store, 3, _LINES[9].id)
    assert [] == _read(store, 3, _LINES[0].id)
    assert [_LINES[::-1]] == asyncio.run(_pages(store))
    assert 12 == asyncio.run(check_audit_lines(store))


async def _pages(store: Store) -> list[list[AuditRow]]:
    return [page async for page in all_audit_lines(store)]


def test_lines_are_selected(store: Store) -> None:
    """By period, and by names without case."""
    asyncio.run(add_audit_lines(store, _LINES))

    assert [4, 3] == _read(store, start=3, end=5)
    assert [9, 8, 5, 4, 1, 0] == _read(store, owner="acme")
    assert [8, 4, 0] == _read(store, owner="acme", repository="widgets")
    assert [10, 8, 6, 4, 2, 0] == _read(store, repository="widgets")


def test_lines_outlive_their_repository(store: Store) -> None:
    name = Repository("acme", "widgets")
    asyncio.run(store.set_products(name, ()))
    asyncio.run(add_audit_lines(store, _LINES))

    asyncio.run(store.forget(name))

    assert [8, 4, 0] == _read(store, owner="acme", repository="widgets")


def test_old_lines_are_deleted(store: Store) -> None:
    asyncio.run(add_audit_lines(store, _LINES))

    asyncio.run(drop_old_audit_lines(store, AUDIT_KEEP + 10))

    assert [11, 10] == _read(store)


def test_a_server_deletes_old_lines(tmp_path: Path) -> None:
    """Once the clock has run for a day without a jump."""
    copy_empty_store(tmp_path)
    store = open_store(tmp_path)
    moment = 500 * DAY

    async def scenario() -> None:
        nonlocal moment
        rows = [AuditRow(f"{at:016x}00000000", at, None, None, "{}") for at in (99 * DAY, 200 * DAY)]
        await add_audit_lines(store, rows)
        intake = Intake(store, lambda: moment, "tests")
        intake.look_seconds = 0.005
        intake.start()
        for _ in range(26):
            await asyncio.to_thread(wait_until, partial(_looked, store, moment))
            kept = await asyncio.to_thread(_read, store)
            assert moment >= 501 * DAY or kept == [200 * DAY, 99 * DAY]
            moment += HOUR
        await asyncio.to_thread(wait_until, lambda: [200 * DAY] == _read(store))
        await intake.close()

    try:
        asyncio.run(scenario())
    finally:
        store.close()


def _looked(store: Store, moment: int) -> bool:
    leases = asyncio.run(store.leases())
    return moment + HOUR in [lease.until for lease in leases]
