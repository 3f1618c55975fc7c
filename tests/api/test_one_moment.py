"""Everything that one answer says is of one moment, whatever arrives while it is read."""

from typing import Any

import pytest

from api.noon import ago
from api.recorded_pulls import record
from builders import entered, left, started
from live_server import LiveServer
from meanwhile import while_read
from mergecast.api import pull_history

pytestmark = pytest.mark.server


def _history(server: LiveServer, repository: str) -> Any:
    answer = server.http.get(f"/v1/repos/{repository}/pulls/7/history")
    assert answer.status_code == 200, answer.text
    return answer.json()


def _open_stays(history: Any) -> list[str]:
    return [stay["entered_at"] for stay in history["stays"] if stay["left_at"] is None]


def test_a_history_says_what_a_stay_waits_for_if_the_stay_is_open(
    at_noon: LiveServer, repository: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It leaves after the server has read its stays, and before it reads what is in the queues."""
    at_noon.send([entered(ago(9), "a", 7)], repository)
    meanwhile = while_read(monkeypatch, pull_history, "pull_history")
    meanwhile(lambda: at_noon.send([left(ago(0), "a", 7, reason="PR_DEQUEUED")], repository))

    during, after = _history(at_noon, repository), _history(at_noon, repository)

    assert [ago(9)] == _open_stays(during)
    assert "start" == during["waiting_for"]["reason"]
    assert ([], None) == (_open_stays(after), after["waiting_for"])


def test_a_history_knows_no_run_that_began_after_its_stays_were_read(
    at_noon: LiveServer, repository: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_noon.send([entered(ago(9), "a", 7)], repository)
    meanwhile = while_read(monkeypatch, pull_history, "pull_history")
    meanwhile(lambda: at_noon.send([started(ago(1), "a", 7, "X", [7])], repository))

    during, after = _history(at_noon, repository), _history(at_noon, repository)

    assert ([], "start") == (during["stays"][0]["checks"], during["waiting_for"]["reason"])
    assert ("X", "ci") == (after["stays"][0]["checks"][0]["batch_id"], after["waiting_for"]["reason"])


def test_a_title_that_is_deleted_meanwhile_belongs_to_the_history(
    at_noon: LiveServer, repository: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is in a snapshot, which is deleted after the stays were read."""
    at_noon.send([entered(ago(9), "a", 7)], repository)
    snapshot = f"/v1/repos/{repository}/pulls/7/snapshot"
    at_noon.http.put(snapshot, json=record()).raise_for_status()
    meanwhile = while_read(monkeypatch, pull_history, "pull_history")
    meanwhile(lambda: at_noon.http.delete(snapshot).raise_for_status())

    during, after = _history(at_noon, repository), _history(at_noon, repository)

    assert during["pull"]["title"]
    assert after["pull"] is None
