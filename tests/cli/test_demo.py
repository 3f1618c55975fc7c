"""The demo repository: created once, extended later."""

import json
import os
import signal
from datetime import UTC, datetime, timedelta
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
from mergecast.queues.model.repository import PRODUCTS
from robustness.forked_process import ForkedProcess
from waiting import MOST_SECONDS, wait_until

pytestmark = pytest.mark.server


def test_a_week_later_it_adds_the_week(server: LiveServer) -> None:
    """Same start, same ids; only new events are stored."""
    last_week = datetime.now(UTC) - timedelta(days=7)
    first_start = recent_monday(weeks_ago=2)
    with Client(server.url, TOKEN) as client:
        stored, nothing = send_history(client, "demo/harbor", first_start, last_week)
        second_start = first_monday(client, "demo/harbor", datetime.now(UTC))
        added, known = send_history(client, "demo/harbor", second_start, datetime.now(UTC))

    assert first_start == second_start
    assert (0, stored) == (nothing, known)
    assert added > 500


def test_the_open_pull_requests(tmp_path: Path) -> None:
    """A document can be tried on them; the command can run again and keeps the products that were set."""
    begin_history(tmp_path)
    first = mergecast("demo", data=tmp_path).out.splitlines()
    with connect(tmp_path, None, None) as client:
        assert list(PRODUCTS) == client.products("demo/harbor")
        client.set_products("demo/harbor", ["merge_queue"])
    again = mergecast("demo", data=tmp_path).out.splitlines()

    assert first[1:] == again[1:]
    assert f"mergecast simulate demo/harbor#12208 -f {DOCUMENT}" == first[2]
    ended = mergecast("simulate", "demo/harbor#12208", "-f", str(DOCUMENT), data=tmp_path)
    assert 0 == ended.code
    whole = mergecast("simulate", "demo/harbor", "-f", str(DOCUMENT), "--json", data=tmp_path)
    assert "of 8 open pull requests would be affected" in json.loads(whole.out)["title"]
    with connect(tmp_path, None, None) as client:
        assert ["merge_queue"] == client.products("demo/harbor")


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


def test_live(server: LiveServer, tmp_path: Path) -> None:
    """--live keeps sending events, and starts over when it is run again."""
    with Client(server.url, TOKEN) as client:
        send_first_day(client)
    where = {"MERGECAST_URL": server.url, "MERGECAST_TOKEN": TOKEN, "MERGECAST_DATA_DIR": str(tmp_path)}
    with Path(os.devnull).open("wb") as nothing, TemporaryFile() as errors:
        process = ForkedProcess(
            nothing, errors, command=["demo", "--live"], environment={**os.environ, **where}
        )
        try:
            now = datetime.now(UTC).isoformat()
            period = {"start_at": (datetime.now(UTC) - timedelta(hours=1)).isoformat(), "end_at": now}
            _wait_for_queue(server, '"translations"', period)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=MOST_SECONDS)
        errors.seek(0)
        said = errors.read()

    again = mergecast("demo", data=tmp_path, MERGECAST_URL=server.url, MERGECAST_TOKEN=TOKEN)

    assert (130, b"") == (process.returncode, said)
    assert 0 == again.code
    assert '"translations"' not in _queues(server, period)


def _wait_for_queue(server: LiveServer, queue: str, period: dict[str, str]) -> None:
    wait_until(lambda: queue in _queues(server, period), "the arrival of a live event", pause=0.2)


def _queues(server: LiveServer, period: dict[str, str]) -> str:
    return server.http.get("/v1/repos/demo/harbor/stats/queues", params=period).text
