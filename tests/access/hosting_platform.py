"""A fake code-hosting platform on 127.0.0.1 that answers like GitHub."""

import json
from dataclasses import dataclass, field
from threading import Event
from typing import Any

from local_http import Asked, LocalServer, Reply
from waiting import MOST_SECONDS

READER = "ghp_" + "r" * 36
WRITER = "github_pat_" + "w" * 60
STRANGER = "gho_" + "s" * 36
INVALID = "ghu_" + "i" * 36
INSTALLATION = "ghs_12345_eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJnaXRodWIifQ.c2lnbmF0dXJl"

_JSON = {"Content-Type": "application/json; charset=utf-8"}
_NOBODY: dict[str, Any] = {"message": "Bad credentials", "status": "401"}
_NOTHING: dict[str, Any] = {"message": "Not Found", "status": "404"}


def _json(status: int, content: object, **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, json.dumps(content).encode(), {**_JSON, **named})


def described(full_name: str, **permissions: bool) -> dict[str, Any]:
    """Part of GitHub's description of a repository."""
    rights = {"admin": False, "maintain": False, "push": False, "triage": False, "pull": True, **permissions}
    return {"id": 1296269, "name": full_name.partition("/")[2], "full_name": full_name, "private": True,
            "permissions": rights}  # fmt: skip


def _set_event() -> Event:
    event = Event()
    event.set()
    return event


@dataclass
class HostingPlatform:
    """Private repositories, their readers, and the failures that a test requests."""

    url: str = ""
    readable: dict[str, set[str]] = field(default_factory=dict)  # full names by token
    renamed: dict[str, int] = field(default_factory=dict)
    by_number: dict[int, str] = field(default_factory=dict)
    trouble: Reply | None = None
    may_answer: Event = field(default_factory=_set_event)

    def answer(self, asked: Asked) -> Reply:
        self.may_answer.wait(MOST_SECONDS)
        if self.trouble is not None:
            return self.trouble
        token = asked.headers.get("Authorization", "").removeprefix("Bearer ")
        if token not in self.readable:
            return _json(401, _NOBODY)
        if asked.path == "/rate_limit":
            return _json(200, {"rate": {"limit": 5000, "remaining": 4999}})
        return self._repository(asked.path, token)

    def _repository(self, path: str, token: str) -> Reply:
        kind, _, rest = path.removeprefix("/").partition("/")
        if kind == "repositories":
            return self._shown(self.by_number[int(rest)], token)
        if rest.lower() in self.renamed:
            place = f"{self.url}/repositories/{self.renamed[rest.lower()]}"
            return _json(301, {"message": "Moved Permanently", "url": place}, Location=place)
        return self._shown(rest, token)

    def _shown(self, name: str, token: str) -> Reply:
        found = next((one for one in self.readable[token] if one.lower() == name.lower()), None)
        if found is None:
            return _json(404, _NOTHING)
        return _json(200, described(found, push=token == WRITER))


def hosting_platform() -> tuple[HostingPlatform, LocalServer]:
    platform = HostingPlatform(
        readable={
            READER: {"Acme/Widgets"},
            WRITER: {"Acme/Widgets", "acme/gadgets"},
            STRANGER: set(),
            INSTALLATION: {"acme/widgets"},
        }
    )
    server = LocalServer(platform.answer)
    platform.url = server.url
    return platform, server
