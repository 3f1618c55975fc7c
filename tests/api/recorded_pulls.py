"""Recorded pull requests in a repository per test, and a server whose clock the test sets."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from live_server import LiveServer, live_server
from mergecast.queues.model.instant import parse_instant
from scenario_files import document_text, recorded_pull

NOON = parse_instant("2026-11-16T12:00:00Z")  # a Monday

Record = dict[str, Any]


@dataclass
class Clock:
    """The server's current time."""

    instant: int = NOON

    def __call__(self) -> int:
        return self.instant


@dataclass(frozen=True)
class Simulator:
    """A server, and requests about its recorded pull requests."""

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

    def details(self, repository: str, document: str, number: int | None = None) -> Any:
        """What a simulation says, as data."""
        of_one = "" if number is None else f"/pulls/{number}"
        path = f"/v1/repos/{repository}{of_one}/simulator?details=true"
        answer = self.server.http.post(path, json={"config_yml": document})
        assert answer.status_code == 200, answer.text
        return answer.json()["details"]

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
    return document_text(name), recorded_pull(name)


def repository_of(record: Record) -> str:
    name: str = record["pull"]["base"]["repo"]["full_name"]
    return name


def pull(number: int = 7, **fields: Any) -> dict[str, Any]:
    """GitHub's description of a pull request in `acme/engine`, with these fields replaced."""
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
    """A recorded pull request with these parts; the entries of `pull` replace its fields."""
    return {"pull": pull(number, **parts.pop("pull", {})), **parts}


_AT = "2026-11-16T09:00:00Z"
_COMMIT = {
    "sha": "c0ffee",
    "commit": {
        "message": "fixup! the queue",
        "author": {"name": "Ann", "email": "ann@acme.example", "date": _AT},
        "committer": {"name": "Ann", "email": "ann@acme.example", "date": _AT},
        "verification": {"verified": False},
    },
    "parents": [{"sha": "beef"}],
    "author": {"login": "ann"},
}


def rich_record(number: int = 7) -> Record:
    """A recorded pull request with every part present and none empty."""
    people = [{"login": "bob"}]
    return record(
        number,
        pull={
            "body": "Fixes #3\n\nDepends-On: #3",
            "labels": [{"name": "ready"}],
            "assignees": people,
            "requested_reviewers": people,
            "requested_teams": [{"slug": "reviewers"}],
            "milestone": {"title": "v2"},
        },
        recorded_at="2026-11-16T11:00:00Z",
        files=[
            {"filename": "src/queue.py", "status": "modified"},
            {"filename": "docs/queue.md", "status": "added"},
            {"filename": "migrations/1", "status": "removed"},
        ],
        commits=[_COMMIT],
        reviews=[
            {"user": {"login": "carl", "type": "User"}, "state": "APPROVED", "submitted_at": _AT},
            {"user": {"login": "dora", "type": "User"}, "state": "CHANGES_REQUESTED", "submitted_at": _AT},
        ],
        review_threads=[{"is_resolved": True, "author": "carl"}, {"is_resolved": False, "author": "dora"}],
        check_runs=[
            {
                "name": name,
                "status": "completed",
                "conclusion": conclusion,
                "completed_at": _AT,
                "app": {"slug": "github-actions"},
            }
            for name, conclusion in (("build", "success"), ("lint", "failure"))
        ],
        statuses=[{"context": "deploy", "state": "pending", "updated_at": _AT}],
        branch_protection={"required_status_checks": {"strict": True, "contexts": ["build"]}},
        rules=[{"type": "required_linear_history"}],
        teams={"acme/reviewers": ["carl", "octocat"]},
        permissions={"ann": "write", "bob": "read", "carl": "admin", "dora": "write"},
        dependencies={"acme/engine#3": "open"},
        behind=2,
        deployments=[{"environment": "build", "state": "success", "created_at": _AT}],
        review_decision="CHANGES_REQUESTED",
        head_history=[{"sha": "dead", "at": _AT}],
        scopes=["api"],
        dequeue_reason="CHECKS_FAILED",
        queue=None,
    )
