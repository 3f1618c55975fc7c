"""The tools as a server of the Model Context Protocol; importing this takes most of a second of CPU time."""

import asyncio
from collections.abc import Callable
from typing import Any, Self

import anyio
import mcp_types as types
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError

from mergecast import __version__
from mergecast.tools.asking import Caller, ToolError
from mergecast.tools.every_tool import TOOLS, call
from mergecast.tools.strangers import marked
from mergecast.tools.tool import Tool

_INSTRUCTIONS = (
    "Facts about merge queues: where pull requests stand, why they were removed, flaky checks, forecasts. "
    "All tools only read. Do not poll; do not queue a pull request again against what explain_removal says."
)
_READ_ONLY = types.ToolAnnotations(read_only_hint=True, open_world_hint=False)
Context = Any  # of the SDK: what it knows about a message
CallerOf = Callable[[Context], Caller]


def make_server(caller_of: CallerOf) -> Server[Any]:
    """`caller_of` is whoever sent a message: requests are made with that credential."""

    async def list_tools(_: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return listed

    async def call_tool(context: Context, asked: types.CallToolRequestParams) -> types.CallToolResult:
        tool = TOOLS.get(asked.name)
        if tool is None:
            names = ", ".join(TOOLS)
            message = f"there is no tool {marked(asked.name)}; the tools are {names}"
            raise MCPError(code=types.INVALID_PARAMS, message=message)
        caller = caller_of(context)
        arguments = {**(asked.arguments or {}), **caller.long_arguments}
        try:
            result = await call(tool, arguments, caller.asker)
        except ToolError as error:
            return types.CallToolResult(content=[_text(str(error))], is_error=True)
        return types.CallToolResult(
            content=[_text("\n".join(result.lines))], structured_content=result.content
        )

    listed = types.ListToolsResult(tools=[_described(tool) for tool in TOOLS.values()])
    schemas = {tool.name: tool.input_schema for tool in TOOLS.values()}
    server: Server[Any] = Server(
        "mergecast",
        version=__version__,
        instructions=_INSTRUCTIONS,
        get_tool_input_schema=schemas.get,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    server.middleware.clear()  # it records traces, which nothing collects
    return server


def _text(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=text)


def _described(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output,
        annotations=_READ_ONLY,
    )


class _Unanswered:
    """The ids of requests that wait for their answers."""

    def __init__(self) -> None:
        self._ids: list[object] = []
        self._answered = asyncio.Event()

    def note(self, message: Any) -> None:
        if isinstance(message, types.JSONRPCRequest):
            self._ids.append(message.id)
        elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
            self.drop((message.params or {}).get("requestId"))

    def drop(self, id: object) -> None:
        if id in self._ids:
            self._ids.remove(id)
            self._answered.set()

    async def are_done(self) -> None:
        while self._ids:
            self._answered.clear()
            await self._answered.wait()


class _Stream:
    def __init__(self, stream: Any, unanswered: _Unanswered) -> None:
        self._stream, self._unanswered = stream, unanswered

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


class _Requests(_Stream):
    """Ends when its input has ended and everything is answered."""

    @property
    def last_context(self) -> Any:
        return self._stream.last_context

    async def receive(self) -> Any:
        try:
            item = await self._stream.receive()
        except anyio.EndOfStream:
            await self._unanswered.are_done()
            raise
        self._unanswered.note(getattr(item, "message", None))
        return item

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Any:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None


class _Answers(_Stream):
    async def send(self, item: Any) -> None:
        await self._stream.send(item)
        self._unanswered.drop(getattr(item.message, "id", None))


async def answer_all(server: Server[Any], read: Any, write: Any) -> None:
    """Serve until the input ends and all its requests are answered: the SDK would cancel those under way."""
    unanswered = _Unanswered()
    options = server.create_initialization_options()
    await server.run(_Requests(read, unanswered), _Answers(write, unanswered), options)
