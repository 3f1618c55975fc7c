"""A database that hangs: it accepts connections and answers nothing, before or in the middle of a request."""

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import httpx
import pytest

from builders import entered, worked_example
from live_server import DAY, TOKEN, LiveServer, live_server
from local_client import local_client
from mergecast.errors import Unavailable
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.held_repository import HeldRepository
from mergecast.queues.store.opening import open_store
from mergecast.queues.store.postgres import connections, writer
from mergecast.queues.store.postgres.store import LOOKUPS, READERS, WRITERS
from mergecast.queues.store.reader import Reader
from postgres.server import new_store
from postgres.silent_proxy import SilentProxy, silent_proxy
from waiting import MOST_SECONDS, wait_for, wait_until

T = TypeVar("T")

_WIDGETS = Repository("acme", "widgets")
_REPOSITORY = "/v1/repos/acme/widgets"
_LIMIT = 0.5
_LOST = "the database cannot be reached; try again in a moment"
_READS = (
    "/v1/repos",
    "/v1/keys",
    "/v1/admin/verify",
    "/readyz",
    f"{_REPOSITORY}/queue",
    f"{_REPOSITORY}/events",
    f"{_REPOSITORY}/products",
    f"{_REPOSITORY}/sources",
    f"{_REPOSITORY}/live",
    f"{_REPOSITORY}/pulls/1/history",
    f"{_REPOSITORY}/pulls/1/snapshot",
    f"{_REPOSITORY}/stats/queue_size?start_at={DAY['start_at']}&end_at={DAY['end_at']}",
)


@pytest.fixture(autouse=True)
def _little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "CONNECT_SECONDS", 2)  # the driver knows no shorter time
    for name in ("POOL_SECONDS", "CHECK_SECONDS", "ANSWER_SECONDS"):
        monkeypatch.setattr(connections, name, _LIMIT)
    monkeypatch.setattr(writer, "QUERY_SECONDS", _LIMIT)


@pytest.fixture
def proxy(database_server: str) -> Iterator[SilentProxy]:
    with silent_proxy(new_store(database_server)) as opened:
        yield opened


@pytest.fixture
def other_threads() -> frozenset[threading.Thread]:
    """Those of servers that other tests of this process use, if a test names it as its first fixture."""
    return frozenset(threading.enumerate())


@pytest.fixture
def served(tmp_path: Path, proxy: SilentProxy) -> Iterator[LiveServer]:
    with live_server(tmp_path, database_url=proxy.address) as server:
        events = worked_example()
        wait_until(lambda: server.send(events).is_success, "the storing of events within the limits")
        try:
            yield server
        finally:
            proxy.answer_again()


def _ask(server: LiveServer, method: str, path: str, **more: object) -> httpx.Response:
    """The limits are half a second; a request gets much longer, because the machine may be busy."""
    credential = {"Authorization": f"Bearer {TOKEN}"}
    with local_client(server.url, headers=credential, timeout=MOST_SECONDS) as http:
        return http.request(method, path, **more)  # type: ignore[arg-type]


def _all(server: LiveServer) -> list[httpx.Response]:
    """Answers to many requests at the same time, more than there are threads and connections."""
    asked: list[tuple[str, str, object]] = [("GET", path, None) for path in _READS * 3]
    asked.append(("POST", f"{_REPOSITORY}/events", [entered("2026-03-02T12:00:00Z", "late", 9)]))
    asked.append(("PUT", f"{_REPOSITORY}/products", {"products": []}))
    asked.append(("DELETE", f"{_REPOSITORY}/pulls/1/snapshot", None))
    asked.append(("POST", "/v1/session", {"token": TOKEN}))
    with ThreadPoolExecutor(len(asked)) as threads:
        return list(threads.map(lambda one: _ask(server, one[0], one[1], json=one[2]), asked))


def test_every_route_answers_503_and_recovers(
    other_threads: frozenset[threading.Thread], served: LiveServer, proxy: SilentProxy
) -> None:
    """The server stays alive meanwhile, and keeps no threads."""
    for _ in range(2):
        proxy.fall_silent()
        answers = _all(served)
        alive = _ask(served, "GET", "/healthz")
        proxy.answer_again()

        assert {(503, True)} == {(one.status_code, "retry-after" in one.headers) for one in answers}
        assert alive.is_success
        wait_until(lambda: _ask(served, "GET", "/readyz").is_success)
        names = [one.name for one in threading.enumerate() if one not in other_threads]
        threads = [name for name in names if name.startswith(("reader", "writer"))]
        assert 0 < len(threads) <= READERS + LOOKUPS + WRITERS

    wait_for(12, lambda: len(served.http.get(f"{_REPOSITORY}/events").text.splitlines()))


async def _refusal(proxy: SilentProxy, work: Callable[[], Awaitable[object]]) -> str:
    """Why work is refused during which the database falls silent; a busy machine may refuse it earlier."""
    async with asyncio.timeout(MOST_SECONDS):
        while True:
            with pytest.raises(Unavailable) as refused:
                await work()
            if proxy.is_silent:
                return str(refused.value)


async def _patiently(work: Callable[[], Awaitable[T]]) -> T:
    """Do it again until the database answers within the limits."""
    async with asyncio.timeout(MOST_SECONDS):
        while True:
            with suppress(Unavailable):
                return await work()


def test_a_query_that_gets_no_answer(proxy: SilentProxy) -> None:
    """Its time limit ends it, although the database does not."""

    def hang(reader: Reader) -> object:
        proxy.fall_silent()
        return reader.rows("ready", [])

    async def ask() -> None:
        store = open_store(Path(), proxy.address)
        try:
            assert _LOST == await _refusal(proxy, lambda: store.read(1, hang, seconds=_LIMIT))
            proxy.answer_again()
            assert [] == await _patiently(store.repositories)
        finally:
            proxy.answer_again()
            store.close()

    asyncio.run(ask())


def test_a_change_that_gets_no_answer(proxy: SilentProxy) -> None:
    """It is not stored, and the repository can be changed again."""

    def hang(held: HeldRepository) -> None:
        proxy.fall_silent()
        held.groups()

    async def change() -> None:
        store = open_store(Path(), proxy.address)
        try:
            await _patiently(lambda: store.set_products(_WIDGETS, ()))
            assert _LOST == await _refusal(proxy, lambda: store.change(_WIDGETS, hang, create=True))
            proxy.answer_again()
            await _patiently(lambda: store.set_products(_WIDGETS, ("merge_queue",)))
            known = await _patiently(lambda: store.repository(_WIDGETS))
            assert known is not None
            assert ("merge_queue",) == known.products
        finally:
            proxy.answer_again()
            store.close()

    asyncio.run(change())
