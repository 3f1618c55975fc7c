"""`POST /mcp`: each version of the protocol, and every message that is refused."""

import json
import socket
from typing import Any
from urllib.parse import urlsplit

import pytest

from api.problem_documents import UNAUTHORIZED
from live_server import LiveServer
from tools.conftest import REPOSITORY
from tools.messages import HANDSHAKE, MODERN, VERSIONS, call, headers_of, message, post, text_of
from waiting import wait_until

pytestmark = pytest.mark.server

_NO_ACCESS = (
    "{} is not known here, or this credential may not read it. list_repositories has the names that it may "
    "read. If the name is not there, ask a person for a key; do not try other names."
)
_FORECAST_ROUTE = 'route="/v1/repos/{owner}/{repository}/forecast"'


def _called(arguments: bytes) -> bytes:
    params = b'{"name": "check_configuration", "arguments": %s}' % arguments
    return b'{"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": %s}' % params


@pytest.mark.parametrize("version", HANDSHAKE)
def test_a_client_that_begins_with_a_handshake_gets_the_version_it_wants(
    demo: LiveServer, version: str
) -> None:
    client = {"name": "test", "version": "1"}
    answer = post(
        demo, "initialize", version=version, protocolVersion=version, capabilities={}, clientInfo=client
    )

    result = answer.json()["result"]
    assert (200, "application/json") == (answer.status_code, answer.headers["content-type"])
    assert (version, "mergecast") == (result["protocolVersion"], result["serverInfo"]["name"])
    assert "mcp-session-id" not in answer.headers


def test_a_client_without_a_handshake_discovers_the_server(demo: LiveServer) -> None:
    answer = post(demo, "server/discover", version=MODERN)

    assert 200 == answer.status_code, answer.text
    assert MODERN in answer.json()["result"]["supportedVersions"]


@pytest.mark.parametrize("version", VERSIONS)
def test_every_version_lists_and_calls_tools(demo: LiveServer, version: str) -> None:
    listed = post(demo, "tools/list", version=version).json()["result"]["tools"]
    found = call(demo, "list_repositories", version=version)

    assert 9 == len(listed)
    assert f"1 repository, the most recent first: {REPOSITORY}." == text_of(found).splitlines()[0]
    if version != HANDSHAKE[0]:
        assert [REPOSITORY] == [one["name"] for one in found["structuredContent"]["repositories"]]


def test_notifications_are_accepted(demo: LiveServer) -> None:
    sent = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    answer = demo.http.post("/mcp", json=sent, headers={"Accept": "application/json"})

    assert (202, b"") == (answer.status_code, answer.content)


def test_all_tools_only_read(demo: LiveServer) -> None:
    """They say so, and their list fits into 3,000 tokens."""
    answer = post(demo, "tools/list")

    for tool in answer.json()["result"]["tools"]:
        assert {"readOnlyHint": True, "openWorldHint": False} == tool["annotations"]
        assert {"name", "description", "inputSchema", "outputSchema"} <= tool.keys()
    assert len(answer.text) / 3.5 < 3000


@pytest.mark.parametrize(
    "credential",
    ["", "Basic dXNlcjpwYXNz", "Bearer", "Bearer made-up", "Bearer mck_0123456789ab_x", "revoked"],
)
def test_an_invalid_credential_is_401(demo: LiveServer, credential: str) -> None:
    """One and the same answer, with the header that MCP clients need."""
    if credential == "revoked":
        made = demo.key("acme")
        demo.http.delete(f"/v1/keys/{made['id']}").raise_for_status()
        credential = f"Bearer {made['key']}"
    headers = {"Authorization": credential} if credential else {}
    answer = post(demo, "tools/list", token=None, headers=headers)

    assert UNAUTHORIZED == answer.json()
    assert (401, "Bearer") == (answer.status_code, answer.headers["www-authenticate"])


@pytest.mark.parametrize("path", ["oauth-protected-resource", "oauth-authorization-server/mcp"])
def test_there_is_no_oauth(demo: LiveServer, path: str) -> None:
    """Clients look for it after a 401."""
    with demo.anonymous() as http:
        answer = http.get(f"/.well-known/{path}", headers={"Accept": "application/json"})

    assert (404, "Not found") == (answer.status_code, answer.json()["title"])


def test_a_session_cookie_is_no_credential_here(demo: LiveServer) -> None:
    token = demo.http.headers["authorization"].removeprefix("Bearer ")
    with demo.anonymous() as http:
        http.post("/v1/session", json={"token": token}, headers={"Origin": demo.url}).raise_for_status()
        assert 200 == http.get("/v1/repos").status_code
        sent = message("tools/list")
        head = {**headers_of(sent, HANDSHAKE[1], None), "Origin": demo.url}
        assert 401 == http.post("/mcp", json=sent, headers=head).status_code


@pytest.mark.parametrize("origin", ["own", "http://localhost:6274", "http://127.0.0.1", "https://[::1]:80"])
def test_pages_of_this_server_and_of_the_own_machine_may_ask(demo: LiveServer, origin: str) -> None:
    origin = demo.url if origin == "own" else origin
    assert 200 == post(demo, "tools/list", headers={"Origin": origin}).status_code


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://localhost.evil.example", "http://["]
)
def test_pages_of_others_may_not_ask(demo: LiveServer, origin: str) -> None:
    answer = post(demo, "tools/list", headers={"Origin": origin})

    assert (403, "a page of another origin may not use this") == (answer.status_code, answer.json()["detail"])


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_only_post_is_allowed(demo: LiveServer, method: str) -> None:
    """A stream that stays open would be outside the limit on streams."""
    answer = demo.http.request(method, "/mcp", headers={"Accept": "text/event-stream"})

    assert (405, "POST") == (answer.status_code, answer.headers["allow"])


def test_other_media_types_are_refused(demo: LiveServer) -> None:
    sent = message("tools/list")
    for type in ("text/plain", "application/x-www-form-urlencoded", ""):
        answer = demo.http.post("/mcp", content=json.dumps(sent), headers={"Content-Type": type})
        assert 415 == answer.status_code


def test_a_body_above_2_mib_is_refused(demo: LiveServer) -> None:
    document = "x" * (2 << 20)
    arguments = {"repository": REPOSITORY, "document": document}
    answer = post(demo, "tools/call", name="check_configuration", arguments=arguments)

    assert (413, "Content too large") == (answer.status_code, answer.json()["title"])


@pytest.mark.parametrize("version", VERSIONS)
def test_a_document_of_1_mib_is_read(demo: LiveServer, version: str) -> None:
    """Although the SDK does not see it."""
    document = "# " + "x" * ((1 << 20) - 20) + "\nqueue_rules: []"
    found = call(demo, "check_configuration", version=version, repository=REPOSITORY, document=document)

    assert "The document is valid." == text_of(found).splitlines()[0]


@pytest.mark.parametrize(
    "body", [b"{", b"[]", b"[1]", b"null", b'"x"', b'{"jsonrpc": "2.0", "id": {}}', b"\xff"]
)
@pytest.mark.parametrize("version", [HANDSHAKE[2], MODERN])
def test_what_is_no_message_is_an_error_of_the_protocol(demo: LiveServer, body: bytes, version: str) -> None:
    head = {**headers_of(message("tools/list", version), version), "Content-Type": "application/json"}
    answer = demo.http.post("/mcp", content=body, headers=head)

    assert 400 == answer.status_code
    assert answer.json()["error"]["code"] in {-32700, -32600, -32602}


_LONG = "x" * (64 << 10)


@pytest.mark.parametrize(
    ("body", "code", "id"),
    [
        (b"[" * 100_000, -32600, None),
        (b"[" + b"{}," * 200_000 + b"{}]", -32600, None),
        (b"1" * (1 << 20), -32600, None),
        (b'{"a":' * 100_000, -32700, None),
        (b'{"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": ' + b"[" * 100_000, -32700, None),
        (b"\xff" * (1 << 20), -32700, None),
        (_called(b'{"document": "\\ud800%s"}' % _LONG.encode()), -32700, None),
        (_called(b'{"document": ["%s"]}' % _LONG.encode()), -32602, 5),
        (_called(b'{"document": "x", "repository": "%s"}' % _LONG.encode()), -32602, 5),
    ],
    ids=[
        *("deep", "list", "number", "deep object", "deep parameters", "not UTF-8"),
        *("half of a surrogate pair", "a document that is no text", "another long argument"),
    ],
)
@pytest.mark.parametrize("version", [HANDSHAKE[2], MODERN])
def test_a_long_body_is_refused_before_it_is_decoded(
    demo: LiveServer, body: bytes, code: int, id: int | None, version: str
) -> None:
    """With the errors that the protocol names; only a document may be long."""
    messages = {
        -32700: "this is not JSON",
        -32600: "this is not a request or a notification of JSON-RPC 2.0",
        -32602: "only the argument `document` may be long; the rest may have 16,384 bytes",
    }
    head = {**headers_of(message("tools/list", version), version), "Content-Type": "application/json"}
    answer = demo.http.post("/mcp", content=body, headers=head)

    error = {"code": code, "message": messages[code]}
    assert (400, {"jsonrpc": "2.0", "id": id, "error": error}) == (answer.status_code, answer.json())


@pytest.mark.parametrize("version", VERSIONS)
def test_an_unknown_tool_is_an_error_of_the_protocol(demo: LiveServer, version: str) -> None:
    answer = post(demo, "tools/call", version=version, name="merge_now", arguments={})

    error = answer.json()["error"]
    assert -32602 == error["code"]
    assert error["message"].startswith("there is no tool «merge_now»; the tools are pull_request_status, ")


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("queue_status", {}, "repository is missing"),
        ("queue_status", {"repository": 5}, "repository must be the name of a repository, OWNER/NAME"),
        ("queue_status", {"repository": "../x"}, "repository must be the name of a repository, OWNER/NAME"),
        (
            "explain_removal",
            {"repository": "a/b", "number": "7"},
            "number must be an integer from 0 to 9007199254740992",
        ),
        ("what_changed", {"repository": "a/b", "days": 1000}, "days must be an integer from 1 to 90"),
        (
            "what_changed",
            {"repository": "a/b", "dys": 1},
            "there is no argument «dys» (did you mean days?)",
        ),
        (
            "forecast_settings",
            {"repository": "a/b", "settings": []},
            'settings must be an object such as {"batch_size": 5}',
        ),
    ],
)
def test_a_wrong_argument_is_an_error_that_the_model_can_correct(
    demo: LiveServer, tool: str, arguments: dict[str, Any], expected: str
) -> None:
    found = call(demo, tool, **arguments)

    assert found["isError"]
    assert f"{expected}. Correct the arguments and call {tool} again." == text_of(found)


@pytest.mark.parametrize("tool", ["queue_status", "what_changed", "check_flakiness"])
def test_a_credential_without_the_repository_learns_nothing(demo: LiveServer, tool: str) -> None:
    """The error is the same for a repository that exists and for one that does not."""
    key = demo.key("acme")["key"]
    for name in (REPOSITORY, "demo/unknown", "acme/unknown"):
        found = call(demo, tool, token=key, repository=name)
        assert (True, _NO_ACCESS.format(name)) == (found["isError"], text_of(found))


def test_an_unknown_repository_is_the_same_error(demo: LiveServer) -> None:
    found = call(demo, "queue_status", repository="demo/harbr")

    assert (True, _NO_ACCESS.format("demo/harbr")) == (found["isError"], text_of(found))


def test_a_client_that_disconnects_cancels_its_forecast(demo: LiveServer) -> None:
    """The request behind the tool ends like one whose own client has gone, which the metrics show."""
    sent = message(
        "tools/call",
        name="forecast_settings",
        arguments={"repository": REPOSITORY, "settings": {"batch_size": 7}},
    )
    before = _count(demo, 408)
    summaries = _count(demo, 200, 'route="/v1/repos/{owner}/{repository}/summary"')
    with _sent(demo, sent):
        # The branch is looked up before the forecast begins.
        wait_until(lambda: _count(demo, 200, 'route="/v1/repos/{owner}/{repository}/summary"') > summaries)
    wait_until(lambda: _count(demo, 408) > before)

    assert _count(demo, 408, 'route="/mcp"') >= 1
    assert 200 == post(demo, "tools/list").status_code


def _sent(server: LiveServer, sent: dict[str, object]) -> socket.socket:
    """A connection on which a message was sent."""
    body = json.dumps(sent).encode()
    head = {**headers_of(sent, HANDSHAKE[1]), "Host": "x", "Content-Type": "application/json"}
    lines = [f"{name}: {value}" for name, value in {**head, "Content-Length": str(len(body))}.items()]
    address = urlsplit(server.url)
    connection = socket.create_connection((address.hostname, address.port))
    connection.sendall("\r\n".join(["POST /mcp HTTP/1.1", *lines, "", ""]).encode() + body)
    return connection


def _count(server: LiveServer, status: int, route: str = _FORECAST_ROUTE) -> float:
    """How many requests ended with a status."""
    wanted = (route, f'status="{status}"', "_count{")
    lines = server.http.get("/metrics").text.splitlines()
    return sum(float(line.split()[-1]) for line in lines if all(part in line for part in wanted))
