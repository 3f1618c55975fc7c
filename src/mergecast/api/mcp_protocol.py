"""Answers messages of the Model Context Protocol with the SDK; only `mcp_server.py` loads this module."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.types import ASGIApp

from mergecast.tools.asking import Caller
from mergecast.tools.protocol import Context, make_server


@asynccontextmanager
async def running(caller_name: str) -> AsyncIterator[ASGIApp]:
    """An application that answers each message by itself, as JSON, with the caller in its scope."""

    def caller_of(context: Context) -> Caller:
        caller: Caller = context.request.scope[caller_name]
        return caller

    manager = StreamableHTTPSessionManager(make_server(caller_of), json_response=True, stateless=True)
    async with manager.run():
        yield manager.handle_request
