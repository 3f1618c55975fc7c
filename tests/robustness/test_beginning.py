"""In a crowd of unfinished requests, the application gets those that are whole, long, or slow."""

import socket
from contextlib import ExitStack
from pathlib import Path

import pytest

from api.raw_http import AUTHORIZED, EVENTS, connect, head_of, read_answer, status_of
from live_server import LiveServer, live_server
from mergecast.api.server.connections import ConnectionLimits

_NEVER = 3600.0
_JSON = "Content-Type: application/json"
_BODY = b"[]" + b" " * 9_998


def _begin(server: LiveServer, stack: ExitStack, authorization: str, sent: int) -> socket.socket:
    """Send a head and some bytes of the body."""
    connection = stack.enter_context(connect(server))
    connection.sendall(
        head_of("POST", EVENTS, _JSON, authorization, f"Content-Length: {len(_BODY)}") + _BODY[:sent]
    )
    return connection


def test_the_application_gets_no_request_of_which_a_byte_has_arrived(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It logs every request that it gets, by the pattern of its path."""
    limits = ConnectionLimits(crowd=0, begin_seconds=_NEVER)
    with live_server(tmp_path, connections=limits, log_requests=True) as server, ExitStack() as stack:
        for _ in range(30):
            _begin(server, stack, "Authorization: Bearer wrong", 1)
        assert 200 == server.http.get("/healthz").status_code
    logged = "".join(capsys.readouterr())

    assert "/healthz" in logged
    assert "/v1/repos/{owner}/{repository}/events" not in logged


def test_a_whole_request_is_answered(tmp_path: Path) -> None:
    limits = ConnectionLimits(crowd=0, begin_seconds=_NEVER)
    with live_server(tmp_path, connections=limits) as server, ExitStack() as stack:
        connection = _begin(server, stack, AUTHORIZED, 1)
        connection.sendall(_BODY[1:])
        answer = read_answer(connection)

    assert 200 == status_of(answer)


@pytest.mark.parametrize(
    ("limits", "sent"),
    [
        (ConnectionLimits(crowd=0, begin_seconds=_NEVER, begin_bytes=2_000), 2_000),
        (ConnectionLimits(crowd=0, begin_seconds=0.0), 1),
        (ConnectionLimits(begin_seconds=_NEVER), 1),
    ],
    ids=["long", "slow", "no crowd"],
)
def test_an_unfinished_request_is_refused_before_it_is_whole(
    tmp_path: Path, limits: ConnectionLimits, sent: int
) -> None:
    """The application needs no body to refuse a wrong credential."""
    with live_server(tmp_path, connections=limits) as server, ExitStack() as stack:
        answer = read_answer(_begin(server, stack, "Authorization: Bearer wrong", sent))

    assert 403 == status_of(answer)


def test_slow_requests_begin_a_few_at_a_time(tmp_path: Path) -> None:
    """All of them are answered in the end."""
    limits = ConnectionLimits(crowd=0, begin_seconds=0.0, begun_per_tick=2, tick_seconds=0.01)
    with live_server(tmp_path, connections=limits) as server, ExitStack() as stack:
        begun = [_begin(server, stack, "Authorization: Bearer wrong", 1) for _ in range(15)]
        statuses = [status_of(read_answer(connection)) for connection in begun]

    assert [403] * 15 == statuses
