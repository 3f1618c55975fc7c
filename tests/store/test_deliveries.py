"""Deliveries in the store: kept, copied, dropped when old, and translated once after a kill."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from empty_store import copy_empty_store
from mergecast.incoming.copying.copy_store import copy_store
from mergecast.incoming.intake.intake import Intake
from mergecast.incoming.intake.overview import source_overviews
from mergecast.incoming.intake.packing import unpack
from mergecast.incoming.sources.github.deliveries import item_delivery, webhook_delivery
from mergecast.process.background import WantedLease
from mergecast.queues.model.delivery import IMPORT, Delivery
from mergecast.queues.model.event import Event
from mergecast.queues.model.instant import DAY, MINUTE, SECOND, format_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.stats.queue_contents import queue_contents
from mergecast.queues.store.errors import RepositoryRenamed
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.rows import DictionaryRow
from mergecast.queues.store.store import Store
from mergecast.queues.store.stored_rows import read_rows
from mergecast.queues.store.values import Cursor, KnownRepository, Lease, RecordedSnapshot, Selection
from sources.github_deliveries import Story, clock
from sources.github_stories import STORIES
from store.places import OpenStore
from waiting import MOST_SECONDS

pytestmark = pytest.mark.thorough

LANDER = Repository("acme-orbit", "lander")
_NOW = clock(24 * 60)


def _told(story: Story) -> list[Delivery]:
    return [webhook_delivery(one.event, one.id, one.body, one.received_at)[1] for one in story.deliveries]


def _intake(store: Store) -> Intake:
    return Intake(store, lambda: _NOW, "tests")


async def _all(pages: AsyncIterator[list[Event]]) -> list[Event]:
    return sorted([event async for page in pages for event in page])


async def _known(store: Store) -> KnownRepository:
    known = await store.repository(LANDER)
    assert known is not None
    return known


def test_more_deliveries_are_collected_while_translating_takes_long(store: Store) -> None:
    """It pauses for twice as long as the last translation took, but deliveries never wait for long."""
    pauses = [_intake(store).pause_after(seconds) for seconds in (0.0, 0.04, 0.1, 0.2, 60.0)]

    assert [0.1, 0.1, 0.2, 0.4, 0.5] == pauses


def test_webhooks_and_an_import_may_come_at_the_same_time(store: Store) -> None:
    """Also while the store is busy, so that both wait for it: each sees what the other has stored."""
    told = _told(STORIES[1]())
    is_released = threading.Event()

    async def receive(name: Repository, webhooks: list[Delivery], imported: list[Delivery]) -> list[Event]:
        intake = _intake(store)
        busy = asyncio.create_task(
            store.change(Repository("acme", "other"), lambda _: is_released.wait(60), create=True)
        )
        await asyncio.sleep(0.05)
        both = asyncio.gather(
            intake.receive(name, webhooks),
            intake.receive_import(name, imported, None),
        )
        await asyncio.sleep(0.05)
        is_released.set()
        await asyncio.gather(busy, both)
        await intake.translate(name)
        known = await store.repository(name)
        assert known is not None
        return await _all(store.export(known))

    alone = asyncio.run(receive(Repository("acme", "alone"), told, []))
    is_released.clear()
    half = len(told) // 2

    assert alone
    assert alone == asyncio.run(receive(Repository("acme", "both"), told[:half], told[half:]))


def test_what_was_not_translated_before_a_kill_is_translated_once(open_again: OpenStore) -> None:
    """A store that was closed between storing and translating continues when it is opened."""
    told = _told(STORIES[1]())

    async def receive(store: Store) -> None:
        await _intake(store).receive(LANDER, told)

    async def go_on(store: Store) -> list[Event]:
        intake = _intake(store)
        intake.start()
        async with asyncio.timeout(MOST_SECONDS):
            for _ in count():
                if (await _known(store)).events and not await store.repositories_with_waiting_threads():
                    break
                await asyncio.sleep(0.02)
        await intake.close()
        return await _all(store.export(await _known(store)))

    async def at_once(store: Store) -> list[Event]:
        other = Repository("acme-orbit", "other")
        await _intake(store).receive(other, told)
        await _intake(store).translate(other)
        known = await store.repository(other)
        assert known is not None
        return await _all(store.export(known))

    first = open_again()
    asyncio.run(receive(first))
    first.close()
    second = open_again()
    try:
        found, again, expected = (asyncio.run(work(second)) for work in (go_on, go_on, at_once))
    finally:
        second.close()

    assert found
    assert expected == found == again


def test_a_running_server_translates_what_a_dead_one_left(store: Store) -> None:
    """Although it was not notified of these deliveries."""

    async def translated() -> None:
        running = _intake(store)
        running.look_seconds = 1  # more often than on a cluster
        running.start()
        await asyncio.sleep(0.1)  # it has looked once and found nothing
        await _intake(store).receive(LANDER, _told(STORIES[1]()))
        async with asyncio.timeout(MOST_SECONDS):
            for _ in count():
                if (await _known(store)).events:
                    break
                await asyncio.sleep(0.02)
        await running.close()

    asyncio.run(translated())


def test_a_delivery_that_cannot_be_translated_stops_no_other(store: Store) -> None:
    """Its thread keeps the events it had, and the error is counted."""
    told = _told(STORIES[1]())
    thread = next(one.thread for one in told if one.thread is not None)
    broken = [
        told[0]._replace(guid=f"broken {number}", digest=bytes([number] * 32), thread=name, fields="{")
        for number, name in enumerate((thread, "never seen"))
    ]

    async def translated() -> tuple[list[Event], list[Event], list[tuple[str, int]]]:
        intake = _intake(store)
        await intake.receive(LANDER, told)
        await intake.translate(LANDER)
        before = await _all(store.export(await _known(store)))
        await intake.receive(LANDER, broken)
        await intake.translate(LANDER)
        (source,) = await source_overviews(store, LANDER, await _known(store), _NOW)
        counted = [(one.reason, one.count) for one in source.untranslated]
        return before, await _all(store.export(await _known(store))), counted

    before, after, counted = asyncio.run(translated())

    assert before
    assert before == after
    assert [("internal error: the log of the server says more", 2)] == counted


def test_what_an_import_brings_is_counted_once(store: Store) -> None:
    """Also in a thread that is stored already."""
    unreadable = [item_delivery(f"{place}", "queued", b"%d" % place, _NOW) for place in range(3)]

    async def counted() -> list[tuple[str, int]]:
        for one in unreadable:
            await _intake(store).receive_import(LANDER, [one], None)
        (source,) = await source_overviews(store, LANDER, await _known(store), _NOW)
        return [(one.reason, one.count) for one in source.untranslated]

    assert [("the item is not a JSON object", 3)] == asyncio.run(counted())


def test_the_worker_ends_with_its_store(open_again: OpenStore) -> None:
    async def left() -> set[asyncio.Task[None]]:
        store = open_again()
        intake = _intake(store)
        intake.look_seconds = 1  # more often than on a cluster
        intake.start()
        (worker,) = asyncio.all_tasks() - {asyncio.current_task()}  # which has no task of its own yet
        await asyncio.sleep(0.1)
        store.close()
        _, pending = await asyncio.wait([worker], timeout=MOST_SECONDS)
        return pending

    assert set() == asyncio.run(left())


def test_bodies_are_kept_and_dropped_when_they_are_old(store: Store) -> None:
    """Every body is read back as it came; without bodies, translating gives the same events."""
    told = _told(STORIES[1]())
    imported = [one._replace(kind=IMPORT, guid=f"item-{one.guid}") for one in _told(STORIES[2]())]

    async def scenario() -> tuple[list[bytes], int, list[bytes | None], bool]:
        intake = _intake(store)
        await intake.receive(LANDER, told)
        await intake.receive_import(LANDER, imported, None)
        await intake.translate(LANDER)
        known = await _known(store)
        rows = await store.read(known.id, lambda reader: read_rows(reader, known.id, DictionaryRow))
        texts = {row.id: row.body for row in rows}
        packed = [one async for page in store.deliveries(known) for one in page]
        bodies = [
            body
            for one in packed
            if one.body is not None and one.dictionary is not None
            if (body := unpack(one.body, one.dictionary, texts[one.dictionary])) is not None
        ]
        before = await _all(store.export(known))
        dropped = await store.drop_old_deliveries(LANDER, _NOW + 3 * DAY, DAY)
        left = [one.body async for page in store.deliveries(known) for one in page]
        await intake.translate_again(LANDER, "github")
        return bodies, dropped, left, before == await _all(store.export(await _known(store)))

    bodies, dropped, left, is_same = asyncio.run(scenario())

    assert {one.body for one in [*told, *imported] if one.thread is not None} <= set(bodies)
    assert len(bodies) == dropped
    assert {None} == set(left)
    assert is_same


def test_a_closed_pull_request_that_was_never_queued_is_not_kept(store: Store) -> None:
    """It is stored for a day, in case the entering arrives late, and makes no repository visible."""
    story = Story()
    story.closed(0, 7, merged_by="ines")

    async def scenario() -> tuple[int, bool, KnownRepository | None]:
        receipt = await _intake(store).receive(LANDER, _told(story))
        is_listed = (await _known(store)).is_listed
        await store.drop_old_deliveries(LANDER, _NOW + 3 * DAY, DAY)
        return receipt.not_kept, is_listed, await store.repository(LANDER)

    assert (1, False, None) == asyncio.run(scenario())


def test_forgetting_a_repository_forgets_its_deliveries(store: Store) -> None:
    """A repository of the same name begins from nothing."""
    told = _told(STORIES[0]())

    async def scenario() -> tuple[int, int]:
        intake = _intake(store)
        await intake.receive(LANDER, told)
        await intake.receive_import(LANDER, [], Cursor("github", "2", None))
        await intake.translate(LANDER)
        await store.forget(LANDER)
        again = await intake.receive(LANDER, told)
        cursor = await store.cursor(await _known(store), "github")
        return again.duplicates, len(cursor.position or "")

    assert (0, 0) == asyncio.run(scenario())


def test_a_repository_is_not_renamed_to_a_name_that_another_one_gets_meanwhile(store: Store) -> None:
    """It keeps its own name and everything that it has."""
    intake, told = _intake(store), _told(STORIES[0]())

    async def main() -> list[tuple[bool, int, list[int]]]:
        found = []
        for place in range(10):
            old, new = Repository("acme", f"old-{place}"), Repository("acme", f"new-{place}")
            await intake.receive(old, told)
            is_renamed, receipt = await asyncio.gather(store.rename(old, new, 7), intake.receive(new, told))
            known = {str(one.repository): one.deliveries for one in await store.repositories()}
            stored = [known.get(str(name), 0) for name in (old, new)]
            found.append((is_renamed, receipt.stored, stored))
        return found

    count = len(told)
    either = [(True, 0, [0, count]), (False, count, [count, count])]
    assert [] == [outcome for outcome in asyncio.run(main()) if outcome not in either]


def test_what_is_meant_for_a_repository_does_not_create_another_one_under_its_former_name(
    store: Store,
) -> None:
    """The name was looked up before the repository was renamed."""
    former, name = Repository("acme", "was"), Repository("acme", "is")

    async def main() -> list[Repository]:
        await _intake(store).receive(former, _told(STORIES[0]()))
        known = await store.repository(former)
        assert known is not None
        await store.rename(former, name, 7)
        for late in (
            _intake(store).receive(former, _told(STORIES[0]()), repository_id=known.id),
            _intake(store).receive_import(former, [], Cursor("github", "1", 1), repository_id=known.id),
            store.record(former, [], repository_id=known.id),
            store.set_products(former, (), known.id),
            store.put_snapshot(former, RecordedSnapshot(1, True, "{}"), known.id),
        ):
            with pytest.raises(RepositoryRenamed):
                await late
        return [found.repository for found in await store.repositories()]

    assert [name] == asyncio.run(main())


def test_deleting_by_source_deletes_deliveries(store: Store) -> None:
    """Nothing is left of the repository then."""

    async def scenario() -> KnownRepository | None:
        intake = _intake(store)
        await intake.receive(LANDER, _told(STORIES[0]()))
        await intake.translate(LANDER)
        await store.delete_events(Selection(LANDER, "github"))
        return await store.repository(LANDER)

    assert asyncio.run(scenario()) is None


def test_a_copy_has_deliveries_cursors_events_and_former_names(store: Store, tmp_path: Path) -> None:
    """Run again, copying adds nothing."""
    copy_empty_store(tmp_path / "copy")
    target = open_store(tmp_path / "copy")

    async def scenario() -> list[object]:
        intake = _intake(store)
        await intake.receive(LANDER, _told(STORIES[1]()), platform_id=7)
        await intake.receive_import(LANDER, [], Cursor("github", "2", 5))
        await intake.translate(LANDER)
        await store.rename(LANDER, Repository("acme", "elsewhere"), 7)
        await store.rename(Repository("acme", "elsewhere"), LANDER, 7)
        for _ in range(2):
            async for _ in copy_store(store, target, _NOW):
                pass
        known, copy = await _known(store), await _known(target)
        same: list[object] = [known.deliveries == copy.deliveries, 7 == copy.platform_id]
        same.append(await _all(store.export(known)) == await _all(target.export(copy)))
        same.append(await store.cursor(known, "github") == await target.cursor(copy, "github"))
        former = [one.repository_formerly_named(Repository("ACME", "Elsewhere")) for one in (store, target)]
        same.append([known, copy] == [await found for found in former])
        await store.forget(LANDER)
        same.append(await store.repository_formerly_named(Repository("acme", "elsewhere")) is None)
        return same

    try:
        same = asyncio.run(scenario())
    finally:
        target.close()

    assert [True] * 6 == same


def test_an_author_stays_known(store: Store) -> None:
    """Not every list of a platform names the authors."""

    async def scenario() -> list[object]:
        found: list[object] = []
        intake = _intake(store)
        for minutes, author in ((30, "mara"), (40, None)):
            body = {"number": 1, "base_ref": "main", "title": f"At {minutes}", "author": author}
            body["enqueued_at"] = format_instant(clock(1))
            item = item_delivery(f"at-{minutes}", "queued", json.dumps(body).encode(), clock(minutes))
            await intake.receive(LANDER, [item])
            await intake.translate(LANDER)
            known = await _known(store)
            (queue,) = await store.read(known.id, partial(queue_contents, repository_id=known.id, at=_NOW))
            found += [queue.entries[0].title, queue.entries[0].author]
        return found

    assert ["At 30", "mara", "At 40", "mara"] == asyncio.run(scenario())


def _read_queue(places: dict[int, int], at: int) -> list[Delivery]:
    """An import of GitHub's queue: the position of each pull request, which entered at its number."""
    bodies = {
        number: {
            "number": number, "base_ref": "main", "title": "A change", "position": position,
            "enqueued_at": format_instant(clock(number)),
        }
        for number, position in places.items()
    }  # fmt: skip
    return [
        item_delivery(f"queued-{number}", "queued", json.dumps(body).encode(), at)
        for number, body in bodies.items()
    ]


def test_entries_are_where_the_source_says_they_are(store: Store) -> None:
    """When the queue is read again, places change; who entered since then is behind, by estimate."""

    async def scenario() -> list[list[tuple[int, bool]]]:
        intake, found = _intake(store), []
        webhook = Story()
        webhook.enqueued(40, 4)
        for delivered in (
            _read_queue({1: 3, 2: 1, 3: 2}, clock(30)),
            _told(webhook),
            _read_queue({1: 1, 2: 3, 3: 2}, clock(50)),
            _read_queue({1: 1, 2: 3, 3: 2, 4: 4}, clock(60)),
        ):
            await intake.receive(LANDER, delivered)
            await intake.translate(LANDER)
            known = await _known(store)
            (queue,) = await store.read(known.id, partial(queue_contents, repository_id=known.id, at=_NOW))
            assert list(range(1, len(queue.entries) + 1)) == [one.position for one in queue.entries]
            found.append([(one.pull_request, one.is_estimated) for one in queue.entries])
        return found

    assert [
        [(2, False), (3, False), (1, False)],
        [(2, False), (3, False), (1, False), (4, True)],
        [(1, False), (3, False), (2, False), (4, True)],
        [(1, False), (3, False), (2, False), (4, False)],
    ] == asyncio.run(scenario())


def test_a_lease_has_one_holder_until_it_expires(store: Store) -> None:
    """The holder may renew it."""

    async def scenario() -> list[bool]:
        return [
            await store.take_lease(Lease("follow github acme/x", "one", 100), 0, 140),
            await store.take_lease(Lease("follow github acme/x", "two", 100), 50, 140),
            await store.take_lease(Lease("follow github acme/x", "one", 200), 60, 140),
            await store.take_lease(Lease("follow github acme/x", "two", 300), 200, 140),
        ]

    taken = asyncio.run(scenario())

    assert [True, False, True, True] == taken
    assert [Lease("follow github acme/x", "two", 300)] == asyncio.run(store.leases())


def test_a_process_that_was_killed_holds_no_lease_of_an_embedded_store(open_again: OpenStore) -> None:
    """Only one process has the store. On PostgreSQL, other servers may still run."""

    async def take(store: Store, holder: str) -> bool:
        return await store.take_lease(Lease("notices", holder, 100), 0, 140)

    killed = open_again()
    assert asyncio.run(take(killed, "one"))
    killed.close()
    store = open_again()
    try:
        taken = asyncio.run(take(store, "two")), asyncio.run(take(store, "three"))
        is_shared = store.is_shared
    finally:
        store.close()

    assert (not is_shared, False) == taken


def test_a_lease_is_never_longer_than_its_term(store: Store) -> None:
    """One from a time when the clock was ahead is over, but not one that another server gives back."""

    async def scenario() -> list[bool]:
        return [
            await store.take_lease(Lease("follow github acme/x", "one", 9_090), 9_000, 90),
            await store.take_lease(Lease("follow github acme/x", "two", 190), 100, 90),
            await store.take_lease(Lease("follow github acme/x", "one", 110), 110, 90),
            await store.take_lease(Lease("follow github acme/x", "one", 9_091), 9_001, 90),
        ]

    assert [True, True, False, True] == asyncio.run(scenario())


def test_a_server_that_reads_the_time_first_and_asks_last_gets_no_lease(store: Store) -> None:
    """To this server, the lease of the other one lasts a little longer than any may."""

    async def scenario() -> list[bool]:
        return [
            await store.lease(WantedLease("removals", "one", MINUTE, MINUTE), 10 * SECOND),
            await store.lease(WantedLease("removals", "two", MINUTE, MINUTE), 9 * SECOND),
        ]

    assert [True, False] == asyncio.run(scenario())


def test_servers_measure_leases_by_one_clock(open_again: OpenStore) -> None:
    """Servers of one database may have different clocks; a data folder has one server."""

    async def scenario(one: Store, other: Store) -> list[int]:
        return [await one.shared_now(0), await other.shared_now(500 * DAY)]

    stores = [open_again()]
    is_shared = stores[0].is_shared
    if is_shared:
        stores.append(open_again())
    times = asyncio.run(scenario(stores[0], stores[-1]))
    for store in stores:
        store.close()

    assert (0 < times[1] - times[0] < DAY) if is_shared else [0, 500 * DAY] == times
