"""A release that changes translation: a server translates again what an earlier version translated."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from cli.program import mergecast
from live_server import TOKEN, LiveServer, live_server
from mergecast.incoming.intake.intake import Intake
from mergecast.incoming.sources.registry import SOURCES
from mergecast.incoming.sources.translation import ReadThread, ThreadRules, Translation
from postgres.server import new_store
from sources.activity_log_pages import LogStory
from waiting import MOST_SECONDS, wait_until

_SOURCE = "activity-log"
_PATH = "/v1/repos/acme/log"
_PULLS = 30
_PERIOD = {"start_at": "2026-09-14T00:00:00Z", "end_at": "2026-09-15T00:00:00Z"}


@pytest.fixture(params=["sqlite", "postgres"])
def start(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Any]:
    """Starts a server on a store that an earlier version filled."""
    serving: dict[str, Any] = {}
    if request.param == "postgres":
        serving["database_url"] = new_store(request.getfixturevalue("database_server"))
    with live_server(tmp_path, **serving) as server:
        _fill(server)
    return lambda: live_server(tmp_path, **serving)


def _fill(server: LiveServer) -> None:
    """Each pull request entered the queue and left it."""
    story = LogStory()
    for number in range(1, _PULLS + 1):
        story.enter(number, number, f"s{number}")
        story.leave(number + 1, number, f"s{number}", "PR_MERGED", queued=number)
    items = [{"id": str(item["id"]), "kind": item["type"], "body": item} for item in story.items]
    server.http.post(f"{_PATH}/sources/{_SOURCE}/deliveries", json={"items": items}).raise_for_status()


def _change_translation(
    monkeypatch: pytest.MonkeyPatch, before: Callable[[str], None] = lambda _: None
) -> None:
    """A translation whose queue has another name."""
    source = SOURCES[_SOURCE]
    translator = source.translator()

    def read(thread: str, observations: Sequence[str]) -> ReadThread:
        before(thread)
        given = translator.rules.read(thread, observations)

        def translate(standings: Sequence[str]) -> Translation:
            translation = given.translate(standings)
            events = tuple(event._replace(queue_name="renamed") for event in translation.events)
            return translation._replace(events=events)

        return given._replace(translate=translate)

    changed = translator._replace(rules=ThreadRules(read), version=translator.version + 1)
    monkeypatch.setitem(SOURCES, _SOURCE, replace(source, translator=lambda: changed))


def _source(server: LiveServer) -> Any:
    (found,) = server.http.get(f"{_PATH}/sources").json()["sources"]
    return found


def _ended(server: LiveServer) -> Any:
    """The source, once everything is translated."""
    source = _source(server)
    return None if source["translating"] else source


def _queues(server: LiveServer) -> list[str]:
    answer = server.http.get(f"{_PATH}/stats/queues", params=_PERIOD)
    assert answer.is_success, answer.text
    found: list[str] = answer.json()["queue_names"]
    return found


def test_everything_is_translated_again(start: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """A few threads at a time, the newest first; the server answers meanwhile and shows how far it is."""
    is_held, may_end = Event(), Event()

    def hold(thread: str) -> None:
        if thread == "#1":
            is_held.set()
            may_end.wait(MOST_SECONDS)

    _change_translation(monkeypatch, hold)
    monkeypatch.setattr(Intake, "most_loaded", 20)
    with start() as server:
        try:
            assert is_held.wait(MOST_SECONDS)
            halfway, queues = _source(server), _queues(server)
            shown = mergecast(
                "admin",
                "sources",
                "acme/log",
                data=server.folder,
                MERGECAST_URL=server.url,
                MERGECAST_TOKEN=TOKEN,
            )
        finally:
            may_end.set()
        ended = wait_until(lambda: _ended(server), "translating again")
        after = _queues(server)

    done = halfway["translating"]["done"]
    assert {"threads": _PULLS, "done": done} == halfway["translating"]
    assert 0 < done < _PULLS
    assert ["default", "renamed"] == queues
    line = f"translating again after an upgrade: {done} of {_PULLS} pull requests are done"
    assert f"activity-log: {line}" in shown.out.splitlines()
    assert (2 * _PULLS, []) == (ended["events"], ended["untranslated"])
    assert ["renamed"] == after


def test_a_thread_that_cannot_be_translated_keeps_its_events(
    start: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All others are translated, and the server does not try for ever."""

    def fail(thread: str) -> None:
        if thread == "#7":
            raise ValueError("an error of this version")

    _change_translation(monkeypatch, fail)
    with start() as server:
        ended = wait_until(lambda: _ended(server), "translating again")
        queues = _queues(server)

    assert ["default", "renamed"] == queues
    assert ["internal error: the log of the server says more"] == [
        row["reason"] for row in ended["untranslated"]
    ]


def test_nothing_is_translated_again_without_a_change(start: Callable[[], Any]) -> None:
    """What a version has translated is up to date for it."""
    with start() as server:
        assert _source(server)["translating"] is None
        assert ["default"] == _queues(server)
