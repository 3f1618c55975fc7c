"""Answers messages of the Model Context Protocol with the SDK; only `mcp_server.py` loads this module."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.types import ASGIApp

from mergecast.tools.asking import Asker
from mergecast.tools.protocol import Context, make_server


@asynccontextmanager
async def running(asker_name: str) -> AsyncIterator[ASGIApp]:
    """An application that answers each message by itself, as JSON, with the asker in its scope."""

    def asker_of(context: Context) -> Asker:
        asker: Asker = context.request.scope[asker_name]
        return asker

    manager = StreamableHTTPSessionManager(make_server(asker_of), json_response=True, stateless=True)
    async with manager.run():
        yield manager.handle_request
