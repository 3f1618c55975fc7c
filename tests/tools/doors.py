"""The two doors to the tools, for the client of the SDK: HTTP, and the command that an agent starts."""

import sys
from collections.abc import Awaitable, Callable
from typing import Any

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

DOORS = ("http", "stdio")


def command(url: str, token: str) -> dict[str, Any]:
    environment = {"MERGECAST_URL": url, "MERGECAST_TOKEN": token}
    return {"command": sys.executable, "args": ["-I", "-m", "mergecast", "mcp"], "env": environment}


async def connected(
    url: str, token: str, door: str, mode: str, use: Callable[[Client], Awaitable[None]]
) -> None:
    if door == "stdio":
        async with Client(StdioServerParameters(**command(url, token)), mode=mode) as client:
            await use(client)
        return
    async with (
        create_mcp_http_client(headers={"Authorization": f"Bearer {token}"}) as http,
        Client(streamable_http_client(f"{url}/mcp", http_client=http), mode=mode) as client,
    ):
        await use(client)
