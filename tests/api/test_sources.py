"""Imports over HTTP: items, cursors, what is said about sources, translating again, deleting."""

import asyncio
import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from live_server import LiveServer
from sources.activity_log_pages import LogStory
from sources.activity_log_stories import STORIES, a_code_newer_than_this_program

_TOLD = STORIES[0]


def _page(story: Callable[[], LogStory], **more: Any) -> dict[str, Any]:
    items = [{"id": str(item["id"]), "kind": item["type"], "body": item} for item in story().items]
    return {"items": items, **more}


def _path(repository: str, rest: str = "") -> str:
    return f"/v1/repos/{repository}/sources{rest}"


def _send(server: LiveServer, repository: str, page: dict[str, Any], source: str = "activity-log") -> Any:
    answer = server.http.post(_path(repository, f"/{source}/deliveries"), json=page)
    assert 200 == answer.status_code, answer.text
    return answer.json()


def _exported(server: LiveServer, repository: str) -> list[dict[str, Any]]:
    text = server.http.get(f"/v1/repos/{repository}/events").text
    return [json.loads(line) for line in text.splitlines()]


def test_items_are_stored_once_and_translated_before_the_answer(server: LiveServer, repository: str) -> None:
    """One of them does not describe a stay."""
    first, second = _send(server, repository, _page(_TOLD)), _send(server, repository, _page(_TOLD))

    assert ({"stored": 5, "duplicates": 0, "not_kept": 1}, 5) == (first, second["duplicates"])
    assert [
        "queue_entered",
        "checks_started",
        "checks_ended",
        "queue_left",
    ] == [event["type"] for event in sorted(_exported(server, repository), key=lambda one: one["at"])]


def test_the_cursor_is_stored_with_the_items(server: LiveServer, repository: str) -> None:
    """Before the first import, there is none."""
    path = _path(repository, "/activity-log/cursor")
    before = server.http.get(path).json()
    _send(server, repository, _page(_TOLD, cursor="page 2", reached="2026-09-14T10:00:00Z"))

    assert {"cursor": None, "reached": None} == before
    assert {"cursor": "page 2", "reached": "2026-09-14T10:00:00Z"} == server.http.get(path).json()


def test_what_could_not_be_translated_is_counted_with_its_reason(server: LiveServer, repository: str) -> None:
    """Translating again does not count it again."""
    _send(server, repository, _page(a_code_newer_than_this_program))
    again = server.http.post(_path(repository, "/activity-log/translate")).json()

    (overview,) = server.http.get(_path(repository)).json()["sources"]

    assert {"threads": 1, "events": 4} == again
    assert ["activity-log", "import", 4, 4, None] == [
        overview[name] for name in ("source", "kind", "deliveries", "events", "following")
    ]
    assert [{"reason": "unknown code SOLAR_FLARE", "count": 2}] == [
        {name: one[name] for name in ("reason", "count")} for one in overview["untranslated"]
    ]


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"])
def test_an_instant_outside_the_years_1_to_9999(server: LiveServer, repository: str, text: str) -> None:
    """Such an instant counts as missing; the item is kept and counted."""
    metadata = {"branch": "main", "queue_name": "default", "queued_at": text}
    entry = {"id": 1, "type": "action.queue.enter", "received_at": text, "pull_request": 7}
    item = {"id": "1", "kind": entry["type"], "body": {**entry, "metadata": metadata}}
    receipt = _send(server, repository, {"items": [item]})

    (source,) = server.http.get(_path(repository)).json()["sources"]
    assert {"stored": 1, "duplicates": 0, "not_kept": 0} == receipt
    assert ["the entry has no `received_at`"] == [one["reason"] for one in source["untranslated"]]


def test_a_wait_longer_than_any_event_may_have(server: LiveServer, repository: str) -> None:
    """The item is kept and counted, whatever the size of the number."""
    story = LogStory()
    story.leave(5, 7, "a", "PR_DEQUEUED", freeze=1e308)
    receipt = _send(server, repository, _page(lambda: story))

    (source,) = server.http.get(_path(repository)).json()["sources"]
    assert {"stored": 1, "duplicates": 0, "not_kept": 0} == receipt
    assert ["queue_left: seconds_waiting_for_freeze must be a number of seconds from 0 to 9000000000"] == [
        one["reason"] for one in source["untranslated"]
    ]


def test_a_pull_request_with_too_many_reports_keeps_its_events(server: LiveServer, repository: str) -> None:
    """What came before the limit stays, and the rest is counted."""
    story = LogStory()
    for minute in range(1001):
        story.start(minute, 7, "a", "X", checked=minute)
    items = _page(lambda: story)["items"]
    _send(server, repository, {"items": items[:1000]})
    before = _exported(server, repository)
    _send(server, repository, {"items": items[1000:]})

    (source,) = server.http.get(_path(repository)).json()["sources"]
    assert 1001 == len(before)
    assert before == _exported(server, repository)
    assert [{"reason": "more than 1,000 reports about one pull request", "count": 1}] == [
        {name: one[name] for name in ("reason", "count")} for one in source["untranslated"]
    ]


def test_deleted_events_do_not_come_back(server: LiveServer, repository: str) -> None:
    """Their deliveries are deleted with them; events that clients sent under the same source stay apart.

    An import continues as before, unless everything of its source was deleted.
    """
    _send(server, repository, _page(_TOLD, cursor="page 2", reached="2026-09-14T10:00:00Z"))
    sent = {
        "id": "ours", "type": "queue_entered", "at": "2026-09-14T10:00:00Z", "base_ref": "main",
        "queue_name": "default", "session_id": "ours", "pull_request": 5, "source": "activity-log",
    }  # fmt: skip
    server.send([sent], repository).raise_for_status()
    server.http.post(_path(repository, "/activity-log/translate")).raise_for_status()
    kept = len(_exported(server, repository))

    server.http.delete(
        f"/v1/repos/{repository}/events",
        params={"source": "activity-log", "start_at": "2026-09-14T10:01:00Z"},
    ).raise_for_status()
    server.http.post(_path(repository, "/activity-log/translate")).raise_for_status()

    assert 5 == kept
    assert {"queue_entered"} == {event["type"] for event in _exported(server, repository)}
    cursor = _path(repository, "/activity-log/cursor")
    assert "page 2" == server.http.get(cursor).json()["cursor"]
    everything = {"source": "activity-log"}
    server.http.delete(f"/v1/repos/{repository}/events", params=everything).raise_for_status()
    assert server.http.get(cursor).json()["cursor"] is None


@pytest.mark.parametrize(
    ("source", "body", "name"),
    [
        ("elsewhere", {"items": []}, "source"),
        ("gitlab", [], ""),
        ("gitlab", {"items": [{"id": "", "kind": "car", "body": {}}]}, ""),
        ("gitlab", {"items": [{"id": "1", "kind": "car"}]}, ""),
        ("gitlab", {"items": [{"id": "1\0", "kind": "car", "body": {}}]}, ""),
        ("gitlab", {"items": [], "page": 1}, ""),
        ("gitlab", {"items": [], "reached": "yesterday"}, "/reached"),
        ("gitlab", {"items": [], "repository": {"id": 7, "full_name": "acme/web"}}, "/repository"),
        ("github", {"items": [], "repository": {"id": 1 << 63, "full_name": "acme/web"}}, ""),
    ],
)
def test_what_is_refused(server: LiveServer, repository: str, source: str, body: Any, name: str) -> None:
    """The message has the position of the error; nothing is stored."""
    answer = server.http.post(_path(repository, f"/{source}/deliveries"), json=body)

    assert (422, name) == (answer.status_code, answer.json()["errors"][0]["name"])
    assert 404 == server.http.get(_path(repository)).status_code


def test_titles_that_a_source_knows(server: LiveServer, repository: str) -> None:
    """The queue and the history of the pull request show them."""
    car = {
        "id": 5, "created_at": "2026-11-01T10:00:00Z", "target_branch": "main", "status": "fresh",
        "merge_request": {"iid": 59, "title": "Retry uplink", "web_url": "https://hosting.test/59"},
    }  # fmt: skip
    _send(server, repository, {"items": [{"id": "car-5", "kind": "car", "body": car}]}, "gitlab")

    (queue,) = server.http.get(f"/v1/repos/{repository}/queue").json()["queues"]

    (entry,) = queue["entries"]
    assert (59, "Retry uplink", "https://hosting.test/59") == (
        entry["pull_request"], entry["title"], entry["url"],
    )  # fmt: skip
    assert "author" not in entry
    history = server.http.get(f"/v1/repos/{repository}/pulls/59/history").json()
    assert {"title": "Retry uplink", "author": None, "url": "https://hosting.test/59"} == history["pull"]


def _identified(id: int, name: str, items: Sequence[dict[str, Any]] = ()) -> dict[str, Any]:
    return {"items": list(items), "repository": {"id": id, "full_name": name}}


def _imported(server: LiveServer, name: str, id: int) -> None:
    """A repository with a pull request that is queued, imported by the operator."""
    body = {"number": 1, "base_ref": "main", "enqueued_at": "2026-09-14T10:00:00Z"}
    page = _identified(id, name, [{"id": f"queued-{id}", "kind": "queued", "body": body}])
    _send(server, name, page, "github")


def test_an_import_under_the_new_name_of_a_repository_renames_it(server: LiveServer) -> None:
    """A name that was chosen here renames nothing, nor does the same id on another Enterprise Server."""
    _imported(server, "acme/before", 7001)
    token = server.key("acme", scopes=["ingest"])["key"]
    for name in ("acme/chosen", "acme/after"):
        path = _path(name, "/github/deliveries")
        assert 200 == server.ask(token, path, "POST", json=_identified(7001, "ACME/after")).status_code

    _imported(server, "umbrella/elsewhere", 7001)
    statuses = {
        name: server.http.get(f"/v1/repos/acme/{name}/queue").status_code
        for name in ("before", "chosen", "after")
    }

    assert {"before": 409, "chosen": 404, "after": 200} == statuses
    for name in ("acme/after", "umbrella/elsewhere"):
        assert ["queue_entered"] == [event["type"] for event in _exported(server, name)]


def test_an_import_renames_nothing_that_its_caller_may_not_write(server: LiveServer) -> None:
    """Nor does it claim the id of a repository that is not known yet: its webhooks would rename this one."""
    _imported(server, "umbrella/theirs", 7002)
    token = server.key("acme", scopes=["ingest"])["key"]
    body = {"number": 1, "base_ref": "main", "enqueued_at": "2026-09-14T10:00:00Z"}
    for id in (7002, 7003):
        page = _identified(id, "acme/ours", [{"id": f"queued-{id}", "kind": "queued", "body": body}])
        answer = server.ask(token, _path("acme/ours", "/github/deliveries"), "POST", json=page)
        assert 200 == answer.status_code

    assert 1 == len(_exported(server, "umbrella/theirs"))
    known = [asyncio.run(server.store.repositories_with_platform_id(id)) for id in (7002, 7003)]
    assert [["umbrella/theirs"], []] == [[str(one.repository) for one in found] for found in known]
