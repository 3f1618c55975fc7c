"""Rows move out of the tail, and no answer changes."""

import asyncio
import json
import threading
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path

import pytest

from empty_store import copy_empty_store
from mergecast.demo.history import demo_events
from mergecast.incoming.intake.event_bodies import read_json
from mergecast.incoming.intake.intake import Intake
from mergecast.incoming.sources.github.deliveries import webhook_delivery
from mergecast.queues.model.ci_check import AnyEvent
from mergecast.queues.model.event import Event
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.duckdb.buckets import change_buckets, complete_buckets, create_buckets
from mergecast.queues.store.duckdb.engine import Engine
from mergecast.queues.store.duckdb.store import DuckDBStore
from mergecast.queues.store.duckdb.tail import TailLimits
from mergecast.queues.store.opening import FILE_NAME
from mergecast.queues.store.reader import Reader
from mergecast.queues.store.values import Selection
from sources.github_stories import merged_at_the_first_try
from store.statistics import all_answers

pytestmark = pytest.mark.thorough

WIDGETS = Repository("acme", "widgets")
GADGETS = Repository("acme", "gadgets")
_NOW = 1_900_000_000_000_000
_LAST = 300  # so few that no limit on the tail is reached by them alone
_BUCKET = "select count(*) from duckdb_schemas() where schema_name = 'bucket_001'"


@cache
def _three_days() -> list[AnyEvent]:
    """In an order in which most stays become known long before they end."""
    events = list(demo_events(date(2026, 3, 2), datetime(2026, 3, 5, tzinfo=UTC)))
    return read_json(
        json.dumps(sorted(events, key=lambda event: str(event["type"]), reverse=True)).encode(), _NOW
    )


def _counts(file: Path, table: str) -> tuple[int, int | None]:
    """How many rows are in the tail and in the bucket; None if there is no bucket."""
    engine = Engine(file)
    with engine.cursor() as cursor:
        (has_bucket,) = cursor.execute(_BUCKET).fetchall()[0]
        schemas = ["main", "bucket_001"] if has_bucket else ["main"]
        found = [cursor.execute(f"select count(*) from {one}.{table}").fetchall()[0][0] for one in schemas]
    engine.close()
    return found[0], found[1] if has_bucket else None


async def _fill(store: DuckDBStore, events: list[AnyEvent]) -> None:
    """In large and small deliveries by turns."""
    for start in range(0, len(events), 380):
        await store.record(WIDGETS, events[start : start + 320])
        await store.record(WIDGETS, events[start + 320 : start + 380])


def _filled(folder: Path, limits: TailLimits, later: TailLimits, events: list[AnyEvent]) -> DuckDBStore:
    """A store that was opened again, with other limits, before it got the last events."""
    copy_empty_store(folder)
    store = DuckDBStore(folder / FILE_NAME, limits)
    asyncio.run(_fill(store, events[:-_LAST]))
    store.close()
    store = DuckDBStore(folder / FILE_NAME, later)
    asyncio.run(_fill(store, events[-_LAST:]))
    return store


@pytest.mark.thorough
def test_answers_do_not_depend_on_where_rows_are(tmp_path: Path) -> None:
    """All in the tail, moved or written to the bucket at once, or some of both; also after a delete."""
    events = _three_days()
    default, moving, direct = TailLimits(), TailLimits(bucket=1), TailLimits(direct=1)
    limits = {
        "tail": (default, default),
        "both": (TailLimits(bucket=700), default),
        "moved": (moving, moving),
        "direct": (direct, direct),
        "large ones direct": (TailLimits(direct=80), TailLimits(direct=80)),
    }
    answers, counts = [], {}
    for name, (first, later) in limits.items():
        store = _filled(tmp_path / name, first, later, events)
        try:
            before = asyncio.run(all_answers(store, WIDGETS))
            middle = events[len(events) // 2].happened_at
            deleted = asyncio.run(store.delete_events(Selection(WIDGETS, end=middle)))
            answers.append((before, deleted, asyncio.run(all_answers(store, WIDGETS))))
        finally:
            store.close()
        counts[name] = _counts(tmp_path / name / FILE_NAME, "events")

    left = len(events) - answers[0][1]
    assert [answers[0]] * len(limits) == answers
    assert (left, None) == counts["tail"]
    assert min(map(bool, counts["both"]))
    assert counts["moved"][1]  # the rest moves later if the machine is slow
    assert (0, left) == counts["direct"]
    assert min(map(bool, counts["large ones direct"]))


@pytest.mark.thorough
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
    assert bucket is not None
    assert bucket > 20_000
    assert (0, 0) != _counts(file, "stays")
    store = DuckDBStore(file)
    try:
        assert before.keys() == asyncio.run(all_answers(store, WIDGETS)).keys()
    finally:
        store.close()


def test_a_repository_with_more_deliveries_gets_a_bucket(tmp_path: Path) -> None:
    """The first stay in the tail; translating and reading find all of them."""
    told = merged_at_the_first_try().deliveries
    deliveries = [webhook_delivery(one.event, one.id, one.body, one.received_at)[1] for one in told]

    async def events(limit: int) -> list[Event]:
        copy_empty_store(tmp_path / str(limit))
        store = DuckDBStore(tmp_path / str(limit) / FILE_NAME, TailLimits(deliveries=limit))
        intake = Intake(store, lambda: _NOW, "tests")
        try:
            for one in deliveries:
                await intake.receive(WIDGETS, [one])
                await intake.translate(WIDGETS)
            known = await store.repository(WIDGETS)
            assert known is not None
            found = [one.delivery.guid async for page in store.deliveries(known) for one in page]
            assert [one.guid for one in deliveries] == found
            return [event async for page in store.export(known) for event in page]
        finally:
            store.close()

    answers = [asyncio.run(events(limit)) for limit in (0, 2, len(deliveries))]
    counts = [_counts(file, "deliveries") for file in sorted(tmp_path.glob(f"*/{FILE_NAME}"))]

    assert [answers[0]] * 3 == answers
    assert {(0, len(deliveries)), (2, len(deliveries) - 2), (len(deliveries), None)} == set(counts)


def test_a_reader_misses_nothing_while_a_bucket_is_created(tmp_path: Path) -> None:
    """It began when all rows were in the tail, and runs its first statement when they have moved."""
    copy_empty_store(tmp_path)
    store = DuckDBStore(tmp_path / FILE_NAME, TailLimits(bucket=200))
    first, more = _three_days()[:100], _three_days()[100:300]
    has_begun, have_moved = threading.Event(), threading.Event()

    def count(reader: Reader) -> object:
        has_begun.set()
        assert have_moved.wait(60)
        return reader.rows("span_of_events", [1])[0][0]

    async def read_and_move() -> tuple[object, object]:
        await store.record(WIDGETS, first)
        reading = asyncio.create_task(store.read(1, count))
        await asyncio.to_thread(has_begun.wait, 60)
        await store.record(WIDGETS, more)
        await store.record(GADGETS, [])  # the writer has moved the rows before it takes this
        have_moved.set()
        return await reading, await store.read(1, count)

    try:
        assert (100, 300) == asyncio.run(read_and_move())
    finally:
        store.close()
    assert (0, 300) == _counts(tmp_path / FILE_NAME, "events")


def test_a_new_column_is_added_in_every_bucket_that_has_the_table(tmp_path: Path) -> None:
    """A bucket of an earlier version gets a table that it lacks later, with all columns."""
    migration = (
        "-- Notes.\nalter table events add column note text;\nalter table groups add column note text;"
    )
    copy_empty_store(tmp_path)
    engine = Engine(tmp_path / FILE_NAME)
    with engine.cursor() as cursor:
        create_buckets(cursor, [1, 2])
        cursor.execute("drop view view_002.events; drop table bucket_002.events")
        cursor.execute(migration)

        change_buckets(cursor, migration)
        complete_buckets(cursor)

        rows = cursor.execute(
            "select schema_name from duckdb_columns() where column_name = 'note'"
        ).fetchall()
        assert [] == cursor.execute("select note from view_001.events").fetchall()
    engine.close()
    schemas = ["bucket_001", "bucket_002", "main", "main", "view_001", "view_002"]
    assert schemas == sorted(schema for (schema,) in rows)
