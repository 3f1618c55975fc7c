"""Of several servers on one store, one follows a source; when it stops, another takes over."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from logged_secrets import LOGGED
from mergecast.incoming.intake.follower import Follow, Follower, StoreSink
from mergecast.incoming.intake.importing.following import Followed, Pace
from mergecast.incoming.intake.intake import Intake
from mergecast.incoming.intake.overview import source_overviews
from mergecast.incoming.sources.origin import Account
from mergecast.incoming.sources.page import Identity, Item
from mergecast.process.logs import log_as_json
from mergecast.queues.model.delivery import LEASE_SECONDS, LONGEST_LEASE_SECONDS, following_name
from mergecast.queues.model.instant import HOUR, MINUTE, SECOND, format_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.store import Store
from mergecast.queues.store.values import KnownRepository, Lease
from postgres.server import new_store
from sources.activity_log_history import LogWriter
from sources.faulty_server import Request, faulty_server
from sources.platforms import ActivityLog
from sources.test_importing import NOW

_NAME = Repository("acme", "here")
_FAST = Pace(0.05, 0.05, 0.05)


def _now() -> int:
    return NOW


class _Server:
    def __init__(self, store: Store, url: str, name: str) -> None:
        self._follow = Follow(
            Followed("activity-log", "acme/web", _NAME), Account("activity-log", url, "log-key")
        )
        self._follower = Follower(store, Intake(store, _now, name), self._clock, name)
        self._follower.renew_seconds = 0.05
        self.attempts = 0  # to take or renew the lease, and polls

    def _clock(self) -> int:
        self.attempts += 1
        return NOW

    def start(self) -> None:
        self._follower.start([self._follow], _FAST)

    async def stop(self) -> None:
        await self._follower.close()


async def _until(is_true: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(60):
        while not await is_true():  # noqa: ASYNC110 - the store has no event to wait for
            await asyncio.sleep(0.02)


async def _is(found: bool) -> bool:  # noqa: FBT001
    return found


async def _until_asked(asked: list[Request], times: int) -> None:
    await _until(lambda: _is(len(asked) >= times))


async def _following(store: Store) -> tuple[str, str | None] | None:
    known = await store.repository(_NAME)
    found = [one.following for one in await source_overviews(store, _NAME, known, _now())]
    return (found[0].by, found[0].error) if found and found[0] else None


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.server)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    url = None
    if request.param == "postgres":
        url = new_store(request.getfixturevalue("database_server"))
    opened = open_store(tmp_path, url)
    yield opened
    opened.close()


def test_one_server_follows_and_another_takes_over(store: Store) -> None:
    """A server that stops gives its lease back, so that the next one need not wait for its end."""
    log = ActivityLog("acme/web", LogWriter(7).entries(20, NOW - HOUR), 100)

    async def main(url: str, asked: list[Request]) -> list[object]:
        first, second = _Server(store, url, "first"), _Server(store, url, "second")
        first.start()
        await _until_asked(asked, 3)
        second.start()
        await _until(lambda: _is(second.attempts >= 3))
        by_first = await _following(store)
        await first.stop()
        polled = len(asked)
        await _until_asked(asked, polled + 3)
        by_second = await _following(store)
        await second.stop()
        known = await store.repository(_NAME)
        return [by_first, by_second, await _following(store), known.deliveries if known else 0]

    with faulty_server(log) as platform:
        found = asyncio.run(main(platform.url, platform.requests))

    assert [("first", None), ("second", None), None, len(log.entries)] == found


def test_a_server_that_stops_while_it_begins_keeps_no_lease(store: Store) -> None:
    """It stops while the database stores its first lease."""

    async def main(url: str) -> bool:
        first = _Server(store, url, "first")
        first.start()
        while not first.attempts:  # noqa: ASYNC110 - it must stop at once
            await asyncio.sleep(0)
        await first.stop()
        now = await store.shared_now(NOW)
        lease = Lease(following_name("activity-log", _NAME), "second", now + SECOND)
        return await store.take_lease(lease, now, LONGEST_LEASE_SECONDS * SECOND)

    with faulty_server(ActivityLog("acme/web", [], 100)) as platform:
        assert asyncio.run(main(platform.url))


def test_a_server_that_was_delayed_does_not_take_a_lease(store: Store) -> None:
    """It read the clock before the holder renewed the lease, which then ends later than it could expect."""

    def take(holder: str, now: int) -> bool:
        lease = Lease("follow", holder, now + LEASE_SECONDS * SECOND, None, None)
        return asyncio.run(store.take_lease(lease, now, LONGEST_LEASE_SECONDS * SECOND))

    assert take("first", NOW)
    assert take("first", NOW + 50 * SECOND)
    assert not take("second", NOW)


def test_a_renamed_repository_is_followed_under_its_new_name(store: Store) -> None:
    """It is not split, and its overview says that it is followed."""
    log = ActivityLog("acme/web", LogWriter(7).entries(20, NOW - HOUR), 100)
    entries, new_name = log.entries, Repository("acme", "there")
    late = {**entries[-1], "id": entries[-1]["id"] + 1, "received_at": format_instant(NOW - MINUTE)}

    async def main(url: str) -> tuple[KnownRepository | None, list[str]]:
        async def has(name: Repository, deliveries: int) -> bool:
            known = await store.repository(name)
            return known is not None and known.deliveries == deliveries

        server = _Server(store, url, "first")
        server.start()
        await _until(lambda: has(_NAME, len(entries)))
        await store.rename(_NAME, new_name, 7)
        log.entries = [*entries, late]
        await _until(lambda: has(new_name, len(entries) + 1))
        known = await store.repository(new_name)
        assert known is not None
        overviews = await source_overviews(store, new_name, known, _now())
        await server.stop()
        return await store.repository(_NAME), [one.following.by for one in overviews if one.following]

    with faulty_server(log) as platform:
        assert (None, ["first"]) == asyncio.run(main(platform.url))


def test_a_rename_while_items_are_stored_does_not_split_the_repository(store: Store) -> None:
    """The name is looked up, then the items are packed; a webhook may announce a rename in between."""
    entries = LogWriter(7).entries(400, NOW - HOUR)
    items = [Item(str(id), entry["type"], {**entry, "id": id}) for id, entry in enumerate(entries)]
    names = [Repository("acme", f"name-{place}") for place in range(25)]

    async def main() -> list[tuple[Repository, int]]:
        sink = StoreSink(store, Intake(store, _now, "first"), names[0], "activity-log", _now)
        await sink.identify(Identity(7, "acme/name-0"))
        for place, (name, new) in enumerate(pairwise(names)):
            part = items[place * len(items) // 24 : (place + 1) * len(items) // 24]
            storing = asyncio.create_task(sink.store(part, None, None))
            await asyncio.sleep(place / 1000)
            await store.rename(name, new, 7)
            await storing
        return [(known.repository, known.deliveries) for known in await store.repositories()]

    assert [(names[-1], len(items))] == asyncio.run(main())


def test_what_goes_wrong_is_shown_everywhere(store: Store) -> None:
    """Also before the source has delivered anything; the next poll that works clears it."""
    log = ActivityLog("acme/other")

    async def main(url: str) -> None:
        message = f"{url}/v1/repos/acme/web/logs: the service does not know this repository"
        server = _Server(store, url, "first")
        server.start()
        for repository, error in (("acme/other", message), ("acme/web", None)):
            log.repository = repository

            async def is_shown(wanted: tuple[str, str | None] = ("first", error)) -> bool:
                return wanted == await _following(store)

            await _until(is_shown)
        await server.stop()

    with faulty_server(log) as platform:
        asyncio.run(main(platform.url))


def test_an_unexpected_error_is_logged_and_following_goes_on(store: Store) -> None:
    """It need not wait until the server is restarted."""
    log_as_json()
    log = ActivityLog("acme/web", LogWriter(7).entries(20, NOW - HOUR), 100)
    errors = [RuntimeError("the first import fails")]

    def now() -> int:
        if errors:
            raise errors.pop()
        return NOW

    async def main(url: str) -> None:
        followed = Followed("activity-log", "acme/web", _NAME)
        follower = Follower(store, Intake(store, now, "first"), _now, "first")
        follower.renew_seconds = 0.05
        follower.start([Follow(followed, Account("activity-log", url, "log-key"))], _FAST)

        async def has_all() -> bool:
            known = await store.repository(_NAME)
            return known is not None and known.deliveries == len(log.entries)

        await _until(has_all)
        await follower.close()

    before = len(LOGGED.getvalue())
    with faulty_server(log) as platform:
        asyncio.run(main(platform.url))
    lines = [json.loads(line) for line in LOGGED.getvalue()[before:].splitlines()]
    stopped = [line for line in lines if line["event"] == "following stopped"]
    assert [("activity-log", True)] == [
        (line["source"], "RuntimeError: the first import fails" in line["exception"]) for line in stopped
    ]
