"""A history that was imported a moment ago, and ended days ago, is not called fine before it was examined."""

from pathlib import Path

import pytest

from cli.program import mergecast
from live_server import TOKEN, LiveServer, live_server
from mergecast.queues.model.instant import DAY, MINUTE, parse_instant
from mergecast.signals.alerts.watcher import AlertWatch
from postgres.server import new_store
from signals.steady import steady_events
from waiting import wait_for

_NOW = parse_instant("2026-11-06T12:00:00Z")
_PATH = "/v1/repos/acme/widgets"
_LOOKING = "Still looking: the newest event is 4d old, and the history has not been examined yet."


class _Clock:
    """Stands still until a test moves it."""

    now = _NOW

    def __call__(self) -> int:
        return self.now


def test_the_verdict_says_that_it_is_still_looking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the summary, the list and the command line, until the history was examined."""
    monkeypatch.setattr(AlertWatch, "look_seconds", 0.05)
    clock = _Clock()
    with live_server(tmp_path, now=clock) as server:
        server.send([*steady_events(_NOW - 4 * DAY, weeks=5)]).raise_for_status()

        def said() -> list[tuple[str, str]]:
            state = server.http.get(f"{_PATH}/summary").json()["state"]
            (row,) = server.http.get("/v1/repos", params={"figures": "true"}).json()["repositories"]
            figures = row["figures"]
            return [(state["name"], state["sentence"]), (figures["state"], figures["sentence"])]

        server.http.get(f"{_PATH}/queue").raise_for_status()  # the diagnosis sees it, and waits for more
        before = said()
        week = ("--start", "2026-10-31", "--end", "2026-11-07", "--utc")
        shown = mergecast(
            "summary", "acme/widgets", *week, "--url", server.url, "--token", TOKEN, data=tmp_path
        )
        silent = "No event has arrived for 4d: the figures may be out of date."
        clock.now += 3 * MINUTE
        wait_for([("silent", silent)] * 2, said)

    assert [("looking", _LOOKING)] * 2 == before
    assert _LOOKING in shown.out


@pytest.mark.parametrize(
    ("weeks", "state"), [(5, "silent"), (1, "unjudged")], ids=["enough to look back into", "less than that"]
)
def test_two_servers_say_the_same(
    tmp_path: Path, database_server: str, monkeypatch: pytest.MonkeyPatch, weeks: int, state: str
) -> None:
    """One of them has examined the history; the other one knows that from the store."""
    monkeypatch.setattr(AlertWatch, "look_seconds", 0.05)
    clock, url = _Clock(), new_store(database_server)

    def state_on(server: LiveServer) -> str:
        return str(server.http.get(f"{_PATH}/summary").json()["state"]["name"])

    with live_server(tmp_path / "one", database_url=url, now=clock) as one:
        one.send([*steady_events(_NOW - 4 * DAY, weeks)]).raise_for_status()
        one.http.get(f"{_PATH}/queue").raise_for_status()  # the server sees it, and waits for more
        with live_server(tmp_path / "two", database_url=url, now=clock) as two:
            before = [state_on(server) for server in (one, two)]
        clock.now += 3 * MINUTE
        wait_for(state, lambda: state_on(one))
        with live_server(tmp_path / "two", database_url=url, now=clock) as two:
            after = [state_on(server) for server in (one, two)]

    assert ["looking"] * 2 == before
    assert [state] * 2 == after
