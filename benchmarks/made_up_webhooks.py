"""Made-up webhooks of a monorepo's merge queue, as long as GitHub's."""

import hmac
import json
from collections.abc import Iterator
from hashlib import sha1, sha256
from typing import Any, NamedTuple

from mergecast.queues.model.instant import MINUTE, SECOND, format_instant

SECRET = "a-secret-for-benchmarks"
_HOST = "https://api.hosting.test/repos/acme/monorepo"
_PARTS = (
    "forks", "keys", "collaborators", "teams", "hooks", "issue_events", "events", "assignees", "branches",
    "tags", "blobs", "git_tags", "git_refs", "trees", "statuses", "languages", "stargazers", "contributors",
    "subscribers", "subscription", "commits", "git_commits", "comments", "issue_comment", "contents",
    "compare", "merges", "archive", "downloads", "issues", "pulls", "milestones", "notifications", "labels",
    "releases", "deployments",
)  # fmt: skip
_REPOSITORY: dict[str, Any] = {
    "id": 4100,
    "full_name": "acme/monorepo",
    "default_branch": "main",
    "description": "Everything that is built here. " * 8,
    **{f"{part}_url": f"{_HOST}/{part}{{/sha}}" for part in _PARTS},
    **{f"has_{part}": True for part in _PARTS},
    "topics": list(_PARTS),
}
_ACCOUNTS = ("app", "owner", "sender", "organization", "installation")


class Webhook(NamedTuple):
    event: str
    guid: str
    at: int
    body: bytes

    @property
    def headers(self) -> dict[str, str]:
        return {
            "Content-Type": "application/json",
            "X-GitHub-Event": self.event,
            "X-GitHub-Delivery": self.guid,
            "X-Hub-Signature-256": f"sha256={hmac.new(SECRET.encode(), self.body, sha256).hexdigest()}",
        }


def one_stay(number: int, at: int, checks: int) -> Iterator[Webhook]:
    """Everything that is sent about a pull request that enters, is tested and merges."""
    sha, base = _sha(f"group {number}"), _sha(f"group {number - 1}")
    branch = f"gh-readonly-queue/main/pr-{number}-{base}"
    yield _pull(number, at, "enqueued")
    group = {
        "head_sha": sha,
        "base_sha": base,
        "base_ref": "refs/heads/main",
        "head_ref": f"refs/heads/{branch}",
    }
    commit = {"head_commit": {"id": sha, "timestamp": format_instant(at), "message": f"Change {number}"}}
    yield _webhook("merge_group", at, {"action": "checks_requested", "merge_group": {**group, **commit}})
    for place in range(checks):
        yield _check(number * 1000 + place, at + (2 * place) * SECOND, sha, branch, is_done=False)
    for place in range(checks):
        ended_at = at + 10 * MINUTE + 3 * place * SECOND
        yield _check(number * 1000 + place, ended_at, sha, branch, is_done=True)
    end = at + 20 * MINUTE
    yield _pull(number, end, "dequeued", reason="MERGE")
    yield _pull(number, end, "closed")
    yield _webhook(
        "merge_group", end, {"action": "destroyed", "reason": "merged", "merge_group": {**group, **commit}}
    )


def _check(id: int, at: int, sha: str, branch: str, *, is_done: bool) -> Webhook:
    number, place = divmod(id, 1000)
    run = {
        "id": id,
        "name": f"build / job {place} of the matrix (linux, x86_64)",
        "head_sha": sha,
        "status": "completed" if is_done else "queued",
        "conclusion": "success" if is_done else None,
        "started_at": format_instant(at - 60 * SECOND),
        "completed_at": format_instant(at) if is_done else None,
        "external_id": sha256(str(id).encode()).hexdigest(),
        "details_url": f"{_HOST}/actions/runs/{number}/job/{id}",
        "url": f"{_HOST}/check-runs/{id}",
        "output": {"title": None, "summary": None, "annotations_url": f"{_HOST}/check-runs/{id}/annotations"},
        "check_suite": {
            "id": number,
            "head_branch": branch,
            "head_sha": sha,
            "before": sha,
            "after": sha,
            "app": _account("app"),
        },
        "app": {**_account("app"), "slug": "ci", "permissions": dict.fromkeys(_PARTS, "write")},
    }
    return _webhook("check_run", at, {"action": "completed" if is_done else "created", "check_run": run})


def _pull(number: int, at: int, action: str, **more: Any) -> Webhook:
    is_closed = action == "closed"
    pull = {
        "number": number,
        "title": f"Change {number} of the monorepo",
        "html_url": f"https://hosting.test/acme/monorepo/pull/{number}",
        "user": {**_account("author"), "login": f"author-{number % 40}"},
        "body": f"What changes, and why: {_sha(str(number))} " * 20,
        "updated_at": format_instant(at),
        "merged": is_closed,
        "merged_at": format_instant(at) if is_closed else None,
        "merged_by": {"login": "github-merge-queue[bot]"},
        "base": {"ref": "main", "repo": _REPOSITORY},
        "head": {"ref": f"branch-{number}", "sha": _sha(f"head {number}"), "repo": _REPOSITORY},
    }
    return _webhook("pull_request", at, {"action": action, "number": number, "pull_request": pull, **more})


def _webhook(event: str, at: int, payload: dict[str, Any]) -> Webhook:
    body = {**payload, "repository": _REPOSITORY, **{name: _account(name) for name in _ACCOUNTS[1:]}}
    encoded = json.dumps(body).encode()
    digest = sha256(encoded).hexdigest()
    return Webhook(
        event, f"{digest[:8]}-{digest[8:12]}-{digest[12:16]}-{digest[16:32]}", at + SECOND, encoded
    )


def _account(name: str) -> dict[str, Any]:
    place = f"https://api.hosting.test/users/{name}"
    return {"login": name, "id": 7, **{f"{part}_url": f"{place}/{part}" for part in _PARTS[:12]}}


def _sha(text: str) -> str:
    return sha1(text.encode()).hexdigest()
