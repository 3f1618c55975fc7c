"""Attacks on the tools for agents: many calls, costly ones, and messages that are none."""

import json
from collections.abc import Callable, Mapping

from soak.scene import RECENT
from soak.target import MIB, Target, in_threads, json_lines, request_head

_AT_ONCE = 10  # forecasts of one key: two more than run at the same time
_CONNECTIONS = 32
_REPOSITORY = RECENT.removeprefix("/v1/repos/")
_TOOLS = (
    "queue_status",
    "what_changed",
    "check_flakiness",
    "explain_removal",
    "list_repositories",
    "no_such",
)


def _message(tool: str, **arguments: object) -> bytes:
    params = {"name": tool, "arguments": arguments}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()


def _sent(target: Target, body: bytes) -> bytes:
    lines = ("Accept: application/json", "Connection: close", *json_lines(len(body)))
    return target.head("POST", "/mcp", *lines) + body


def _in_threads(target: Target, number: int, turn: Callable[[], object]) -> None:
    """Repeat a turn after a first call: that one loads the SDK, which may take longer than an attack."""
    target.ask(_sent(target, _message("list_repositories")))
    in_threads(target, number, turn)


def tool_calls(target: Target) -> None:
    """Calls of every kind, over many connections; some have wrong arguments."""

    def turn() -> None:
        tool = target.chance.choice(_TOOLS)
        asked: dict[str, object] = {} if tool == "list_repositories" else {"repository": _REPOSITORY}
        if tool == "explain_removal":
            asked["number"] = target.chance.choice((7, "7", -1))
        target.ask(_sent(target, _message(tool, **asked)))

    _in_threads(target, _CONNECTIONS, turn)


def tool_forecasts(target: Target) -> None:
    """Ten forecasts at a time, half of them by clients that do not wait for the answer."""

    def turn() -> None:
        settings = {"batch_size": target.chance.randrange(1, 10)}
        sent = _sent(target, _message("forecast_settings", repository=_REPOSITORY, settings=settings))
        if target.chance.random() < 0.5:
            target.ask(sent)
            return
        with target.connect() as connection:
            connection.sendall(sent)
            target.ending.wait(target.chance.random())

    _in_threads(target, _AT_ONCE, turn)


def tool_bodies(target: Target) -> None:
    """Bodies that are large, deep, of the wrong type or no JSON, with and without a credential."""
    document = "x: &a [" + "1, " * 300_000 + "1]"
    bodies = (
        _message("check_configuration", repository=_REPOSITORY, document=document),
        _message("check_configuration", repository=_REPOSITORY, document="x" * (3 * MIB)),
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"[" + b"{}," * 200_000 + b"{}]",
        b"1" * MIB,
        b"\xff" * MIB,
    )

    def turn() -> None:
        body = target.chance.choice(bodies)
        if target.chance.random() < 0.2:
            lines = ("Accept: application/json", "Connection: close", *json_lines(len(body)))
            target.ask(request_head("POST", "/mcp", *lines) + body)
        else:
            target.ask(_sent(target, body))

    _in_threads(target, _AT_ONCE, turn)


TOOL_ATTACKS: Mapping[str, Callable[[Target], None]] = {
    "tool calls": tool_calls,
    "tool forecasts": tool_forecasts,
    "tool bodies": tool_bodies,
}
