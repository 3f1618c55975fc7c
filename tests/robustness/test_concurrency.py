"""Readers and the writer do not block each other, and no answer is stale."""

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from threading import Event
from typing import NamedTuple

import httpx
import msgspec
import pytest

from robustness.crowd import ask, ask_until, targets
from robustness.delivery_stream import REPOSITORY, delivery
from robustness.server_process import ServerProcess, server_process

_READERS = 64
_EVENTS = 1000
_ALONE_SECONDS = 1.5
_TOGETHER_SECONDS = 10.0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with server_process(tmp_path_factory.mktemp("concurrency")) as started:
        with started.client() as http:
            http.post(f"{REPOSITORY}/events", json=delivery(0, 10_000)).raise_for_status()
        yield started


@pytest.mark.alone
def test_readers_do_not_starve_the_writer(server: ServerProcess) -> None:
    """64 clients with uncached queries get no errors, and the writer is not starved."""
    alone = _write(server, 1, _ALONE_SECONDS)
    ending = Event()
    with ThreadPoolExecutor(1) as pool:
        crowd = pool.submit(ask_until, server.port, _READERS, ending)
        time.sleep(0.5)
        together = _write(server, 100_001, _TOGETHER_SECONDS)
        ending.set()
        seen = crowd.result()

    assert [] == seen.errors
    assert {200} == seen.statuses.keys()
    # A starved writer drops to a hundredth of its rate; a busy machine alone can cost two thirds of it.
    assert together.rate >= alone.rate / 10
    assert together.slowest < _TOGETHER_SECONDS / 4
    assert seen.slowest < _TOGETHER_SECONDS / 4


def test_identical_concurrent_requests(server: ServerProcess) -> None:
    """64 clients that send the same request concurrently get the same bytes."""
    for target in (next(targets(90 + client)) for client in range(7)):
        answers = asyncio.run(_ask_together(server.port, target))

        assert _READERS == len(answers)
        assert 1 == len(set(answers))
        assert 200 == answers[0][0]


@pytest.mark.parametrize("is_conditional", [False, True], ids=["plain", "If-None-Match"])
def test_an_acknowledged_event_is_in_the_next_answer(server: ServerProcess, *, is_conditional: bool) -> None:
    """120 times: an event sent just before a query is counted in the answer."""
    repository = f"/v1/repos/acme/at-once-{is_conditional}"
    tag = ""
    with server.client() as http:
        for number in range(1, 121):
            http.post(f"{repository}/events", json=[_entering_now(number)]).raise_for_status()
            headers = {"If-None-Match": tag} if is_conditional and tag else {}
            answer = http.get(f"{repository}/stats/queues_entered_count", headers=headers)

            assert (number, 200) == (_entered(answer), answer.status_code)
            tag = answer.headers["etag"]


def test_counts_never_decrease(server: ServerProcess) -> None:
    """While one client sends events, the counts that other clients read never decrease."""
    repository = "/v1/repos/acme/growing"
    ending = Event()
    with server.client() as http, ThreadPoolExecutor(4) as pool:
        http.post(f"{repository}/events", json=[_entering_now(0)]).raise_for_status()
        counts = [pool.submit(_count_until, server, repository, ending) for _ in range(4)]
        for number in range(1, 101):
            http.post(f"{repository}/events", json=[_entering_now(number)]).raise_for_status()
        ending.set()
        seen = [future.result() for future in counts]

    assert [sorted(one) for one in seen] == seen


class _Written(NamedTuple):
    rate: float  # events per second of waiting for the server
    slowest: float


def _write(server: ServerProcess, first: int, seconds: float) -> _Written:
    """Send deliveries one after another for this long."""
    waits: list[float] = []
    deadline = time.monotonic() + seconds
    with server.client() as http:
        while time.monotonic() < deadline:
            body = msgspec.json.encode(delivery(first + len(waits), _EVENTS))
            begun = time.monotonic()
            headers = {"Content-Type": "application/json"}
            http.post(f"{REPOSITORY}/events", content=body, headers=headers).raise_for_status()
            waits.append(time.monotonic() - begun)
    return _Written(len(waits) * _EVENTS / sum(waits), max(waits))


async def _ask_together(port: int, target: str) -> list[tuple[int, bytes]]:
    connections = [await asyncio.open_connection("127.0.0.1", port) for _ in range(_READERS)]
    try:
        return await asyncio.gather(*(ask(*connection, target) for connection in connections))
    finally:
        for _, writer in connections:
            writer.close()


def _entering_now(number: int) -> dict[str, object]:
    return {
        "id": f"now-{number}",
        "type": "queue_entered",
        "at": datetime.now(UTC).isoformat(),
        "base_ref": "main",
        "queue_name": "default",
        "session_id": f"now-{number}",
        "pull_request": number,
    }


def _entered(answer: httpx.Response) -> int:
    groups = answer.json()["groups"]
    return sum(entry["entered"] for group in groups for entry in group["stats"])


def _count_until(server: ServerProcess, repository: str, ending: Event) -> list[int]:
    counts = []
    with server.client() as http:
        while not ending.is_set():
            counts.append(_entered(http.get(f"{repository}/stats/queues_entered_count")))
    return counts
