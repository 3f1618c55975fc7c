"""Of several servers on one store, one follows a source; when it stops, another takes over."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from mergecast.intake.follower import Follow, Follower
from mergecast.intake.intake import Intake
from mergecast.intake.overview import source_overviews
from mergecast.model.instant import HOUR
from mergecast.model.repository import Repository
from mergecast.sources.accounts import Account
from mergecast.sources.followed import Followed
from mergecast.sources.following import Pace
from mergecast.store.opening import open_store
from mergecast.store.store import Store
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
        self._follower = Follower(store, Intake(store, _now, name), _now, name)
        self._follower.renew_seconds = 0.05

    def start(self) -> None:
        self._follower.start([self._follow], _FAST)

    async def stop(self) -> None:
        await self._follower.close()


async def _until(is_true: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(60):
        while not await is_true():  # noqa: ASYNC110 - the store has no event to wait for
            await asyncio.sleep(0.02)


async def _until_asked(asked: list[Request], times: int) -> None:
    async def is_asked() -> bool:
        return len(asked) >= times

    await _until(is_asked)


async def _following(store: Store) -> tuple[str, str | None] | None:
    known = await store.repository(_NAME)
    if known is None:
        return None
    found = [one.following for one in await source_overviews(store, known, _now())]
    return (found[0].by, found[0].error) if found and found[0] else None


def test_one_server_follows_and_another_takes_over(tmp_path: Path) -> None:
    """A server that stops gives its lease back, so that the next one need not wait for its end."""
    log = ActivityLog("acme/web", LogWriter(7).entries(20, NOW - HOUR), 100)

    async def main(store: Store, url: str, asked: list[Request]) -> list[object]:
        first, second = _Server(store, url, "first"), _Server(store, url, "second")
        first.start()
        await _until_asked(asked, 3)
        second.start()
        await asyncio.sleep(0.3)
        by_first = await _following(store)
        await first.stop()
        polled = len(asked)
        await _until_asked(asked, polled + 3)
        by_second = await _following(store)
        await second.stop()
        known = await store.repository(_NAME)
        return [by_first, by_second, known.deliveries if known else 0]

    with faulty_server(log) as platform:
        store = open_store(tmp_path, None)
        try:
            found = asyncio.run(main(store, platform.url, platform.requests))
        finally:
            store.close()

    assert [("first", None), ("second", None), len(log.entries)] == found


def test_what_goes_wrong_is_shown_everywhere(tmp_path: Path) -> None:
    """And the next poll that works clears it."""
    log = ActivityLog("acme/other")

    async def main(store: Store, url: str) -> None:
        message = f"{url}/v1/repos/acme/web/logs: the service does not know this repository"
        server = _Server(store, url, "first")
        server.start()
        for repository, error in (("acme/other", message), ("acme/web", None)):
            log.repository = repository

            async def is_shown(wanted: tuple[str, str | None] = ("first", error)) -> bool:
                return [wanted] == [(lease.holder, lease.error) for lease in await store.leases()]

            await _until(is_shown)
        await server.stop()

    with faulty_server(log) as platform:
        store = open_store(tmp_path, None)
        try:
            asyncio.run(main(store, platform.url))
        finally:
            store.close()
