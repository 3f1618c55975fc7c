"""Clients of the Model Context Protocol, through both doors: the SDK for Python, and two from npm."""

import asyncio
import fcntl
import json
import os
import subprocess
from pathlib import Path
from traceback import format_exception
from typing import Any

import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from cli.program import mergecast
from live_server import TOKEN, LiveServer
from mergecast.access.errors import Forbidden
from mergecast.tools.every_tool import TOOLS
from own_node import NODE, NPM, why_not
from tools.conftest import REPOSITORY
from tools.doors import DOORS, command, connected
from tools.messages import HANDSHAKE, MODERN, message, text_of

pytestmark = pytest.mark.server

_NPM = Path(__file__).parent / "npm"
_QUEUE = {"name": "queue_status", "arguments": {"repository": REPOSITORY}}
_UNKNOWN = {"name": "merge_now", "arguments": {}}
_WRONG = {"name": "queue_status", "arguments": {"repository": 5}}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(("mode", "version"), [("legacy", HANDSHAKE[2]), ("auto", MODERN)])
def test_the_client_of_the_sdk(demo: LiveServer, door: str, mode: str, version: str) -> None:
    """It validates answers by their schema, and gets the errors that the protocol names."""

    async def use(client: Client) -> None:
        assert version == client.session.protocol_version
        assert list(TOOLS) == [tool.name for tool in (await client.list_tools()).tools]
        found = await client.call_tool("queue_status", {"repository": REPOSITORY})
        queued = demo.http.get(f"/v1/repos/{REPOSITORY}/queue").json()["queues"]
        assert found.structured_content is not None
        assert sum(len(queue["entries"]) for queue in queued) == found.structured_content["in_queue"]
        assert (await client.call_tool("queue_status", {"repository": 5})).is_error
        with pytest.raises(MCPError, match="there is no tool «merge_now»"):
            await client.call_tool("merge_now", {})

    asyncio.run(connected(demo.url, TOKEN, door, mode, use))


def test_a_call_that_is_cancelled_leaves_the_command_running(demo: LiveServer) -> None:
    """The client gives up on a forecast; the next answer comes all the same."""

    async def use(client: Client) -> None:
        asked = {"repository": REPOSITORY, "settings": {"batch_size": 9}}
        forecast = asyncio.create_task(client.call_tool("forecast_settings", asked))
        await client.call_tool("list_repositories", {})
        forecast.cancel()
        await asyncio.gather(forecast, return_exceptions=True)
        assert not (await client.call_tool("list_repositories", {})).is_error

    asyncio.run(connected(demo.url, TOKEN, "stdio", "auto", use))


@pytest.mark.parametrize("version", HANDSHAKE)
def test_the_command_speaks_each_version_that_begins_with_a_handshake(demo: LiveServer, version: str) -> None:
    """In plain lines: the client of the SDK begins with the newest of them."""
    started = command(demo.url, TOKEN)
    hello = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    with subprocess.Popen(
        [started["command"], *started["args"]],
        env={**os.environ, **started["env"]},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def send(sent: dict[str, Any]) -> None:
            print(json.dumps(sent), file=process.stdin, flush=True)

        def result(method: str, **params: Any) -> Any:
            send(message(method, version, **params))
            assert process.stdout is not None
            return json.loads(process.stdout.readline())["result"]

        assert version == result("initialize", **hello)["protocolVersion"]
        send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        assert list(TOOLS) == [tool["name"] for tool in result("tools/list")["tools"]]
        found = result("tools/call", name="list_repositories", arguments={})
        assert f"1 repository, the most recent first: {REPOSITORY}." == text_of(found).splitlines()[0]
        process.stdin.close()
        assert 0 == process.wait()


@pytest.mark.parametrize("version", [HANDSHAKE[2], MODERN])
def test_the_command_answers_what_it_was_asked_before_its_input_ended(demo: LiveServer, version: str) -> None:
    """All at once, as a script does that pipes its questions into the command."""
    started = command(demo.url, TOKEN)
    hello = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    begin = [
        message("initialize", version, **hello),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
    ]
    asked = [] if version == MODERN else begin
    for id in (2, 3):
        question = message("tools/call", version, name="queue_status", arguments={"repository": REPOSITORY})
        asked.append({**question, "id": id})
    done = subprocess.run(
        [started["command"], *started["args"]],
        env={**os.environ, **started["env"]},
        input="".join(f"{json.dumps(one)}\n" for one in asked),
        capture_output=True,
        text=True,
        check=True,
    )

    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert {2, 3} <= {answer["id"] for answer in answers if "result" in answer}


@pytest.fixture(scope="session")
def npm_clients() -> Path:
    """The folder with the clients that the lock file names; they are installed once."""
    if reason := why_not():
        pytest.skip(f"the clients from npm need Node: {reason}")
    with (_NPM / "package.json").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        marker, wanted = _NPM / "node_modules" / ".installed", (_NPM / "package-lock.json").read_bytes()
        if not (marker.is_file() and marker.read_bytes() == wanted):
            done = subprocess.run([*NPM, "--prefix", _NPM, "ci"], capture_output=True, text=True, check=False)
            if done.returncode:
                pytest.skip(f"npm could not install the clients: {done.stderr.strip()[-300:]}")
            marker.write_bytes(wanted)
    return _NPM


def _asked(folder: Path, which: str, door: dict[str, Any], *calls: dict[str, Any]) -> Any:
    command = [*NODE, str(folder / "ask.mjs"), which, json.dumps(door), json.dumps(calls)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def _door(server: LiveServer, door: str) -> dict[str, Any]:
    return {"url": f"{server.url}/mcp", "token": TOKEN} if door == "http" else command(server.url, TOKEN)


# Which of the two clients, whether it may do without a handshake, and the version that it then speaks.
_NPM_CLIENTS = {
    "sdk": ("sdk", False, HANDSHAKE[2]),
    "client": ("client", False, HANDSHAKE[2]),
    "client without a handshake": ("client", True, MODERN),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("name", list(_NPM_CLIENTS))
def test_the_clients_from_npm(demo: LiveServer, npm_clients: Path, door: str, name: str) -> None:
    which, is_modern, version = _NPM_CLIENTS[name]
    where = {**_door(demo, door), "modern": is_modern}
    found = _asked(npm_clients, which, where, _QUEUE, _WRONG, _UNKNOWN)

    assert list(TOOLS) == found["tools"], found
    if not (which == "sdk" and door == "stdio"):  # this one does not say it
        assert version == found["version"]
    queue, wrong, unknown = found["results"]
    assert "No alert." in queue["content"][0]["text"]
    assert queue["structuredContent"]["in_queue"] > 0
    assert wrong["isError"]
    assert -32602 == unknown["code"]


@pytest.mark.parametrize("which", ["sdk", "client"])
def test_the_clients_from_npm_show_our_sentence_after_a_401(
    demo: LiveServer, npm_clients: Path, which: str
) -> None:
    """They look for OAuth first, which is not there."""
    found = _asked(npm_clients, which, {"url": f"{demo.url}/mcp", "token": "made-up"})

    assert str(Forbidden()) in found["error"]


def test_the_client_of_the_sdk_shows_our_sentence_after_a_401(demo: LiveServer) -> None:
    async def use(_: Client) -> None:
        raise AssertionError("connected")

    with pytest.raises(ExceptionGroup) as raised:
        asyncio.run(connected(demo.url, "made-up", "http", "legacy", use))
    assert str(Forbidden()) in "".join(format_exception(raised.value))


def test_the_command_needs_a_store_or_a_server(tmp_path: Path) -> None:
    ending = mergecast("mcp", data=tmp_path / "nothing")

    assert 1 == ending.code
    assert "there is no store in" in ending.err
