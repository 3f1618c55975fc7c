"""The same rows in SQLite, as Mergecast wrote them, and in PostgreSQL."""

import asyncio
import json
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import psycopg

from builders import Wire, ended, entered, left, reported, started
from made_up_checks import reports_for
from mergecast.demo.history import demo_events
from mergecast.incoming.intake.event_bodies import MOST_EVENTS_PER_DELIVERY, read_json
from mergecast.incoming.intake.intake import Intake
from mergecast.incoming.sources.github.deliveries import webhook_delivery
from mergecast.queues.model.cause import BEGIN, END, Cause
from mergecast.queues.model.ci_check import CiCheckReport
from mergecast.queues.model.ci_price import Prices
from mergecast.queues.model.delivery import Delivery as StoredDelivery
from mergecast.queues.model.notification import ALERT, DIGEST
from mergecast.queues.model.repository import Repository
from mergecast.queues.model.threshold import SetThreshold
from mergecast.queues.store.alerts import store_alerts, store_past_alerts
from mergecast.queues.store.audit_rows import AuditRow, add_audit_lines
from mergecast.queues.store.ci.add import replace_derived_checks
from mergecast.queues.store.ci.day_sums import sum_days
from mergecast.queues.store.ci.prices import put_prices
from mergecast.queues.store.expired import count_expired
from mergecast.queues.store.held_repository import HeldRepository, SharedRows
from mergecast.queues.store.opening import FILE_NAME, open_store
from mergecast.queues.store.outbox import add_causes
from mergecast.queues.store.recommendations import put_recommendation
from mergecast.queues.store.rows import (
    AlertRow,
    QueueCountsRow,
    RecommendationRow,
    ReferencePeriodRow,
    VerdictRow,
    WithdrawnEndRow,
)
from mergecast.queues.store.sqlite.connections import connect, fetch
from mergecast.queues.store.store import Store
from mergecast.queues.store.thresholds import put_thresholds
from mergecast.queues.store.values import Cursor, Lease, RecordedSnapshot
from mergecast.signals.removals.removals import Removals
from property.histories import NAMES, make_history, make_scene
from signals.stored import begun_alert
from sources.github_deliveries import Delivery, Story, clock
from sources.github_stories import three_behind_each_other

Row = tuple[Any, ...]

_COMPARED = ("failure_rate", "reference", "main", "default")

_ODD_REPOSITORIES = 3
_OWN_TABLES = ("store_state", "schema_migrations")  # which the store keeps about itself


@dataclass(frozen=True)
class Stores:
    """Both databases, with the same content."""

    sqlite: sqlite3.Connection
    postgres: psycopg.Connection[Row]

    def rows(self, query: str, *parameters: object) -> list[Row]:
        return fetch(self.sqlite, query, parameters)

    def column(self, query: str) -> list[Any]:
        """The first column of a query."""
        return [row[0] for row in self.rows(query)]


@contextmanager
def same_stores(folder: Path, address: str) -> Iterator[Stores]:
    asyncio.run(_fill(folder))
    with (
        closing(connect(folder / FILE_NAME)) as sqlite,
        psycopg.connect(address, cursor_factory=psycopg.RawCursor) as postgres,
    ):
        _load(sqlite, postgres)
        yield Stores(sqlite, postgres)


async def _fill(folder: Path) -> None:
    """Twelve days of the demo history, repositories with unusual events, and one queue per name."""
    database = open_store(folder)
    try:
        month = list(demo_events(date(2026, 3, 2), datetime(2026, 3, 14, tzinfo=UTC)))
        await _record(database, "month", month)
        await _record(database, "month", reports_for(month, Random(7)))
        await database.change(Repository("acme", "month"), _add_derived_checks, create=False)
        for quiet in (0, 2**60):  # some days, and then a block of them
            await database.change(Repository("acme", "month"), partial(sum_days, quiet=quiet), create=False)
        for number in range(_ODD_REPOSITORIES):
            choose = Random(number).choice
            await _record(database, f"odd-{number}", make_history(choose, make_scene(choose), 150))
        await _record(database, "names", _a_queue_of_every_name())
        await _record(database, "flaky", _a_flaky_check())
        await _record(database, "cancelled", _a_cancelled_check())
        for number in range(1, 9):
            snapshot = RecordedSnapshot(number, is_open=number % 3 > 0, document=f'["é", {7**number}]')
            await database.put_snapshot(Repository("acme", "names"), snapshot)
        await _deliver(database, Repository("acme", "names"))
        await database.change(Repository("acme", "names"), _add_causes, create=False)
        await database.change(Repository("acme", "names"), _add_alerts, create=False)
        await database.change(Repository("acme", "names"), _add_counts, create=False)
        await database.change(Repository("acme", "names"), _add_reference_periods, create=False)
        await _judge(database, Repository("acme", "month"))
        await database.change(Repository("acme", "names"), _add_wrong_verdict, create=False)
        await database.change_shared(_add_channels)
        await database.change_shared(_add_sources)
        await add_audit_lines(database, _audit_lines())
    finally:
        database.close()


async def _judge(database: Store, name: Repository) -> None:
    known = await database.repository(name)
    assert known is not None
    await Removals(database, lambda: known.last_at or 0, "test", nullcontext).judge(known)


def _add_wrong_verdict(held: HeldRepository) -> None:
    """About a stay that does not exist."""
    texts = ("main", "default", "gone", "own", "fix", "fix", "[]")
    held.insert([VerdictRow(held.state.id, 2**40, 4, 7, 5, 1, *texts)])
    held.save(held.state)


def _a_cancelled_check() -> list[Wire]:
    """A required check was cancelled, and so its group was removed."""
    at, over = "2026-03-05T10:00:00Z", "2026-03-05T10:20:00Z"
    return [
        entered(at, "stay", 1),
        started(at, "stay", 1, "batch", [1]),
        reported(over, "batch", "unit", "cancelled", started_at=at, ended_at=over),
        ended(over, "stay", 1, "batch", "CHECKS_FAILED"),
        left(over, "stay", 1, "CHECKS_FAILED"),
    ]


def _a_flaky_check() -> Iterator[Wire]:
    """A run that fails and stops the run behind it, and the next run of its pull request, which passes."""
    day = "2026-03-03T"
    yield started(f"{day}07:00:00Z", "a", 1, "X", [1])
    yield started(f"{day}07:01:00Z", "b", 2, "Y", [2])
    yield ended(f"{day}07:10:00Z", "a", 1, "X", "CHECKS_FAILED")
    yield ended(f"{day}07:10:01Z", "b", 2, "Y", "BATCH_AHEAD_FAILED")
    yield from (entered(f"{day}06:00:00Z", name, number) for number, name in enumerate("ab", start=1))
    yield left(f"{day}07:10:01Z", "a", 1, "CHECKS_FAILED")
    yield entered(f"{day}08:00:00Z", "c", 1)
    yield started(f"{day}08:00:00Z", "c", 1, "Z", [1])
    yield ended(f"{day}08:10:00Z", "c", 1, "Z")
    for batch, hour, conclusion in (("X", "07", "failure"), ("Z", "08", "success")):
        yield reported(f"{day}{hour}:09:00Z", batch, "unit", conclusion)


def _a_queue_of_every_name() -> Iterator[Wire]:
    """One merged stay per name; sorting by code point differs from any dictionary order."""
    for number, name in enumerate(NAMES):
        yield entered("2024-02-29T07:00:00Z", name, number, queue_name=name)
        yield left("2024-02-29T08:00:00Z", name, number, queue_name=name)


async def _deliver(database: Store, name: Repository) -> None:
    """Webhooks that are translated, cannot be translated, are not kept, or still wait for translation."""
    told, waiting, outside = three_behind_each_other(), Story(), Story()
    waiting.enqueued(50, 5)
    outside.closed(51, 6, merged_by="ines")
    given = [
        *told.deliveries,
        Delivery(
            "merge_group", "unreadable", clock(1), b'{"repository": {"id": 1, "full_name": "acme/names"}}'
        ),
        Delivery("star", "not-kept", clock(1), b'{"repository": {"id": 1, "full_name": "acme/names"}}'),
    ]
    intake = Intake(database, lambda: clock(60), "tests")
    await intake.receive_import(name, _as_stored(given), Cursor("github", "2", 5))
    await intake.receive(name, _as_stored([*waiting.deliveries, *outside.deliveries], "later-"))
    await database.take_lease(Lease("follow github acme/names", "tests", 100), 0, 100)


def _add_derived_checks(held: HeldRepository) -> None:
    """A report that was translated from a thread, years before the others."""
    report = CiCheckReport("derived", 5, "main", "default", "b", "c", "unit", "success")
    replace_derived_checks(held, {7: [report]})
    put_prices(held, Prices("USD", 8_000_000, {}))


def _add_alerts(held: HeldRepository) -> None:
    alerts = [
        begun_alert("run_too_long", "default", 4),
        replace(begun_alert("nothing_merges", "default", 8), ended_at=10),
    ]
    store_past_alerts(held, alerts, until=20)
    thresholds = [
        SetThreshold("run_too_long", 1.5, "main", "default"),
        SetThreshold("splits", None, "main"),
        SetThreshold("failure_rate", 0.05, alert=False),
    ]
    put_thresholds(held, thresholds)
    put_recommendation(held, RecommendationRow(held.state.id, "main", 5, "today's", "{}"))


def _add_causes(held: HeldRepository) -> None:
    for phase in (BEGIN, END):
        causes = [
            Cause(kind, f"{kind} {number}", phase, held.now, "main", None, "{}")
            for kind in (ALERT, DIGEST)
            for number in range(3)
        ]
        add_causes(held, causes)
    add_causes(held, [Cause(ALERT, "sent", BEGIN, held.now, "main", None, "{}")], are_done=True)


def _add_counts(held: HeldRepository) -> None:
    id = held.state.id
    held.insert(QueueCountsRow(id, queue, '{"entered": 3}') for queue in (1, 2))
    held.insert(WithdrawnEndRow(id, subject, "queue_left") for subject in range(1, 9))
    count_expired(held, {("github", "import"): 5, ("é", "api"): 2})
    store_alerts(held, [begun_alert("run_too_long", name, 1) for name in ("a", "b")], ())
    held.save(held.state)


def _add_reference_periods(held: HeldRepository) -> None:
    """One that was compared, and one that was not; an alert that ended, and one that did not."""
    march = int(datetime(2026, 3, 2, tzinfo=UTC).timestamp()) * 1_000_000
    held.insert(
        [
            ReferencePeriodRow(held.state.id, "march", "{}", "[]", march, "{}"),
            ReferencePeriodRow(held.state.id, "é", "{}", "[]", None, None),
        ]
    )
    held.insert(
        [
            AlertRow(held.state.id, "a", *_COMPARED, march, march, march + 1, '{"é": 1}'),
            AlertRow(held.state.id, "é", *_COMPARED, march, march, None, "{}"),
        ]
    )
    held.save(held.state)


def _add_channels(shared: SharedRows) -> None:
    for place, id in enumerate("abc"):
        shared.change("add_channel", id, "acme", "", "slack", "sealed", "{}", place, None)
        for number in range(place):
            shared.change("add_notice", f"{id}{number}", id, "alert", "key", "begin", number, "{}", number)


def _add_sources(shared: SharedRows) -> None:
    """One of two apps is used by an added source."""
    url = "https://api.github.com"
    for at, id in enumerate("78"):
        shared.change("add_github_app", id, "mergecast-é", "acme", url, "sealed", at > 0, "[]", at)
    for at, (id, app) in enumerate((("a", "7"), ("b", ""))):
        names = ("github", "acme/web", "acme", "é", url)
        shared.change("add_added_source", id, *names, "sealed", app, at, "operator", at or None)


def _audit_lines() -> list[AuditRow]:
    names: list[tuple[str, str | None]] = [("Acme", "Widgets"), ("acme", None), ("other", "widgets")]
    return [AuditRow(f"{at:016x}00000000", at, *names[at % 3], '{"é": 1}') for at in range(9)]


def _as_stored(given: Sequence[Delivery], prefix: str = "") -> list[StoredDelivery]:
    return [webhook_delivery(one.event, prefix + one.id, one.body, one.received_at)[1] for one in given]


async def _record(database: Store, name: str, events: Any) -> None:
    waiting = list(events)
    now = time.time_ns() // 1000
    for start in range(0, len(waiting), MOST_EVENTS_PER_DELIVERY):
        body = json.dumps(waiting[start : start + MOST_EVENTS_PER_DELIVERY]).encode()
        await database.record(Repository("acme", name), read_json(body, now))


def _load(sqlite: sqlite3.Connection, postgres: psycopg.Connection[Row]) -> None:
    """Copy every row."""
    for (table,) in fetch(sqlite, "select name from sqlite_schema where type = 'table' order by 1"):
        if not table.startswith("sqlite_") and table not in _OWN_TABLES:
            _copy(sqlite, postgres, table)
    postgres.execute("analyze")
    postgres.commit()


def _copy(sqlite: sqlite3.Connection, postgres: psycopg.Connection[Row], table: str) -> None:
    types: dict[str, str] = dict(
        postgres.execute(
            "select column_name, data_type from information_schema.columns where table_name = $1", [table]
        ).fetchall()
    )
    columns = [name for _, name, *_ in fetch(sqlite, f"pragma table_info({table})")]
    read = [f'{name} as "{name} [boolean]"' if types[name] == "boolean" else name for name in columns]
    if table == "repositories":
        columns, read = [*columns, "folded"], [*read, "lower(owner || '/' || name)"]
    postgres.execute(f"truncate {table}")
    with postgres.cursor() as cursor, cursor.copy(f"copy {table} ({', '.join(columns)}) from stdin") as copy:
        for row in fetch(sqlite, f"select {', '.join(read)} from {table}"):
            copy.write_row(row)


Parameters = Callable[[Stores], list[list[Any]]]
