"""Webhooks as GitHub sends them, signed, over a real socket."""

import hmac
import json
from hashlib import sha256
from typing import Any

import httpx

from live_server import LiveServer

HOOK = "/v1/hooks/github"


def signed_headers(event: str, guid: str, body: bytes, secret: str) -> dict[str, str]:
    return {
        "Content-Type": "application/json",
        "X-GitHub-Event": event,
        "X-GitHub-Delivery": guid,
        "X-Hub-Signature-256": f"sha256={hmac.new(secret.encode(), body, sha256).hexdigest()}",
    }


def post_webhook(
    server: LiveServer, event: str, payload: dict[str, Any], secret: str, guid: str | None = None
) -> httpx.Response:
    """Sends a payload; without an id, the id follows from the payload."""
    body = json.dumps(payload).encode()
    headers = signed_headers(event, guid or sha256(body).hexdigest(), body, secret)
    with server.anonymous() as http:
        return http.post(HOOK, content=body, headers=headers)
