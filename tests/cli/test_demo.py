"""The demo repository: created once, extended later."""

import json
import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryFile

import pytest

from builders import entered
from cli.begun_demo import begin_history, recent_monday, send_first_day
from cli.program import mergecast
from live_server import TOKEN, LiveServer, live_server
from mergecast.cli.commands.demo import DOCUMENT, first_monday, send_history
from mergecast.cli.connection import connect
from mergecast.cli.errors import WrongUsage
from mergecast.client.client import Client
from mergecast.demo.history import demo_events
from mergecast.demo.live import live_events
from mergecast.queues.model.repository import PRODUCTS
from robustness.forked_process import ForkedProcess
from waiting import MOST_SECONDS, wait_until

pytestmark = pytest.mark.server


def test_a_week_later_it_adds_the_week(server: LiveServer) -> None:
    """Same start, same ids; only new events are stored."""
    now = datetime.now(UTC)
    last_week = now - timedelta(days=7)
    first_start = recent_monday(weeks_ago=2)
    with Client(server.url, TOKEN) as client:
        send_history(client, "demo/harbor", first_start, last_week)
        second_start = first_monday(client, "demo/harbor", now)
        added = send_history(client, "demo/harbor", second_start, now)

    wire = last_week.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    whole = [event["id"] for event in demo_events(first_start, now, checks_since=now - timedelta(days=30))]
    week = [
        event for event in demo_events(first_start, now, checks_since=last_week) if str(event["at"]) > wire
    ]
    exported = server.http.get("/v1/repos/demo/harbor/events").text.splitlines()
    assert first_start == second_start
    assert len(week) == added
    assert sorted(map(str, whole)) == sorted(json.loads(line)["id"] for line in exported)


def test_what_the_store_has_is_not_sent_again(server: LiveServer) -> None:
    """A second start is quick; the last event is sent again, because others may have the same time."""
    now = datetime.now(UTC)
    with Client(server.url, TOKEN) as client:
        send_first_day(client)
        send_history(client, "demo/harbor", recent_monday(), now)
        before = _duplicates(server)
        added = send_history(client, "demo/harbor", recent_monday(), now)

    assert (0, 1) == (added, _duplicates(server) - before)


def test_what_is_missing_in_between_is_added(server: LiveServer) -> None:
    """A gap, or events of others: then the number of events is not that of a history without gaps."""
    start, now = recent_monday(), datetime.now(UTC)
    gap = {
        "start_at": f"{start + timedelta(days=1)}T00:00:00Z",
        "end_at": f"{start + timedelta(days=2)}T00:00:00Z",
    }
    with Client(server.url, TOKEN) as client:
        send_history(client, "demo/harbor", start, now)
        whole = set(server.http.get("/v1/repos/demo/harbor/events").text.splitlines())
        answer = server.http.delete("/v1/repos/demo/harbor/events", params=gap)
        added = send_history(client, "demo/harbor", start, now)

    assert answer.json()["deleted"] == added > 100
    assert whole == set(server.http.get("/v1/repos/demo/harbor/events").text.splitlines())


def _duplicates(server: LiveServer) -> float:
    found = re.search(
        r'^mergecast_ingested_events_total\{result="duplicate"\} (\S+)$',
        server.http.get("/metrics").text,
        re.MULTILINE,
    )
    return 0 if found is None else float(found[1])


def test_the_open_pull_requests(tmp_path: Path) -> None:
    """A document can be tried on them; the command can run again and keeps the products that were set."""
    begin_history(tmp_path)
    first = mergecast("demo", data=tmp_path).out.splitlines()
    with connect(tmp_path, None, None) as client:
        assert list(PRODUCTS) == _products(client)
        client.set_products("demo/harbor", ["merge_queue"])
    again = mergecast("demo", data=tmp_path).out.splitlines()

    assert first[1:] == again[1:]
    assert f"mergecast simulate demo/harbor#12208 -f {DOCUMENT}" == first[2]
    ended = mergecast("simulate", "demo/harbor#12208", "-f", str(DOCUMENT), data=tmp_path)
    assert 0 == ended.code
    whole = mergecast("simulate", "demo/harbor", "-f", str(DOCUMENT), "--json", data=tmp_path)
    assert "of 8 open pull requests would be affected" in json.loads(whole.out)["title"]
    with connect(tmp_path, None, None) as client:
        assert ["merge_queue"] == _products(client)


def _products(client: Client) -> list[str]:
    found = client.products("demo/harbor")
    return [] if found is None else found.value


def test_other_events_do_not_move_the_start(server: LiveServer) -> None:
    """The history is recognized by its own events, and refused when its start was deleted."""
    now = datetime.now(UTC)
    with Client(server.url, TOKEN) as client:
        start = first_monday(client, "demo/harbor", now)
        send_history(
            client,
            "demo/harbor",
            start,
            datetime.combine(start + timedelta(days=3), datetime.min.time(), UTC),
        )
        server.send([entered("2026-01-05T10:00:00Z", "other", 1)], "demo/harbor").raise_for_status()
        again = first_monday(client, "demo/harbor", now)
        end = f"{start + timedelta(days=2)}T00:00:00Z"
        server.http.delete("/v1/repos/demo/harbor/events", params={"end_at": end}).raise_for_status()
        with pytest.raises(WrongUsage) as refusal:
            first_monday(client, "demo/harbor", now)

    assert start == again
    assert (
        "the invented history of demo/harbor cannot be continued, because part of it was deleted or another "
        "version of Mergecast wrote it; delete the repository, or name another one"
    ) == str(refusal.value)


def test_the_command_fills_a_store(tmp_path: Path) -> None:
    """Rare statistics have something to show, too; its own server's audit lines would be noise."""
    ended = mergecast("demo", data=tmp_path)
    with live_server(tmp_path) as server:
        where = ("--since", "30d", "--url", server.url, "--token", TOKEN)
        shown = {
            name: mergecast("stats", "demo/harbor", name, *where, data=tmp_path).code
            for name in ("idle_queue_time", "batch_bisection", "skip_intermediate_results", "checks_retries")
        }

    assert (0, "") == (ended.code, ended.err)
    assert ended.out.startswith("demo/harbor: ")
    assert {0} == set(shown.values()), shown


@contextmanager
def _live_demo(server: LiveServer, folder: Path) -> Iterator[ForkedProcess]:
    """`mergecast demo --live`, which Ctrl-C ends."""
    where = {"MERGECAST_URL": server.url, "MERGECAST_TOKEN": TOKEN, "MERGECAST_DATA_DIR": str(folder)}
    with Path(os.devnull).open("wb") as nothing, TemporaryFile() as errors:
        process = ForkedProcess(
            nothing, errors, command=["demo", "--live"], environment={**os.environ, **where}
        )
        try:
            yield process
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=MOST_SECONDS)
        errors.seek(0)
        assert (130, b"") == (process.returncode, errors.read())


def test_a_demo_beside_a_live_one_keeps_its_queue(server: LiveServer, tmp_path: Path) -> None:
    """Another live one goes on with the same queue."""
    with Client(server.url, TOKEN) as client:
        send_first_day(client)
    period = {
        "start_at": (datetime.now(UTC) - timedelta(hours=1)).isoformat(),
        "end_at": datetime.now(UTC).isoformat(),
    }
    with _live_demo(server, tmp_path):
        _wait_for_queue(server, '"translations"', period)
        before = _live_ids(server)
        beside = mergecast("demo", data=tmp_path, MERGECAST_URL=server.url, MERGECAST_TOKEN=TOKEN)
        kept, duplicates = _live_ids(server), _duplicates(server)
        with _live_demo(server, tmp_path):
            wait_until(lambda: _duplicates(server) > duplicates, "an event that the first demo sent too")

    assert 0 == beside.code
    assert before <= kept
    assert 1 == len(
        {id for id in _live_ids(server) if id.startswith("demo-live-") and id.endswith("-00000001")}
    )


def test_a_live_queue_that_stands_still_is_deleted(server: LiveServer, tmp_path: Path) -> None:
    """It would look stuck."""
    now = datetime.now(UTC).replace(microsecond=0)
    with Client(server.url, TOKEN) as client:
        send_first_day(client)
    ended = takewhile(
        lambda event: str(event["at"]) < (now - timedelta(minutes=31)).isoformat(),
        live_events(now - timedelta(hours=2)),
    )
    server.send(list(ended), "demo/harbor").raise_for_status()
    again = mergecast("demo", data=tmp_path, MERGECAST_URL=server.url, MERGECAST_TOKEN=TOKEN)

    assert 0 == again.code
    assert set() == _live_ids(server)


def _live_ids(server: LiveServer) -> set[str]:
    lines = server.http.get("/v1/repos/demo/harbor/events").text.splitlines()
    return {event["id"] for event in map(json.loads, lines) if event["source"] == "demo-live"}


def _wait_for_queue(server: LiveServer, queue: str, period: dict[str, str]) -> None:
    wait_until(lambda: queue in _queues(server, period), "the arrival of a live event", pause=0.2)


def _queues(server: LiveServer, period: dict[str, str]) -> str:
    return server.http.get("/v1/repos/demo/harbor/stats/queues", params=period).text
