"""Rows move out of the tail, and no answer changes."""

import asyncio
import json
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path

from empty_store import copy_empty_store
from mergecast.demo.history import demo_events
from mergecast.ingest.delivery import read_json
from mergecast.model.event import Event
from mergecast.model.repository import Repository
from mergecast.store.duckdb.buckets import TailLimits
from mergecast.store.duckdb.engine import Engine
from mergecast.store.duckdb.store import DuckDBStore
from mergecast.store.opening import FILE_NAME
from mergecast.store.values import Selection
from store.statistics import all_answers

WIDGETS = Repository("acme", "widgets")
_NOW = 1_900_000_000_000_000
_COUNT = "select (select count(*) from main.{table}), (select count(*) from bucket_001.{table})"


@cache
def _three_days() -> list[Event]:
    """In an order in which most stays become known long before they end."""
    events = list(demo_events(date(2026, 3, 2), datetime(2026, 3, 5, tzinfo=UTC)))
    return read_json(
        json.dumps(sorted(events, key=lambda event: str(event["type"]), reverse=True)).encode(), _NOW
    )


def _counts(file: Path, table: str) -> tuple[int, int]:
    engine = Engine(file)
    with engine.cursor() as cursor:
        ((tail, bucket),) = cursor.execute(_COUNT.format(table=table)).fetchall()
    engine.close()
    return tail, bucket


async def _fill(store: DuckDBStore, events: list[Event]) -> None:
    """In large and small deliveries by turns."""
    for start in range(0, len(events), 380):
        await store.record(WIDGETS, events[start : start + 320])
        await store.record(WIDGETS, events[start + 320 : start + 380])


def test_answers_do_not_depend_on_where_rows_are(tmp_path: Path) -> None:
    """All in the tail, all moved or written to the bucket at once, or some of both; also after a delete."""
    events = _three_days()
    limits = {
        "tail": TailLimits(),
        "both": TailLimits(bucket=700),
        "moved": TailLimits(bucket=1),
        "direct": TailLimits(direct=1),
        "large ones direct": TailLimits(direct=80),
    }
    answers, counts = [], {}
    for name, limit in limits.items():
        copy_empty_store(tmp_path / name)
        store = DuckDBStore(tmp_path / name / FILE_NAME, limit)
        try:
            asyncio.run(_fill(store, events))
            before = asyncio.run(all_answers(store, WIDGETS))
            middle = events[len(events) // 2].happened_at
            deleted = asyncio.run(store.delete_events(Selection(WIDGETS, end=middle)))
            answers.append((before, deleted, asyncio.run(all_answers(store, WIDGETS))))
        finally:
            store.close()
        counts[name] = _counts(tmp_path / name / FILE_NAME, "events")

    left = len(events) - answers[0][1]
    assert [answers[0]] * len(limits) == answers
    assert (left, 0) == counts["tail"]
    assert min(counts["both"]) > 0
    assert (0, left) == counts["moved"] == counts["direct"]
    assert min(counts["large ones direct"]) > 0


def test_a_large_tail_moves_when_the_store_is_opened(tmp_path: Path) -> None:
    """As in a store of an earlier program, which had no buckets."""
    file = tmp_path / "store.duckdb"
    store = DuckDBStore(file, TailLimits(bucket=10**9, total=10**9, direct=10**9))
    asyncio.run(store.record(WIDGETS, _three_days()))
    before = asyncio.run(all_answers(store, WIDGETS))
    store.close()
    engine = Engine(file)
    with engine.cursor() as cursor:
        cursor.execute(
            "insert into main.events select e.* replace (number + k * 100000 as number, id || k as id) "
            "from main.events as e, range(1, 100) as copies(k)"
        )
    engine.close()
    tail, bucket = _counts(file, "events")

    assert 0 == tail
    assert bucket > 20_000
    assert (0, 0) != _counts(file, "stays")
    store = DuckDBStore(file)
    try:
        assert before.keys() == asyncio.run(all_answers(store, WIDGETS)).keys()
    finally:
        store.close()
