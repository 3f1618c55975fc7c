"""The task that measures queues, while repositories are deleted, servers stop, and others measure too."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from functools import partial
from pathlib import Path

import pytest

from builders import ended, entered, event, started
from logged_secrets import LOGGED
from mergecast.incoming.intake.event_bodies import read_lines
from mergecast.process.logs import log_as_json
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, Window, format_instant, parse_instant
from mergecast.queues.model.notification import ALERT
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.alerts import alerts_between, has_looked_back, open_alerts
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.rows import CauseRow
from mergecast.queues.store.store import Store
from mergecast.queues.store.stored_rows import read_rows
from mergecast.queues.store.values import KnownRepository
from mergecast.signals.alerts.watcher import AlertWatch
from postgres.server import new_store
from signals.steady import steady_events
from waiting import MOST_SECONDS, wait_until

NOW = parse_instant("2026-11-02T12:00:00Z")
NAME = Repository("acme", "widgets")

Turn = Callable[[], AbstractAsyncContextManager[object]]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    log_as_json()
    opened = open_store(tmp_path)
    yield opened
    opened.close()


async def _stuck_queue(store: Store) -> KnownRepository:
    """Three weeks of a steady queue, in which no run starts any more."""
    waiting = entered(format_instant(NOW - 50 * MINUTE), "waiting", 9001)
    events = [*steady_events(NOW - 55 * MINUTE, weeks=3), waiting]
    lines = "\n".join(json.dumps(event) for event in events)
    await store.record(NAME, read_lines(lines.encode(), NOW))
    return await _known(store)


async def _known(store: Store) -> KnownRepository:
    known = await store.repository(NAME)
    assert known is not None
    return known


async def _open_alerts(store: Store) -> list[str]:
    known = await _known(store)
    found = await store.read(known.id, lambda reader: open_alerts(reader, known.id))
    return [alert.figure for alert in found]


def _after_turn(number: int, work: Callable[[], Awaitable[object]]) -> Turn:
    """Does something else right after this many pieces of work have had their turn."""
    turns = iter(range(1, 1000))

    @asynccontextmanager
    async def turn() -> AsyncIterator[None]:
        yield
        if next(turns) == number:
            await work()

    return turn


async def _set(event: asyncio.Event) -> None:
    event.set()


def _watch(store: Store, holder: str = "one", turn: Turn = nullcontext) -> AlertWatch:
    return AlertWatch(store, lambda: NOW, holder, turn)


def test_what_was_found_in_a_deleted_repository_is_dropped(store: Store) -> None:
    """Another repository has its name when the problem is stored."""

    async def replace() -> None:
        await store.forget(NAME)
        await store.set_products(NAME, ())

    async def measure() -> list[str]:
        known = await _stuck_queue(store)
        # The first turn learns what is normal, the second one measures.
        await _watch(store, turn=_after_turn(2, replace)).measure(known)
        return await _open_alerts(store)

    before = len(LOGGED.getvalue())
    assert [] == asyncio.run(measure())
    assert b"diagnos" not in LOGGED.getvalue()[before:]


def test_deleting_a_repository_while_it_is_measured_is_no_error(store: Store) -> None:
    async def measure() -> KnownRepository | None:
        known = await _stuck_queue(store)
        await _watch(store, turn=_after_turn(1, lambda: store.forget(NAME))).measure(known)
        return await store.repository(NAME)

    before = len(LOGGED.getvalue())
    assert asyncio.run(measure()) is None
    assert b"diagnos" not in LOGGED.getvalue()[before:]


@pytest.mark.parametrize("first", ["the store", "the task"])
def test_stopping_is_no_error(store: Store, first: str) -> None:
    """Whichever ends first."""

    async def stop() -> None:
        await _stuck_queue(store)
        is_reached = asyncio.Event()

        async def close() -> None:
            is_reached.set()
            if first == "the store":
                await asyncio.to_thread(store.close)
            else:
                await asyncio.sleep(MOST_SECONDS)

        watcher = _watch(store, turn=_after_turn(1, close))
        watcher.start()
        await asyncio.wait_for(is_reached.wait(), MOST_SECONDS)
        await asyncio.sleep(0.05)
        await watcher.close()

    before = len(LOGGED.getvalue())
    asyncio.run(stop())
    assert b"diagnos" not in LOGGED.getvalue()[before:]


def test_a_history_that_a_request_measured_first_is_looked_back_into(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the verdict would say for ever that it is still looking."""
    monkeypatch.setattr(AlertWatch, "look_seconds", 0.01)
    now = [NOW]

    async def look() -> list[bool]:
        lines = "\n".join(json.dumps(event) for event in steady_events(NOW - 4 * DAY, weeks=5))
        await store.record(NAME, read_lines(lines.encode(), NOW))
        watcher, known = AlertWatch(store, lambda: now[0], "one", nullcontext), await _known(store)
        await watcher.refresh(known)  # it is seen, and not measured yet: more may follow
        now[0] += 3 * MINUTE
        await watcher.refresh(known)
        looking = [watcher.is_looking(known)]
        watcher.start()
        await asyncio.to_thread(wait_until, lambda: not watcher.is_looking(known))
        await watcher.close()
        return [*looking, await store.read(known.id, lambda reader: has_looked_back(reader, known.id))]

    assert [True, True] == asyncio.run(look())
    assert ["source_silent"] == asyncio.run(_open_alerts(store))


def _measured(store: Store, events: list[dict[str, object]], *hours: int) -> list[list[str]]:
    """The problems that hold so many hours after NOW, one measurement after the other."""
    now = [NOW]

    async def measure() -> list[list[str]]:
        lines = "\n".join(json.dumps(event) for event in [*steady_events(NOW, weeks=3), *events])
        await store.record(NAME, read_lines(lines.encode(), NOW + 10 * DAY))
        watcher, known, found = (
            AlertWatch(store, lambda: now[0], "one", nullcontext),
            await _known(store),
            [],
        )
        for hour in hours:
            now[0] = NOW + hour * HOUR
            await watcher.measure(known)
            found.append(await _open_alerts(store))
        return found

    return asyncio.run(measure())


def test_a_forgotten_pull_request_stays_forgotten_over_a_weekend(store: Store) -> None:
    """The runs that passed it over are then too old to be read again; it is reported once."""
    forgotten = entered(format_instant(NOW - DAY - 10 * MINUTE), "forgotten", 9001)

    found = _measured(store, [forgotten], 0, 3 * 24, 4 * 24)

    assert [["forgotten"]] * 3 == [[name for name in names if name == "forgotten"] for names in found]
    assert "no_run_started" not in found[2]
    (told, _) = asyncio.run(_told(store, NOW + 5 * DAY))
    assert 1 == told.count("forgotten")


def test_a_batch_is_split_as_long_as_its_members_are_tested(store: Store) -> None:
    """The source does not tell that the bisection ended."""
    at = [format_instant(NOW + minutes * MINUTE) for minutes in (*range(7), 90)]
    splits = [
        event("bisection_started", at[depth], batch_id="b1", depth=depth, batch_pull_requests=[9001, 9002])
        for depth in range(1, 7)
    ]
    stays = [entered(at[0], f"s{pull}", pull) for pull in (9000, 9001, 9002)]
    passes = [
        started(at[6], "s9001", 9001, "b2", [9001, 9002]),
        started(at[6], "s9002", 9002, "b2", [9001, 9002]),
        ended(at[7], "s9001", 9001, "b2"),
        ended(at[7], "s9002", 9002, "b2"),
    ]

    found = _measured(store, [*splits, *stays, *passes], 1, 3, 4)

    assert [True, True, False] == ["going_round" in names for names in found]  # after a rest


@pytest.fixture
def two_stores(tmp_path: Path, database_server: str) -> Iterator[tuple[Store, Store]]:
    """The stores of two servers on one database."""
    url = new_store(database_server)
    first, second = (open_store(tmp_path / name, url, lambda: NOW) for name in ("first", "second"))
    yield first, second
    first.close()
    second.close()


async def _told(store: Store, until: int = NOW + 1) -> tuple[list[str], int]:
    """Every problem of the queue, past or present, and how many notices were asked for."""
    known = await _known(store)
    found = await store.read(known.id, lambda reader: alerts_between(reader, known.id, Window(0, until)))
    causes = await store.read(known.id, lambda reader: read_rows(reader, known.id, CauseRow))
    return [alert.figure for alert in found], sum(cause.kind == ALERT for cause in causes)


@pytest.mark.server
def test_two_servers_that_measure_at_once_tell_of_a_problem_once(two_stores: tuple[Store, Store]) -> None:
    """As when someone asks both of them for the queue."""

    async def measure() -> tuple[list[str], int]:
        known = await _stuck_queue(two_stores[0])
        each = [_watch(store, f"server {number}") for number, store in enumerate(two_stores)]
        await asyncio.gather(*(watcher.measure(known) for watcher in each))
        return await _told(two_stores[1])

    assert (["no_run_started"], 1) == asyncio.run(measure())


@pytest.mark.server
def test_one_of_two_servers_measures_until_it_stops(
    two_stores: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then the other one goes on at once, and the problem is not told again."""
    monkeypatch.setattr(AlertWatch, "look_seconds", 0.02)

    async def watch() -> tuple[bool, tuple[list[str], int]]:
        await _stuck_queue(two_stores[0])
        has_measured = [asyncio.Event(), asyncio.Event()]
        first, second = (
            _watch(store, f"server {number}", _after_turn(2, partial(_set, event)))
            for number, (store, event) in enumerate(zip(two_stores, has_measured, strict=True))
        )
        async with asyncio.timeout(MOST_SECONDS):
            first.start()
            await has_measured[0].wait()
            second.start()
            await asyncio.sleep(10 * second.look_seconds)
            has_waited = not has_measured[1].is_set()
            await first.close()
            await has_measured[1].wait()
            await second.close()
        return has_waited, await _told(two_stores[1])

    assert (True, (["no_run_started"], 1)) == asyncio.run(watch())


def test_every_server_says_that_the_history_is_examined(two_stores: tuple[Store, Store]) -> None:
    """One of them does that, and its lease is for minutes: a page that asks both hears the same."""
    now = [NOW]

    async def look() -> list[tuple[bool, bool]]:
        lines = "\n".join(json.dumps(event) for event in steady_events(NOW - 4 * DAY, weeks=3))
        await two_stores[0].record(NAME, read_lines(lines.encode(), NOW))
        known = await _known(two_stores[0])
        is_reached, may_go_on = asyncio.Event(), asyncio.Event()

        @asynccontextmanager
        async def turn() -> AsyncIterator[None]:
            is_reached.set()
            await may_go_on.wait()
            yield

        both = [AlertWatch(store, lambda: now[0], str(place), turn) for place, store in enumerate(two_stores)]
        await both[0].refresh(known)  # it is seen, and not measured yet: more may follow
        now[0] += 3 * MINUTE
        both[0].start()
        await asyncio.wait_for(is_reached.wait(), MOST_SECONDS)
        found = []
        for _ in range(2):
            found.append((both[0].is_looking(known), both[1].is_looking(known)))
            now[0] += 5 * MINUTE
        await both[0].close()
        return found

    assert [(True, True)] * 2 == asyncio.run(look())
