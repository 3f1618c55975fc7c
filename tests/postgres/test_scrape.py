"""A scrape of a server on PostgreSQL says what one on SQLite says."""

import asyncio
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from builders import Wire, ended, entered, left, started
from live_server import LiveServer, live_server
from mergecast.queues.model.instant import MINUTE, format_instant, parse_instant
from mergecast.queues.model.repository import Repository
from mergecast.queues.store.alerts import store_alerts
from mergecast.queues.store.held_repository import HeldRepository
from postgres.server import new_store
from signals.stored import begun_alert

pytestmark = pytest.mark.server

NOW = parse_instant("2026-03-02T10:00:00Z")
_ODD = 'odd "name" of\\a queue'
_ODD_BRANCH = 'odd "name" of\\a\nbranch'


def _ago(minutes: int) -> str:
    return format_instant(NOW - minutes * MINUTE)


def _events() -> list[Wire]:
    """A merge with its CI run, a removal, a pull request that waits, and an odd name."""
    return [
        *(entered(_ago(40), "a", 1), started(_ago(30), "a", 1, "X", [1]), ended(_ago(9), "a", 1, "X")),
        *(left(_ago(8), "a", 1), entered(_ago(20), "b", 2), left(_ago(2), "b", 2, reason="CHECKS_FAILED")),
        entered(_ago(12), "c", 3),
        entered(_ago(3), "d", 4, queue_name=_ODD, base_ref=_ODD_BRANCH),
    ]


def _add_problem(held: HeldRepository) -> None:
    store_alerts(held, [begun_alert("run_too_long", "default", held.now)], ())


def _scraped(server: LiveServer) -> list[str]:
    """Three scrapes: of all repositories, of one, and of all after one was deleted."""
    for name in ("one", "two"):
        server.send(_events(), f"acme/{name}").raise_for_status()
    page = {"items": [], "cursor": "{}", "reached": _ago(60)}
    server.http.post("/v1/repos/acme/one/sources/gitlab/deliveries", json=page).raise_for_status()
    asyncio.run(server.store.change(Repository("acme", "one"), _add_problem, create=False))
    # What was counted stays, although the merge is deleted.
    exit = {"start_at": _ago(10), "end_at": _ago(7)}
    server.http.delete("/v1/repos/acme/two/events", params=exit).raise_for_status()
    texts = [server.http.get(path).text for path in ("/v1/metrics", "/v1/repos/acme/one/metrics")]
    server.http.delete("/v1/repos/acme/two").raise_for_status()
    return [*texts, server.http.get("/v1/metrics").text]


def test_both_stores_give_the_same_scrapes(tmp_path: Path, database_server: str) -> None:
    """Counters, gauges, problems, sources, and names that need escapes."""
    with live_server(tmp_path / "folder", now=lambda: NOW) as server:
        expected = _scraped(server)
    with live_server(tmp_path / "none", now=lambda: NOW, database_url=new_store(database_server)) as server:
        found = _scraped(server)

    assert expected == found
    values = {
        (sample.name, sample.labels.get("queue_name"), sample.labels.get("reason")): sample.value
        for family in text_string_to_metric_families(found[1])
        for sample in family.samples
        if sample.labels.get("problem", "run_too_long") == "run_too_long"
    }
    assert (4, 1, 1) == (
        values["mergecast_queue_entered_total", "default", None] + values["mergecast_queue_size", _ODD, None],
        values["mergecast_queue_left_total", "default", "PR_MERGED"],
        values["mergecast_queue_problem", "default", None],
    )
    assert 3600 == values["mergecast_source_age_seconds", None, None]
    labels = 'repository="acme/two",base_ref="main",queue_name="default",reason="PR_MERGED"'
    assert f"mergecast_queue_left_total{{{labels}}} 1\n" in found[0]
    assert "acme/two" not in found[2]
