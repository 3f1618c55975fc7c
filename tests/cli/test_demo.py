"""The made-up repository: filled once, extended later."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from builders import entered
from cli.program import mergecast
from live_server import TOKEN, LiveServer
from mergecast.cli.demo import _first_monday, _send
from mergecast.cli.errors import WrongUsage
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


def test_other_events_do_not_move_the_beginning(server: LiveServer) -> None:
    """The history is found again by its own events, and refused when its beginning was deleted."""
    now = datetime.now(UTC)
    with Client(server.url, TOKEN) as client:
        start = _first_monday(client, "demo/harbor", now)
        _send(
            client,
            "demo/harbor",
            start,
            datetime.combine(start + timedelta(days=3), datetime.min.time(), UTC),
        )
        server.send([entered("2026-01-05T10:00:00Z", "other", 1)], "demo/harbor").raise_for_status()
        again = _first_monday(client, "demo/harbor", now)
        end = f"{start + timedelta(days=2)}T00:00:00Z"
        server.http.delete("/v1/repos/demo/harbor/events", params={"end_at": end}).raise_for_status()
        with pytest.raises(WrongUsage) as refusal:
            _first_monday(client, "demo/harbor", now)

    assert start == again
    assert (
        "a part of the made-up history of demo/harbor was deleted, and the rest would not fit what is left; "
        "delete the repository, or name another one"
    ) == str(refusal.value)
