"""`GET …/live`: new data is announced, and no stream holds its connection forever."""

import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from builders import entered, left, worked_example
from live_server import NO_LIMITS, TOKEN, LiveServer, live_server
from local_client import local_client
from mergecast.access.address import parse_networks
from mergecast.api import live
from postgres.server import new_database
from waiting import MOST_SECONDS, wait_until


@contextmanager
def _stream(
    server: LiveServer, repository: str, **headers: str
) -> Iterator[tuple[httpx.Response, Iterator[str]]]:
    with server.http.stream("GET", f"/v1/repos/{repository}/live", headers=headers) as response:
        yield response, response.iter_lines()


def _next_event(lines: Iterator[str]) -> list[str]:
    """The lines up to the next blank one."""
    event: list[str] = []
    for line in lines:
        if not line:
            return event
        event.append(line)
    return event


def _next_version(lines: Iterator[str]) -> list[str]:
    """The next event that is no beat: there is one whenever a busy machine takes long."""
    while (event := _next_event(lines)) == [": beat"]:
        pass
    return event


def _without_beats(lines: Iterator[str]) -> list[str]:
    """All that is left of a stream."""
    return [line for line in lines if line not in ("", ": beat")]


def test_new_data_is_announced(server: LiveServer, repository: str) -> None:
    """The version comes at once, and again after a change; it is the version of the queue's answer."""
    server.send([entered("2026-03-02T10:00:00Z", "a", 1)], repository)
    with _stream(server, repository) as (response, lines):
        first = _next_version(lines)
        server.send([entered("2026-03-02T11:00:00Z", "b", 2)], repository)
        second = _next_version(lines)
        version = server.http.get(f"/v1/repos/{repository}/queue").json()["version"]

    assert (200, "text/event-stream; charset=utf-8", "no-store") == (
        response.status_code, response.headers["content-type"], response.headers["cache-control"],
    )  # fmt: skip
    assert ["event: version", f'data: {{"version":{version - 1},"verdicts":0}}'] == first
    assert ["event: version", f'data: {{"version":{version},"verdicts":0}}'] == second


def test_a_new_verdict_is_announced(server: LiveServer, repository: str) -> None:
    """It comes a moment after the removal."""
    at = datetime.now(UTC).isoformat(timespec="seconds")
    server.send([entered(at, "a", 1)], repository)
    with _stream(server, repository) as (_, lines):
        first = _next_version(lines)[1]
        server.send([left(at, "a", 1, "PR_MANUALLY_DEQUEUED")], repository)
        while (last := _next_version(lines)[1]).endswith(',"verdicts":0}'):
            pass

    assert (True, True) == (first.endswith(',"verdicts":0}'), last.endswith(',"verdicts":1}'))


def test_a_stream_ends_after_a_while(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its client opens another one."""
    monkeypatch.setattr(live, "LENGTH_SECONDS", 0.5)
    with _stream(server, "acme/widgets") as (_, lines):
        first, rest = _next_event(lines), list(lines)

    assert ("event: version", []) == (first[0], rest)


def test_comments_keep_a_stream_alive(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """They say that nothing is new."""
    monkeypatch.setattr(live, "BEAT_SECONDS", 0.1)
    with _stream(server, "acme/widgets") as (_, lines):
        events = [_next_event(lines) for _ in range(3)]

    assert "event: version" == events[0][0]
    assert [[": beat"]] * 2 == events[1:]


def test_a_stream_ends_with_its_repository(server: LiveServer, repository: str) -> None:
    """There will be no new data."""
    server.send([entered("2026-03-02T10:00:00Z", "a", 1)], repository)
    with _stream(server, repository) as (_, lines):
        _next_event(lines)
        server.http.delete(f"/v1/repos/{repository}")

        assert [] == _without_beats(lines)


def test_a_stream_ends_with_its_credential(
    server: LiveServer, repository: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its key that is revoked, and with the session of a browser that signs out; others continue."""
    monkeypatch.setattr(live, "ADMITTED_SECONDS", 0.3)
    server.send([entered("2026-03-02T10:00:00Z", "a", 1)], repository)
    key = server.key(repository.partition("/")[0])
    with local_client(server.url) as browser:
        browser.post("/v1/session", json={"token": TOKEN}).raise_for_status()
        with (
            _stream(server, repository) as (_, lasting),
            _stream(server, repository, Authorization=f"Bearer {key['key']}") as (_, with_key),
            browser.stream("GET", f"/v1/repos/{repository}/live") as of_browser,
        ):
            with_session = of_browser.iter_lines()
            for lines in (lasting, with_key, with_session):
                _next_event(lines)
            server.http.delete(f"/v1/keys/{key['id']}").raise_for_status()
            browser.delete("/v1/session", headers={"Origin": server.url}).raise_for_status()

            assert ([], []) == (_without_beats(with_key), _without_beats(with_session))
            server.send([entered("2026-03-02T11:00:00Z", "b", 2)], repository)
            assert "event: version" == _next_version(lasting)[0]


def test_a_server_that_stops_ends_its_streams(tmp_path: Path) -> None:
    """It does not wait for them until its time to shut down is over."""
    with live_server(tmp_path, shutdown_seconds=3600) as server:
        server.send(worked_example())
        with _stream(server, "acme/widgets") as (_, lines):
            _next_event(lines)
            stopping = threading.Thread(target=server.stop, daemon=True)
            stopping.start()
            rest = _without_beats(lines)
        stopping.join(MOST_SECONDS)

    assert ([], False) == (rest, stopping.is_alive())


def test_streams_take_a_part_of_the_connections(tmp_path: Path) -> None:
    """One credential takes a tenth of that part; a place is free again once its client has gone."""
    with live_server(tmp_path, replace(NO_LIMITS, connections=40)) as server:
        server.send(worked_example())
        with _stream(server, "acme/widgets") as (_, one), _stream(server, "acme/widgets") as (_, two):
            _next_event(one)
            _next_event(two)
            refused = server.http.get("/v1/repos/acme/widgets/live")
            allowed = server.ask(server.key()["key"], "/v1/repos/acme/widgets/live", "HEAD")
        wait_until(lambda: _opens(server), "another stream")

    assert (429, "60") == (refused.status_code, refused.headers["retry-after"])
    assert "2 streams of this credential are open; close one first" == refused.json()["detail"]
    assert 200 == allowed.status_code


@pytest.mark.parametrize("is_proxy", [False, True])
def test_streams_take_a_quarter_of_the_connections_of_an_address(tmp_path: Path, *, is_proxy: bool) -> None:
    """Whatever their credentials are; the rest is for other requests. A proxy has many clients."""
    trusted = parse_networks("127.0.0.1") if is_proxy else ()
    limits = replace(NO_LIMITS, connections=80, connections_per_address=8, trusted_proxies=trusted)
    with live_server(tmp_path, limits) as server, ExitStack() as opened:
        server.send(worked_example())
        keys = [server.key()["key"] for _ in range(3)]
        answers = [
            opened.enter_context(_stream(server, "acme/widgets", Authorization=f"Bearer {key}"))[0]
            for key in keys
        ]
        assert [200, 200, 200 if is_proxy else 429] == [answer.status_code for answer in answers]
        assert 200 == server.http.get("/v1/repos/acme/widgets/freshness").status_code
        if not is_proxy:
            detail = "2 streams of this address are open; close one first"
            assert (detail, "60") == (
                json.loads(answers[2].read())["detail"],
                answers[2].headers["retry-after"],
            )


def _opens(server: LiveServer) -> bool:
    with _stream(server, "acme/widgets") as (response, _):
        return response.status_code == 200


def test_another_server_of_the_same_database(tmp_path: Path, database_server: str) -> None:
    """A change made through one server is announced by the other."""
    url = new_database(database_server)
    with (
        live_server(tmp_path / "one", database_url=url) as one,
        live_server(tmp_path / "two", database_url=url) as two,
    ):
        one.send(worked_example())
        with _stream(two, "acme/widgets") as (_, lines):
            first = _next_version(lines)
            one.send([entered("2026-03-02T12:00:00Z", "new", 9)])
            second = _next_version(lines)

    assert first != second


def test_an_unknown_repository_has_no_stream(server: LiveServer) -> None:
    """The answer is the usual one."""
    assert 404 == server.http.get("/v1/repos/acme/nothing/live").status_code
