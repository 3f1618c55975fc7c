"""The HTTP client: request headers, responses, and the limit of concurrent requests."""

import asyncio
import gzip
import threading
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeVar

import httpx
import pytest

from github_server import Asked, GitHubServer, Reply
from mergecast.incoming.platform.fetch import Fetcher, NoAnswer
from waiting import MOST_SECONDS

T = TypeVar("T")


def _run(work: Callable[[Fetcher], Awaitable[T]], fetcher: Fetcher) -> T:
    async def run() -> T:
        try:
            return await work(fetcher)
        finally:
            await fetcher.close()

    return asyncio.run(run())


def test_cookies_are_not_stored() -> None:
    """A response to one caller does not affect the request of the next."""
    with GitHubServer({"/x": Reply(200, {}, {"Set-Cookie": "session=secret; Path=/"})}) as server:

        async def ask(fetcher: Fetcher) -> None:
            for _ in range(2):
                await fetcher.get(f"{server.url}/x")

        _run(ask, Fetcher(MOST_SECONDS))
    assert [False, False] == ["cookie" in asked.headers for asked in server.asked]


def test_connecting_for_the_first_time_delays_no_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Modules and certificates are loaded outside of the event loop's thread."""
    threads = []

    class Noted(httpx.AsyncHTTPTransport):
        def __init__(self, **options: Any) -> None:
            threads.append(threading.current_thread())
            super().__init__(**options)

    monkeypatch.setattr(httpx, "AsyncHTTPTransport", Noted)
    with GitHubServer({"/x": Reply(200, b"fine")}) as server:
        assert b"fine" == _run(lambda fetcher: fetcher.get(f"{server.url}/x"), Fetcher(MOST_SECONDS)).body

    assert 1 == len(threads)
    assert threading.current_thread() not in threads


def test_responses_are_not_decompressed() -> None:
    """A few bytes could decompress to more than fits into memory; compressed content is returned as it is."""
    packed = gzip.compress(b"x" * (3 << 20))
    with GitHubServer({"/x": Reply(200, packed, {"Content-Encoding": "gzip"})}) as server:
        assert packed == _run(lambda fetcher: fetcher.get(f"{server.url}/x"), Fetcher(MOST_SECONDS)).body
    assert "identity" == server.asked[0].headers["accept-encoding"]


def test_failures_leave_the_client_usable() -> None:
    """Responses that were too large, too late or cancelled do not affect later requests."""

    def answer(asked: Asked) -> Reply:
        return Reply(200, b"x" * (2 << 20) if asked.path == "/long" else b"fine")

    with GitHubServer({"/long": answer, "/x": answer}, delay=0.05) as server:

        async def ask(fetcher: Fetcher) -> list[bytes]:
            for _ in range(20):
                with pytest.raises(NoAnswer):
                    await fetcher.get(f"{server.url}/long")
                given_up = asyncio.create_task(fetcher.get(f"{server.url}/x"))
                await asyncio.sleep(0.01)
                given_up.cancel()
            return [(await fetcher.get(f"{server.url}/x")).body for _ in range(3)]

        assert [b"fine"] * 3 == _run(ask, Fetcher(MOST_SECONDS))


def test_a_request_may_be_cancelled_at_any_moment() -> None:
    """Even while it connects: the next request gets its answer."""
    with GitHubServer({"/x": lambda _: Reply(200, b"fine")}) as server:

        async def ask(moment: int, fetcher: Fetcher) -> bytes:
            given_up = asyncio.create_task(fetcher.get(f"{server.url}/x"))
            for _ in range(moment):
                await asyncio.sleep(0.0002)
            given_up.cancel()
            await asyncio.wait([given_up])
            return (await fetcher.get(f"{server.url}/x")).body

        for moment in [*range(12)] * 4:
            assert b"fine" == _run(partial(ask, moment), Fetcher(MOST_SECONDS))


def test_connections() -> None:
    """The client opens at most sixteen, and reuses them."""
    with GitHubServer({"/x": {}}, delay=0.1, rounds=(16,)) as server:

        async def ask(fetcher: Fetcher) -> None:
            await asyncio.gather(*(fetcher.get(f"{server.url}/x") for _ in range(40)))

        _run(ask, Fetcher(MOST_SECONDS))
    assert 16 == server.most_at_once


@pytest.mark.parametrize("url", ["nonsense", "ftp://127.0.0.1/x", "http://[::1"])
def test_invalid_urls(url: str) -> None:
    """They fail like a missing response, not with an unexpected exception."""
    with pytest.raises(NoAnswer):
        _run(lambda fetcher: fetcher.get(url), Fetcher())


@pytest.mark.parametrize("token", ["a-secret\r", "a-secret\n", "a-s\u00e9cret"])
def test_a_header_that_cannot_be_sent_is_not_shown(token: str) -> None:
    """The library's message contains it."""

    async def ask(fetcher: Fetcher) -> None:
        with GitHubServer({}) as server:
            await fetcher.get(server.url, {"Authorization": f"Bearer {token}"})

    with pytest.raises(NoAnswer) as raised:
        _run(ask, Fetcher(MOST_SECONDS))

    assert "the request cannot be sent: its token or address is not valid" == str(raised.value)
