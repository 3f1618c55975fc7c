"""Clients of the Model Context Protocol, through both doors: the SDK for Python, and two from npm."""

import asyncio
import fcntl
import json
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from traceback import format_exception
from typing import Any

import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client
from mcp.shared.exceptions import MCPError

from cli.program import mergecast
from live_server import TOKEN, LiveServer
from mergecast.access.errors import Forbidden
from mergecast.tools.every_tool import TOOLS
from own_node import NODE, NPM, why_not
from tools.conftest import REPOSITORY
from tools.messages import HANDSHAKE, MODERN

pytestmark = pytest.mark.server

_NPM = Path(__file__).parent / "npm"
_DOORS = ("http", "stdio")
_QUEUE = {"name": "queue_status", "arguments": {"repository": REPOSITORY}}
_UNKNOWN = {"name": "merge_now", "arguments": {}}
_WRONG = {"name": "queue_status", "arguments": {"repository": 5}}


def _command(server: LiveServer) -> dict[str, Any]:
    environment = {"MERGECAST_URL": server.url, "MERGECAST_TOKEN": TOKEN}
    return {"command": sys.executable, "args": ["-I", "-m", "mergecast", "mcp"], "env": environment}


async def _connected(
    server: LiveServer, door: str, mode: str, use: Callable[[Client], Awaitable[None]], token: str = TOKEN
) -> None:
    if door == "stdio":
        async with Client(StdioServerParameters(**_command(server)), mode=mode) as client:
            await use(client)
        return
    async with create_mcp_http_client(headers={"Authorization": f"Bearer {token}"}) as http:
        transport = streamable_http_client(f"{server.url}/mcp", http_client=http)
        async with Client(transport, mode=mode) as client:
            await use(client)


@pytest.mark.parametrize("door", _DOORS)
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

    asyncio.run(_connected(demo, door, mode, use))


def test_a_call_that_is_cancelled_leaves_the_command_running(demo: LiveServer) -> None:
    """The client gives up on a forecast; the next answer comes all the same."""

    async def use(client: Client) -> None:
        asked = {"repository": REPOSITORY, "settings": {"batch_size": 9}}
        forecast = asyncio.create_task(client.call_tool("forecast_settings", asked))
        await client.call_tool("list_repositories", {})
        forecast.cancel()
        await asyncio.gather(forecast, return_exceptions=True)
        assert not (await client.call_tool("list_repositories", {})).is_error

    asyncio.run(_connected(demo, "stdio", "auto", use))


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
    return {"url": f"{server.url}/mcp", "token": TOKEN} if door == "http" else _command(server)


# Which of the two clients, whether it may do without a handshake, and the version that it then speaks.
_NPM_CLIENTS = {
    "sdk": ("sdk", False, HANDSHAKE[2]),
    "client": ("client", False, HANDSHAKE[2]),
    "client without a handshake": ("client", True, MODERN),
}


@pytest.mark.parametrize("door", _DOORS)
@pytest.mark.parametrize("name", list(_NPM_CLIENTS))
def test_the_clients_from_npm(demo: LiveServer, npm_clients: Path, door: str, name: str) -> None:
    which, is_modern, version = _NPM_CLIENTS[name]
    where = {**_door(demo, door), "modern": is_modern}
    found = _asked(npm_clients, which, where, _QUEUE, _WRONG, _UNKNOWN)

    assert list(TOOLS) == found["tools"], found
    if not (which == "sdk" and door == "stdio"):  # this one does not say it
        assert version == found["version"]
    queue, wrong, unknown = found["results"]
    assert "No problem was found." in queue["content"][0]["text"]
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
        asyncio.run(_connected(demo, "http", "legacy", use, token="made-up"))
    assert str(Forbidden()) in "".join(format_exception(raised.value))


def test_the_command_needs_a_store_or_a_server(tmp_path: Path) -> None:
    ending = mergecast("mcp", data=tmp_path / "nothing")

    assert 1 == ending.code
    assert "there is no store in" in ending.err
