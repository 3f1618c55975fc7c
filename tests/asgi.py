"""Requests to an application without a server."""

from typing import Any, NamedTuple

from starlette.types import ASGIApp

from mergecast.api.openapi.operation import Operation

UNDESCRIBED = Operation("Service", "", {})  # for a route that only a test has


class Answer(NamedTuple):
    status: int
    headers: dict[bytes, bytes]
    body: bytes


async def ask(application: ASGIApp, method: str, path: str, token: str) -> Answer:
    headers = [(b"authorization", f"Bearer {token}".encode())]
    scope = {"type": "http", "method": method, "path": path, "raw_path": path.encode(), "headers": headers,
             "query_string": b"", "client": ("127.0.0.1", 1)}  # fmt: skip
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b""}

    async def send(message: Any) -> None:
        sent.append(message)

    await application(scope, receive, send)
    body = b"".join(message.get("body", b"") for message in sent[1:])
    return Answer(sent[0]["status"], dict(sent[0]["headers"]), body)
