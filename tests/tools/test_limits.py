"""Tools count against the limits of their caller, as the requests behind them do."""

from collections.abc import Iterator

import pytest

from builders import worked_example
from live_server import LiveServer, live_server
from mergecast.access.policy import Policy
from tools.messages import call, post, text_of

_BURST = 6


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """Six requests of a credential at once, then one in a thousand seconds; time stands still."""
    policy = Policy(requests_per_second=0.001, requests_burst=_BURST, failed_credentials_per_minute=3)
    with live_server(tmp_path_factory.mktemp("limits"), policy, passed=lambda: 0) as server:
        yield server


def test_the_request_behind_a_tool_counts_once(server: LiveServer) -> None:
    """The message itself does not count besides; beyond the limit it is refused before anything is done."""
    key = server.key("acme")["key"]
    for _ in range(_BURST):
        assert "No repository was found" in text_of(call(server, "list_repositories", token=key))
    answer = post(server, "tools/call", token=key, name="list_repositories", arguments={})

    assert (429, "1000") == (answer.status_code, answer.headers["retry-after"])
    assert 429 == server.ask(key, "/v1/repos").status_code


@pytest.mark.parametrize("method", ["tools/list", "ping", "resources/list"])
def test_a_message_without_a_request_counts_itself(server: LiveServer, method: str) -> None:
    key = server.key("acme")["key"]
    for _ in range(_BURST):
        assert 200 == post(server, method, token=key).status_code

    assert 429 == post(server, method, token=key).status_code


def test_a_wrong_argument_counts_too(server: LiveServer) -> None:
    key = server.key("acme")["key"]
    for _ in range(_BURST):
        assert call(server, "queue_status", token=key, repository=1)["isError"]

    assert 429 == post(server, "tools/list", token=key).status_code


def test_refusals_of_an_address_are_limited(server: LiveServer) -> None:
    """A 401 counts like a 403."""
    statuses = [post(server, "tools/list", token="made-up").status_code for _ in range(4)]

    assert [401, 401, 401, 429] == statuses


def test_a_platform_token_is_not_looked_up_for_the_list_of_tools(server: LiveServer) -> None:
    """Without a platform it is unknown."""
    assert 401 == post(server, "tools/list", token="ghp_0123456789").status_code


def test_a_tool_whose_requests_are_refused_asks_for_one_more_call(server: LiveServer) -> None:
    """It needs three requests, and two are left."""
    key = server.key("acme")["key"]
    server.send(worked_example()).raise_for_status()
    for _ in range(_BURST - 2):
        assert 200 == server.ask(key, "/v1/repos").status_code
    found = call(server, "what_changed", token=key, repository="acme/widgets")

    assert found["isError"]
    assert "The server is busy. Call once more after 1000 s, not in a loop." == text_of(found)
