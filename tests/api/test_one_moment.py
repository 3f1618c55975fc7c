"""Everything that one answer says is of one moment, whatever arrives while it is read."""

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from api.recorded_pulls import record
from builders import entered, left, started
from live_server import LiveServer, live_server
from meanwhile import while_read
from mergecast.api import pull_history
from mergecast.queues.model.instant import MINUTE, format_instant, parse_instant
from postgres.server import new_store

NOW = parse_instant("2026-11-02T12:00:00Z")
_NUMBERS = count(1)


def _ago(minutes: float) -> str:
    return format_instant(NOW - round(minutes * MINUTE))


@pytest.fixture(scope="module", params=["duckdb", "postgres"])
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    more: dict[str, Any] = {}
    if request.param == "postgres":
        more["database_url"] = new_store(request.getfixturevalue("database_server"))
    with live_server(tmp_path_factory.mktemp("moment"), now=lambda: NOW, **more) as server:
        yield server


@pytest.fixture
def name() -> str:
    """A repository that no other test uses."""
    return f"acme/moment-{next(_NUMBERS)}"


def _history(server: LiveServer, name: str) -> Any:
    answer = server.http.get(f"/v1/repos/{name}/pulls/7/history")
    assert answer.status_code == 200, answer.text
    return answer.json()


def _open_stays(history: Any) -> list[str]:
    return [stay["entered_at"] for stay in history["stays"] if stay["left_at"] is None]


def test_a_history_says_what_a_stay_waits_for_if_the_stay_is_open(
    running: LiveServer, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It leaves after the server has read its stays, and before it reads what is in the queues."""
    running.send([entered(_ago(9), "a", 7)], name)
    meanwhile = while_read(monkeypatch, pull_history, "pull_history")
    meanwhile(lambda: running.send([left(_ago(0), "a", 7, reason="PR_DEQUEUED")], name))

    during, after = _history(running, name), _history(running, name)

    assert [_ago(9)] == _open_stays(during)
    assert "start" == during["waiting_for"]["reason"]
    assert ([], None) == (_open_stays(after), after["waiting_for"])


def test_a_history_knows_no_run_that_began_after_its_stays_were_read(
    running: LiveServer, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    running.send([entered(_ago(9), "a", 7)], name)
    meanwhile = while_read(monkeypatch, pull_history, "pull_history")
    meanwhile(lambda: running.send([started(_ago(1), "a", 7, "X", [7])], name))

    during, after = _history(running, name), _history(running, name)

    assert ([], "start") == (during["stays"][0]["checks"], during["waiting_for"]["reason"])
    assert ("X", "ci") == (after["stays"][0]["checks"][0]["batch_id"], after["waiting_for"]["reason"])


def test_a_title_that_is_deleted_meanwhile_belongs_to_the_history(
    running: LiveServer, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is in a snapshot, which is deleted after the stays were read."""
    running.send([entered(_ago(9), "a", 7)], name)
    snapshot = f"/v1/repos/{name}/pulls/7/snapshot"
    running.http.put(snapshot, json=record()).raise_for_status()
    meanwhile = while_read(monkeypatch, pull_history, "pull_history")
    meanwhile(lambda: running.http.delete(snapshot).raise_for_status())

    during, after = _history(running, name), _history(running, name)

    assert during["pull"]["title"]
    assert after["pull"] is None
