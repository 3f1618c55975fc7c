"""The made-up repository: filled once, extended later."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from cli.program import mergecast
from live_server import TOKEN, LiveServer
from mergecast.cli.demo import _first_monday, _send
from mergecast.client.client import Client


def test_a_week_later_it_adds_the_week(server: LiveServer) -> None:
    """The same beginning, the same ids, only new events stored."""
    last_week = datetime.now(UTC) - timedelta(days=7)
    with Client(server.url, TOKEN) as client:
        first_start = _first_monday(client, "demo/harbor", last_week)
        stored, nothing = _send(client, "demo/harbor", first_start, last_week)
        second_start = _first_monday(client, "demo/harbor", datetime.now(UTC))
        added, known = _send(client, "demo/harbor", second_start, datetime.now(UTC))

    assert first_start == second_start
    assert (0, stored) == (nothing, known)
    assert added > 500


def test_the_command_fills_a_store(tmp_path: Path) -> None:
    """And every statistic finds something in its last 30 days."""
    ended = mergecast("demo", data=tmp_path)

    assert 0 == ended.code
    assert ended.out.startswith("demo/harbor: ")
    for statistic in ("idle_queue_time", "batch_bisection", "skip_intermediate_results", "checks_retries"):
        assert 0 == mergecast("stats", "demo/harbor", statistic, "--since", "30d", data=tmp_path).code
