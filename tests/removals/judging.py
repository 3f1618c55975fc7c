"""Stores events and judges removals without a server, at a time that a test sets."""

import json
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

from mergecast.incoming.intake.event_bodies import read_lines
from mergecast.queues.model.instant import parse_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.rows import VerdictRow, VerdictStateRow
from mergecast.queues.store.store import Store
from mergecast.queues.store.stored_rows import read_rows
from mergecast.queues.store.values import KnownRepository
from mergecast.signals.leading import Turn
from mergecast.signals.removals.removals import Removals

NAME = Repository("acme", "widgets")
START = parse_instant("2026-03-02T00:00:00Z")

Said = tuple[int, str, str, str, str]


async def send(store: Store, events: Sequence[dict[str, Any]], now: int, name: Repository = NAME) -> None:
    lines = "\n".join(json.dumps(event) for event in events)
    await store.record(name, read_lines(lines.encode(), now))


async def known_of(store: Store, name: Repository = NAME) -> KnownRepository:
    known = await store.repository(name)
    assert known is not None
    return known


def removals(store: Store, now: Callable[[], int], turn: Turn = nullcontext, holder: str = "one") -> Removals:
    found = Removals(store, now, holder, turn)
    found.rest_factor = found.patience_seconds = 0.0
    return found


async def judge(store: Store, now: int, turn: Turn = nullcontext, name: Repository = NAME) -> None:
    await removals(store, lambda: now, turn).judge(await known_of(store, name))


async def rows_of(store: Store, name: Repository = NAME) -> list[VerdictRow]:
    known = await known_of(store, name)
    rows = await store.read(known.id, lambda reader: read_rows(reader, known.id, VerdictRow))
    return sorted(rows, key=lambda row: row.session_id)


async def states_of(store: Store, name: Repository = NAME) -> list[VerdictStateRow]:
    known = await known_of(store, name)
    return await store.read(known.id, lambda reader: read_rows(reader, known.id, VerdictStateRow))


async def said(store: Store, name: Repository = NAME) -> dict[str, Said]:
    """Everything about each verdict that follows from events, by session."""
    return {
        row.session_id: (row.left_at, row.cause, row.act, row.said_act, row.document)
        for row in await rows_of(store, name)
    }
