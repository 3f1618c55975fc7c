"""`mergecast mcp`: tools for an agent that starts this command, by the Model Context Protocol."""

from typing import TYPE_CHECKING

from mergecast.cli.connection import connect
from mergecast.cli.errors import WrongUsage
from mergecast.cli.options import Server

if TYPE_CHECKING:
    from mergecast.client.client import Client, ConcurrentClient
    from mergecast.tools.asking import Asked, Asker, Replied


def mcp(server: Server) -> None:
    """How can my agent ask? Starts an MCP server on stdin and stdout.

    An agent starts this command, and speaks the Model Context Protocol with it.

    Example: mergecast mcp
    """
    import asyncio

    try:
        import mcp.server.stdio  # noqa: F401 - whether it is installed
    except ModuleNotFoundError as error:
        missing = (error.name or "mcp").partition(".")[0]
        raise WrongUsage(
            f"this needs the extra `mcp`, which is not installed ({missing} is missing): "
            "install it with `pip install 'mergecast[mcp]'`"
        ) from None
    with connect(*server, quiet=True) as client:
        asyncio.run(_serve(client))


async def _serve(client: "Client") -> None:
    from mcp.server.stdio import stdio_server

    from mergecast.client.client import ConcurrentClient
    from mergecast.tools.asking import Caller
    from mergecast.tools.protocol import answer_all, make_server

    concurrent = ConcurrentClient(client)
    caller = Caller(_asker(concurrent))
    protocol = make_server(lambda _: caller)
    try:
        async with stdio_server() as (read, write):
            await answer_all(protocol, read, write)
    finally:
        await concurrent.close()


def _asker(client: "ConcurrentClient") -> "Asker":
    from mergecast.process.clock import now_in_microseconds
    from mergecast.tools.asking import Asker, Replied

    async def send(asked: "Asked") -> "Replied":
        found = await client.request(asked.method, asked.path, asked.query, asked.body)
        seconds = int(found.retry_after) if found.retry_after.isdigit() else None
        return Replied(found.status, found.content, seconds)

    return Asker(send, now_in_microseconds)
