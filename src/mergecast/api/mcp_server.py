"""The SDK of the Model Context Protocol, which is loaded when the first message arrives."""

import asyncio
from collections.abc import Coroutine
from importlib import import_module
from typing import Any

from starlette.types import ASGIApp

from mergecast.errors import NotFound
from mergecast.process.background import Background

# What the SDK reads of a message has whoever sent it under this name in its scope.
CALLER = "mergecast.caller"
_PROTOCOL = "mergecast.api.mcp_protocol"
_MISSING = "this server does not speak MCP: install it with `pip install 'mergecast[mcp]'`"


class McpServer(Background):
    """Keeps the task group of the SDK in one task, which ends with the server."""

    def __init__(self) -> None:
        super().__init__()
        self._started: asyncio.Future[ASGIApp] | None = None

    async def application(self) -> ASGIApp:
        """What answers messages; `NotFound` if the SDK is not installed."""
        if self._started is None:
            self._started = asyncio.get_running_loop().create_future()
            self._begin(self._run(self._started))
        # A client that disconnects meanwhile must not cancel this for others.
        return await asyncio.shield(self._started)

    def begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Let a request run to its end, whatever becomes of the message that it was made for."""
        return self._begin(work)

    async def _run(self, started: "asyncio.Future[ASGIApp]") -> None:
        try:
            # In a thread, because loading it takes most of a second, in which others want answers.
            protocol = await asyncio.to_thread(import_module, _PROTOCOL)
        except ImportError as error:
            is_missing = (error.name or "").partition(".")[0] != "mergecast"
            started.set_exception(NotFound(_MISSING) if is_missing else error)
            return
        async with protocol.running(CALLER) as application:
            started.set_result(application)
            await asyncio.Event().wait()
