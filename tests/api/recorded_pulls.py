"""Recorded pull requests of a repository of the test's own, and a server whose clock the test sets."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from live_server import LiveServer, live_server
from mergecast.model.instant import parse_instant

SCENARIOS = Path(__file__).parents[1] / "scenarios"
NOON = parse_instant("2026-11-16T12:00:00Z")  # a Monday

Record = dict[str, Any]


@dataclass
class Clock:
    """What the server takes for now."""

    instant: int = NOON

    def __call__(self) -> int:
        return self.instant


@dataclass(frozen=True)
class Simulator:
    """A server, and requests about recorded pull requests."""

    server: LiveServer
    clock: Clock = field(default_factory=Clock)

    def record(self, repository: str, record: Record, number: int | None = None) -> httpx.Response:
        path = f"/v1/repos/{repository}/pulls/{number or record['pull']['number']}/snapshot"
        return self.server.http.put(path, json=record)

    def pull_request(
        self, repository: str, number: int, document: str, field: str = "config_yml", **headers: str
    ) -> httpx.Response:
        path = f"/v1/repos/{repository}/pulls/{number}/simulator"
        return self.server.http.post(path, json={field: document}, headers=headers)

    def repository(self, repository: str, document: str, **headers: str) -> httpx.Response:
        path = f"/v1/repos/{repository}/simulator"
        return self.server.http.post(path, json={"config_yml": document}, headers=headers)


@contextmanager
def simulator(folder: Path, **serving: Any) -> Iterator[Simulator]:
    clock = Clock()
    with live_server(folder, now=clock, **serving) as live:
        yield Simulator(live, clock)


def scenario(name: str) -> tuple[str, Record]:
    """The document and the recorded pull request of a scenario."""
    folder = SCENARIOS / name
    record: Record = json.loads((folder / "snapshot.json").read_text(encoding="utf-8"))
    return (folder / "document.yml").read_text(encoding="utf-8"), record


def repository_of(record: Record) -> str:
    name: str = record["pull"]["base"]["repo"]["full_name"]
    return name


def pull(number: int = 7, **fields: Any) -> dict[str, Any]:
    """What the platform says of a pull request of `acme/engine`, with these fields of it."""
    repo = {"id": 1, "name": "engine", "full_name": "acme/engine", "default_branch": "main"}
    repo |= {"owner": {"login": "acme"}}
    return {
        "number": number, "title": "Fix the queue", "body": None, "user": {"login": "ann", "type": "User"},
        "state": "open", "locked": False, "draft": False, "merged": False, "mergeable": True,
        "merged_by": None, "merge_commit_sha": "beef", "base": {"ref": "main", "repo": repo},
        "head": {"ref": "fix", "sha": "c0ffee", "repo": repo}, "milestone": None, "labels": [],
        "assignees": [], "requested_reviewers": [], "requested_teams": [], "changed_files": 1,
        "additions": 10, "deletions": 5, "commits": 1, "created_at": "2026-11-14T12:00:00Z",
        "updated_at": "2026-11-15T12:00:00Z", "closed_at": None, "merged_at": None, **fields,
    }  # fmt: skip


def record(number: int = 7, **parts: Any) -> Record:
    """A recorded pull request with these parts; those of `pull` are changes of its fields."""
    return {"pull": pull(number, **parts.pop("pull", {})), **parts}
