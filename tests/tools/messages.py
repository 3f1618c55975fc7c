"""Messages of the Model Context Protocol as plain HTTP requests, in the form of each version."""

from typing import Any

import httpx

from live_server import TOKEN, LiveServer

HANDSHAKE = ("2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"
VERSIONS = (*HANDSHAKE, MODERN)
_ACCEPT = "application/json, text/event-stream"
_META = "io.modelcontextprotocol/"


def message(method: str, version: str = HANDSHAKE[1], **params: Any) -> dict[str, Any]:
    if version == MODERN:
        capabilities = {f"{_META}protocolVersion": version, f"{_META}clientCapabilities": {}}
        params = {**params, "_meta": capabilities}
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def headers_of(sent: dict[str, Any], version: str, token: str | None = TOKEN) -> dict[str, str]:
    headers = {"Accept": _ACCEPT, "MCP-Protocol-Version": version}
    if version == MODERN:
        headers["Mcp-Method"] = sent["method"]
        if "name" in sent["params"]:
            headers["Mcp-Name"] = sent["params"]["name"]
    return headers if token is None else {**headers, "Authorization": f"Bearer {token}"}


def post(
    server: LiveServer,
    method: str,
    *,
    token: str | None = TOKEN,
    version: str = HANDSHAKE[1],
    headers: dict[str, str] | None = None,
    **params: Any,
) -> httpx.Response:
    sent = message(method, version, **params)
    with server.anonymous() as http:
        head = {**headers_of(sent, version, token), **(headers or {})}
        return http.post("/mcp", json=sent, headers=head)


def call(
    server: LiveServer, tool: str, *, token: str = TOKEN, version: str = HANDSHAKE[1], **arguments: Any
) -> Any:
    """The result of a tool; it may be an error that the model reads."""
    answer = post(server, "tools/call", token=token, version=version, name=tool, arguments=arguments)
    assert answer.status_code == 200, answer.text
    return answer.json()["result"]


def text_of(result: Any) -> str:
    ((content),) = result["content"]
    text: str = content["text"]
    return text
