"""Several servers on one database: what one acknowledges, every other one knows."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from builders import entered, left, worked_example
from live_server import DAY, LiveServer, live_server
from mergecast.queues.model.credentials import ApplicationKey
from mergecast.queues.store.opening import open_store
from postgres.server import new_database, new_store


@pytest.fixture
def servers(tmp_path: Path, database_server: str) -> Iterator[list[LiveServer]]:
    """Four servers that start at the same time on an empty database."""
    url = new_database(database_server)
    with ExitStack() as stack, ThreadPoolExecutor(4) as threads:
        made = [live_server(tmp_path / str(number), database_url=url) for number in range(4)]
        yield list(threads.map(stack.enter_context, made))


def test_a_delivery_is_visible_everywhere(servers: list[LiveServer]) -> None:
    """Acknowledged by one server, counted by all, with the same ETag."""
    assert {"stored": 12, "duplicates": 0} == servers[0].send(worked_example()).json()

    answers = [
        server.http.get("/v1/repos/acme/widgets/stats/total_queue_time", params=DAY) for server in servers
    ]

    assert 1 == len({answer.text for answer in answers})
    assert 1 == len({answer.headers["etag"] for answer in answers})
    assert 2 == answers[3].json()["groups"][0]["stats"][0]["count_queue_time"]


def test_the_same_delivery_is_stored_once(servers: list[LiveServer]) -> None:
    """Sent to every server at the same time, one stores it and the others see duplicates."""
    events = worked_example()

    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda server: server.send(events).json(), servers))

    assert 12 == sum(answer["stored"] for answer in answers)
    assert 36 == sum(answer["duplicates"] for answer in answers)


def test_concurrent_deliveries_to_one_repository_all_count(servers: list[LiveServer]) -> None:
    """Twenty clients on four servers write stays of the same repository."""

    def deliver(number: int) -> None:
        server = servers[number % 4]
        for part in range(5):
            name, minute = f"{number}-{part}", 10 + part
            stay = [
                entered(f"2026-03-02T10:{minute}:00Z", name, number, id=f"{name}-in"),
                left(f"2026-03-02T11:{minute}:00Z", name, number, id=f"{name}-out"),
            ]
            server.send(stay).raise_for_status()

    with ThreadPoolExecutor(20) as threads:
        list(threads.map(deliver, range(20)))

    (group,) = servers[1].stats("queues_merged_count")["groups"]
    assert 100 == sum(entry["merged"] for entry in group["stats"])
    lines = servers[2].http.get("/v1/repos/acme/widgets/events").text.splitlines()
    assert 200 == len(lines)


def test_a_revoked_key_is_refused_everywhere_at_once(servers: list[LiveServer]) -> None:
    """No server keeps a revoked key in memory."""
    servers[0].send(worked_example()).raise_for_status()
    key = servers[0].key()
    assert [200] * 4 == [server.ask(key["key"]).status_code for server in servers]

    assert servers[1].http.delete(f"/v1/keys/{key['id']}").is_success

    assert [403] * 4 == [server.ask(key["key"]).status_code for server in servers]


def test_the_last_use_of_a_key_is_known_everywhere(tmp_path: Path, database_server: str) -> None:
    """Also to a server that reads the keys while another one writes their uses."""
    url = new_store(database_server)
    with ExitStack() as opened:
        one, other = (opened.enter_context(closing(open_store(tmp_path / name, url))) for name in "ab")
        key = ApplicationKey("0123456789ab", bytes(32), "a test", "acme", ("read",), 1_000)
        asyncio.run(one.add_application_key(key))
        assert {key.id: key} == asyncio.run(other.application_keys())

        asyncio.run(one.mark_as_used({key.id: 5_000}))

        used = {key.id: replace(key, last_used_at=5_000)}
        assert [used, used] == [asyncio.run(store.application_keys()) for store in (one, other)]


def test_a_deleted_repository_is_unknown_everywhere(servers: list[LiveServer]) -> None:
    """And it can be created again by any server."""
    servers[0].send(worked_example()).raise_for_status()
    servers[1].http.delete("/v1/repos/acme/widgets").raise_for_status()

    unknown = [server.http.get("/v1/repos/acme/widgets/queue").status_code for server in servers]
    assert [404] * 4 == unknown
    assert 12 == servers[2].send(worked_example()).json()["stored"]


def _merged(server: LiveServer) -> dict[tuple[str, str], float]:
    """The merges that a scrape counts, by queue and reason; without those that never happened."""
    text = server.http.get("/v1/metrics").text
    return {
        (sample.labels["queue_name"], sample.labels["reason"]): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name == "mergecast_queue_left_total" and sample.value
    }


def test_every_server_counts_what_any_of_them_stored(servers: list[LiveServer]) -> None:
    """Counters are in the database, so a scrape of any server gives the same."""
    now = datetime.now(UTC)
    entry, exit = ((now - timedelta(minutes=ago)).isoformat(timespec="seconds") for ago in (20, 1))
    for number, server in enumerate(servers):
        reason = "PR_MERGED" if number else "CHECKS_FAILED"
        stay = [entered(entry, f"s{number}", number + 1), left(exit, f"s{number}", number + 1, reason=reason)]
        server.send(stay).raise_for_status()

    counted = {("default", "PR_MERGED"): 3.0, ("default", "CHECKS_FAILED"): 1.0}
    assert [counted] * 4 == [_merged(server) for server in servers]
