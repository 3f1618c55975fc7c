"""One caller cannot monopolize the service."""

import asyncio
import socket
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import groupby
from pathlib import Path
from select import select
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.requests import Request

from api.raw_http import connect, head_of, read_answer, status_of
from builders import entered
from live_server import LiveServer, live_server
from mergecast.access.errors import TooManyRequests
from mergecast.api.fair_shares import FairShare, Streams, while_connected
from mergecast.api.problems import HttpError
from mergecast.api.responses import Answers
from mergecast.errors import Unavailable
from mergecast.queues.model.repository import Repository
from mergecast.sandbox.turns import Place

_LARGE = (32 << 20) - 1


def test_callers_take_turns() -> None:
    """The second caller waits for one turn of the first, not for all of them."""
    served: list[str] = []

    async def work(share: FairShare, caller: str) -> None:
        async with share.turn(caller):
            served.append(caller)
            await asyncio.sleep(0.001)

    async def all_of_them() -> None:
        share = FairShare(1, 1, 100, "the test")
        await asyncio.gather(*(work(share, caller) for caller in ["heavy"] * 20 + ["light"] * 2))

    asyncio.run(all_of_them())

    assert ["heavy", "heavy", "light", "heavy", "light"] == served[:5]
    assert 22 == len(served)


def test_a_caller_that_asks_again_is_behind_those_who_wait() -> None:
    served: list[str] = []

    async def work(share: FairShare, caller: str) -> None:
        async with share.turn(caller):
            served.append(caller)
            await asyncio.sleep(0.001)

    async def all_of_them() -> None:
        share = FairShare(1, 1, 100, "the test")
        await asyncio.gather(*(work(share, caller) for caller in ["first", "second", "first", "third"]))

    asyncio.run(all_of_them())

    assert ["first", "second", "first", "third"] == served


def test_everyone_in_line_is_told_the_place_when_it_changes() -> None:
    """Until the turn ends; a caller's second request is behind the first ones of the others."""
    told: dict[str, list[Place]] = {}

    async def work(share: FairShare, caller: str, name: str, end: asyncio.Event) -> None:
        places = told.setdefault(name, [])
        async with share.turn(caller, on_place=places.append):
            await end.wait()

    async def main() -> None:
        share, end, ends = FairShare(1, 1, 100, "the test"), asyncio.Event(), asyncio.Event()
        tasks = [asyncio.create_task(work(share, "a", "running", end))]
        asked = [("b", "next"), ("b", "second of b"), ("c", "gives up"), ("d", "last")]
        tasks += [asyncio.create_task(work(share, caller, name, ends)) for caller, name in asked]
        await asyncio.sleep(0)
        tasks[3].cancel()
        await asyncio.sleep(0)
        end.set()
        ends.set()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(main())
    changes = {name: [place for place, _ in groupby(places)] for name, places in told.items()}

    assert changes["running"] == [(0, 0)]
    assert changes["next"] == [(1, 1), (0, 0)]
    assert changes["gives up"] == [(2, 1)]
    # Behind `gives up` and `last`, which are first requests, until one of them has gone.
    assert [position for position, _ in changes["second of b"]] == [2, 3, 4, 3, 2, 1, 0]
    assert [position for position, _ in changes["last"]] == [3, 2, 1, 0]


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.booleans()), max_size=40),
    st.integers(1, 4),
    st.integers(1, 4),
)
def test_limits_hold_and_no_request_is_lost(
    callers: list[tuple[int, int, bool]], total: int, per_caller: int
) -> None:
    """However long turns last and whichever callers give up, the limits hold and all others are served."""
    running: list[int] = []
    served = 0

    async def work(share: FairShare, caller: int, length: int) -> None:
        nonlocal served
        async with share.turn(caller):
            running.append(caller)
            assert len(running) <= total
            assert running.count(caller) <= per_caller
            try:
                for _ in range(length):
                    await asyncio.sleep(0)
                served += 1
            finally:
                running.remove(caller)

    async def all_of_them() -> tuple[int, int]:
        share = FairShare(total, per_caller, 100, "the test")
        tasks = [asyncio.create_task(work(share, caller, length)) for caller, length, _ in callers]
        await asyncio.sleep(0)
        gave_up = [task for task, (*_, gives_up) in zip(tasks, callers, strict=True) if gives_up]
        for task in gave_up:
            task.cancel()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
        assert not [end for end in ends if isinstance(end, Exception)]
        return len(share), sum(isinstance(end, asyncio.CancelledError) for end in ends)

    waiting, cancelled = asyncio.run(all_of_them())

    assert 0 == waiting
    assert served + cancelled >= len(callers)


def test_waiting_has_limits() -> None:
    """The number of waiting requests per caller is limited, and so is the time they wait."""

    async def refusals() -> list[str]:
        share = FairShare(1, 1, 1, "the test")
        async with share.turn("a"):
            waits = asyncio.create_task(_use(share, "a", 0.05))
            await asyncio.sleep(0)
            with pytest.raises(TooManyRequests) as too_many:
                await _use(share, "a")
            with pytest.raises(Unavailable) as busy:
                await _use(share, "b", 0.05)
            await asyncio.gather(waits, return_exceptions=True)
        return [str(too_many.value), str(busy.value)]

    assert [
        "1 requests of this credential are already waiting for the test; wait for one",
        "the test are busy; try again in a moment",
    ] == asyncio.run(refusals())


async def _use(share: FairShare, caller: str, seconds: float | None = None) -> None:
    async with share.turn(caller, seconds=seconds):
        pass


def _request(receive: Callable[[], Awaitable[Any]]) -> Request:
    return Request({"type": "http", "headers": []}, receive)


def test_an_answer_that_has_begun_is_not_refused() -> None:
    """Its next page waits for a turn, however many requests of the same caller are waiting."""

    async def main() -> list[str]:
        share = FairShare(1, 1, 1, "the test")
        order: list[str] = []

        async def work(name: str, *, has_begun: bool) -> None:
            async with share.turn("a", has_begun=has_begun):
                order.append(name)
                await asyncio.sleep(0.001)

        names = {"running": False, "waiting": False, "next page": True}
        await asyncio.gather(*(work(name, has_begun=begun) for name, begun in names.items()))
        return order

    assert ["running", "waiting", "next page"] == asyncio.run(main())


def test_work_for_a_client_that_disconnects_is_cancelled() -> None:
    """The empty body of a GET request does not count as a disconnect."""
    ends: list[str] = []

    async def work() -> None:
        try:
            await asyncio.sleep(10)
        finally:
            ends.append("cancelled")

    async def ask_and_leave() -> None:
        messages = iter([{"type": "http.request"}, {"type": "http.disconnect"}])

        async def receive() -> Any:
            await asyncio.sleep(0.01)
            return next(messages)

        with pytest.raises(HttpError, match="the client disconnected"):
            await while_connected(_request(receive), work())
        await asyncio.sleep(0)

    asyncio.run(ask_and_leave())

    assert ["cancelled"] == ends


def test_a_query_stops_when_its_last_client_disconnects() -> None:
    """While one client still waits, the query continues."""
    ends: list[str] = []
    may_end = asyncio.Event()

    async def make() -> bytes:
        try:
            await may_end.wait()
        except asyncio.CancelledError:
            ends.append("cancelled")
            raise
        return b"{}"

    async def scenario() -> bytes:
        answers = Answers()
        first, second = (asyncio.create_task(answers.get("shared", make)) for _ in range(2))
        left = [asyncio.create_task(answers.get("left", make)) for _ in range(2)]
        await asyncio.sleep(0.01)
        for task in (first, *left):
            task.cancel()
        await asyncio.gather(first, *left, return_exceptions=True)
        may_end.set()
        response = await second
        assert answers.cached("shared") is response
        again = await answers.get("left", make)
        assert b"{}" == bytes(again.body)
        return bytes(response.body)

    assert b"{}" == asyncio.run(scenario())
    assert ["cancelled"] == ends


def test_large_answers_are_not_cached() -> None:
    """They would evict many small ones."""

    async def scenario() -> list[bool]:
        answers = Answers()

        async def make(size: int) -> bytes:
            return b" " * size

        for size in (1 << 20, (1 << 20) + 1):
            await answers.get(str(size), partial(make, size))
        return [answers.cached(str(size)) is not None for size in (1 << 20, (1 << 20) + 1)]

    assert [True, False] == asyncio.run(scenario())


async def _no_repositories() -> list[Repository]:
    return []


def test_large_bodies_per_credential(tmp_path: Path) -> None:
    """The server rejects the fifth large body of a credential, and stores a delivery of another one."""
    with live_server(tmp_path) as live, ExitStack() as stack:
        heavy, light = (live.key(owner, scopes=["ingest"])["key"] for owner in ("acme", "umbrella"))
        connections = [stack.enter_context(connect(live, 60)) for _ in range(5)]
        for connection in connections:
            _send_almost_all(connection, heavy)
        (answered, *others), _, _ = select(connections, [], [], 60)
        refused = read_answer(answered)
        events = [entered("2026-03-02T10:00:00Z", "s", 1)]
        stored = live.ask(light, "/v1/repos/umbrella/secret/events", "POST", json=events)

        others += [one for one in select(connections, [], [], 0)[0] if one is not answered]

    assert (429, []) == (status_of(refused), others)
    assert b"the bodies that this credential is sending take more than 128 MiB" in refused
    assert 200 == stored.status_code


def _send_almost_all(connection: socket.socket, token: str) -> None:
    headers = [f"Authorization: Bearer {token}", "Content-Type: application/json"]
    head = head_of("POST", "/v1/repos/acme/widgets/events", *headers, f"Content-Length: {_LARGE + 1}")
    connection.sendall(head + b" " * _LARGE)


@pytest.fixture(scope="module")
def many_groups(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server of its own, which judges that many queues for minutes."""
    with live_server(tmp_path_factory.mktemp("groups")) as server:
        for start in (0, 5001):
            events = [
                entered("2026-03-02T10:00:00Z", f"s{number}", number, base_ref=f"ref-{number}")
                for number in range(start, start + 5001)
            ]
            server.send(events).raise_for_status()
        yield server


def test_an_answer_with_too_many_groups(many_groups: LiveServer) -> None:
    """The message says how many there are and how to narrow the query."""
    window = {"start_at": "2026-03-02T00:00:00Z", "end_at": "2026-03-03T00:00:00Z"}
    path = "/v1/repos/acme/widgets/stats/queues_entered_count"

    refused = many_groups.http.get(path, params=window)
    chosen = many_groups.http.get(path, params={**window, "base_ref": "ref-7"})

    assert (
        "the answer has 10,002 groups, more than 10,000; filter by base_ref or queue_name or "
        "priority_rule_name, or choose a shorter period"
    ) == refused.json()["detail"]
    assert 422 == refused.status_code
    assert ["ref-7"] == [group["base_ref"] for group in chosen.json()["groups"]]


def test_a_list_with_too_many_names(many_groups: LiveServer) -> None:
    """A list without filters suggests a shorter period."""
    window = {"start_at": "2026-03-02T00:00:00Z", "end_at": "2026-03-03T00:00:00Z"}

    refused = many_groups.http.get("/v1/repos/acme/widgets/stats/branches", params=window)

    assert 422 == refused.status_code
    assert (
        "the answer has 10,002 groups, more than 10,000; choose a shorter period" == refused.json()["detail"]
    )


def test_a_summary_with_too_many_queues(many_groups: LiveServer) -> None:
    """It is limited as the statistics are."""
    window = {"start_at": "2026-03-02T00:00:00Z", "end_at": "2026-03-03T00:00:00Z"}

    refused = many_groups.http.get("/v1/repos/acme/widgets/summary", params=window)

    assert (
        "the answer has 10,002 groups, more than 10,000; filter by base_ref or queue_name or "
        "priority_rule_name, or choose a shorter period"
    ) == refused.json()["detail"]
    assert 422 == refused.status_code


def test_too_many_queues_at_once(many_groups: LiveServer) -> None:
    """More queues than an answer may have hold a pull request now."""
    refused = many_groups.http.get("/v1/repos/acme/widgets/queue")

    assert 422 == refused.status_code
    assert (
        "10,002 queues hold pull requests, more than the 10,000 that can be listed"
        == (refused.json()["detail"])
    )


def test_readiness_never_waits_behind_queries(server: LiveServer) -> None:
    """Even when more queries run than there are threads for them."""
    server.send([entered("2026-03-02T10:00:00Z", "busy", 1)], "acme/busy").raise_for_status()

    begun, may_end = threading.Event(), threading.Event()

    def query(_: object) -> None:
        begun.set()
        may_end.wait(60)

    async def occupy() -> None:
        known = await server.store.repository(Repository("acme", "busy"))
        assert known is not None
        await asyncio.gather(*(server.store.read(known.id, query) for _ in range(8)))

    busy = threading.Thread(target=lambda: asyncio.run(occupy()))
    busy.start()
    assert begun.wait(60)
    time.sleep(0.1)  # the other queries begin or wait
    try:
        ready = server.http.get("/readyz")
    finally:
        may_end.set()
        busy.join()

    assert 200 == ready.status_code


def test_streams_of_an_ipv6_site_share_one_limit() -> None:
    """A client has as many addresses in its network as it likes."""
    streams = Streams(100, 2)
    end = streams.take("one", "2001:db8::1")
    streams.take("two", "2001:db8::2")

    with pytest.raises(TooManyRequests, match="2 streams of this address are open"):
        streams.take("three", "2001:db8::3")
    streams.take("four", "2001:db8:0:1::1")
    end()
    streams.take("three", "2001:db8::3")
