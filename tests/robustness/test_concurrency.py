"""Readers and the writer do not block each other, and no answer is stale."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from threading import Event

import httpx
import msgspec
import pytest

from robustness.crowd import Seen, ask, ask_until, targets
from robustness.delivery_stream import REPOSITORY, delivery
from robustness.server_process import ServerProcess, server_process
from waiting import wait_until

_READERS = 64
_EVENTS = 1000
_DELIVERIES = 15
# A writer that waits its turn waits for a fifth of this, and one that is starved for ten times as many.
_MOST_ANSWERS_EACH = 3


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with server_process(tmp_path_factory.mktemp("concurrency")) as started:
        with started.client() as http:
            http.post(f"{REPOSITORY}/events", json=delivery(0, 10_000)).raise_for_status()
        yield started


def test_readers_do_not_starve_the_writer(server: ServerProcess) -> None:
    """Next to 64 clients with uncached queries, no delivery waits for more than a few answers to each."""
    ending, seen = Event(), Seen()
    with ThreadPoolExecutor(1) as pool:
        crowd = pool.submit(ask_until, server.port, _READERS, ending, seen)
        try:
            wait_until(lambda: len(seen.clients) == _READERS, "an answer to every reader")
            answers = _answers_beside_deliveries(server, seen)
        finally:
            ending.set()
        crowd.result()

    assert [] == seen.errors
    assert {200} == seen.statuses.keys()
    assert max(answers) < _MOST_ANSWERS_EACH * _READERS
    assert max(seen.clients.values()) < 5 * min(seen.clients.values())


def _answers_beside_deliveries(server: ServerProcess, seen: Seen) -> list[int]:
    """How many answers the readers get while each delivery is stored."""
    answers = []
    with server.client() as http:
        for number in range(_DELIVERIES):
            body = msgspec.json.encode(delivery(100_001 + number, _EVENTS))
            before = seen.statuses.total()
            headers = {"Content-Type": "application/json"}
            http.post(f"{REPOSITORY}/events", content=body, headers=headers).raise_for_status()
            answers.append(seen.statuses.total() - before)
    return answers


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

    assert all(seen)
    assert [sorted(one) for one in seen] == seen


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
    counts: list[int] = []
    with server.client() as http:
        while not ending.is_set() or not counts:
            counts.append(_entered(http.get(f"{repository}/stats/queues_entered_count")))
    return counts
