"""Small imitations of GitHub, the activity log and GitLab: what they hold, and how they answer."""

from dataclasses import dataclass, field
from hashlib import sha1
from typing import Any
from urllib.parse import unquote, urlencode

from mergecast.queues.model.instant import DAY, format_instant, parse_instant
from sources.faulty_server import Reply, Request
from sources.github_deliveries import clock

_NOT_FOUND = Reply({"message": "Not Found"}, 404)
PAGE = 3  # items on a page, so that few items have many pages


def at(minutes: float) -> str:
    return format_instant(clock(minutes))


@dataclass
class ActivityLog:
    """Newest first, `per_page` at a time, in windows of at most 93 days."""

    repository: str = "acme-orbit/lander"
    entries: list[dict[str, Any]] = field(default_factory=list)
    per_page: int = PAGE

    def __call__(self, request: Request) -> Reply:
        if request.headers.get("Authorization") != "Bearer log-key":
            return Reply({"detail": "no right"}, 403)
        if request.path != f"/v1/repos/{self.repository}/logs":
            return _NOT_FOUND
        since, until = (parse_instant(request.parameter(f"received_{name}")) for name in ("from", "to"))
        if until - since > 93 * DAY or int(request.parameter("per_page")) > 100:
            return Reply({"detail": "the window is too wide"}, 422)
        types = request.query["event_type"]
        found = [
            entry
            for entry in sorted(self.entries, key=lambda entry: -entry["id"])
            if since <= parse_instant(entry["received_at"]) < until and entry["type"] in types
        ]
        skipped = int(request.parameter("cursor", "0"))
        page = found[skipped : skipped + self.per_page]
        headers = {}
        if len(found) > skipped + self.per_page:
            query = urlencode({"cursor": skipped + self.per_page, "per_page": self.per_page})
            headers = {"Link": f'<https://elsewhere.test/logs?{query}>; rel="next"'}
        return Reply({"size": len(page), "per_page": self.per_page, "events": page}, 200, headers)


@dataclass
class GitHubPlatform:
    """One repository with a merge queue for each base branch."""

    repository: str = "acme-orbit/lander"
    id: int = 700_100
    pulls: dict[int, dict[str, Any]] = field(default_factory=dict)
    runs: list[dict[str, Any]] = field(default_factory=list)
    checks: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    statuses: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    jobs: dict[int, list[dict[str, Any]]] = field(default_factory=dict)  # by the id of a run
    rules: list[dict[str, Any]] | None = None  # of all branches; None if the token may not read them
    branch: dict[str, Any] | None = None  # every branch, with its protection
    queues: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: {"main": []})
    configuration: dict[str, Any] | None = None  # of each queue
    workflows: dict[str, str] = field(default_factory=dict)  # the texts of workflow files by name
    inline: list[dict[str, Any]] = field(default_factory=list)  # comments on lines of code
    per_page: int = PAGE
    timeline_page: int = 100

    def event(self, number: int, minutes: float, type: str, base: str = "main", **more: Any) -> None:
        """Something in the timeline of a pull request."""
        pull = self.pulls.setdefault(
            number,
            {
                "number": number, "title": f"Change {number}", "baseRefName": base,
                "url": f"https://github.test/{number}", "author": {"login": "ines"},
                "timelineItems": {"nodes": []},
            },
        )  # fmt: skip
        nodes = pull["timelineItems"]["nodes"]
        id = f"node-{number}-{len(nodes)}"
        nodes.append({"__typename": type, "id": id, "createdAt": at(minutes), **more})
        pull["updatedAt"] = at(minutes)

    def commits(self, number: int, *made: tuple[float, str]) -> None:
        """The commits that a known pull request has now, and the minutes when they were made."""
        nodes = [{"commit": {"oid": oid, "committedDate": at(minutes)}} for minutes, oid in made]
        self.pulls[number]["commits"] = {"nodes": nodes}

    def force_pushed(self, number: int, minutes: float, before: tuple[float, str], after: str) -> None:
        replaced = {"oid": before[1], "committedDate": at(before[0])}
        self.event(
            number, minutes, "HeadRefForcePushedEvent", beforeCommit=replaced, afterCommit={"oid": after}
        )

    def added(self, number: int, minutes: float, base: str = "main") -> None:
        self.event(number, minutes, "AddedToMergeQueueEvent", base)

    def removed(self, number: int, minutes: float, reason: str, commit: str | None = None) -> None:
        before = {"oid": commit} if commit else None
        self.event(number, minutes, "RemovedFromMergeQueueEvent", reason=reason, beforeCommit=before)

    def merged(self, number: int, minutes: float, commit: str) -> None:
        self.removed(number, minutes, "merged", commit)
        actor = {"login": "github-merge-queue[bot]"}
        self.event(number, minutes, "MergedEvent", actor=actor, commit={"oid": commit})

    def run(self, number: int, commit: str, began: float, ended: float, conclusion: str = "success") -> None:
        """A run of a workflow on the group of a pull request."""
        self.runs.append(
            {
                "id": 61_000 + len(self.runs), "run_attempt": 1, "workflow_id": 41, "event": "merge_group",
                "head_branch": f"gh-readonly-queue/main/pr-{number}-{'0' * 40}", "head_sha": commit,
                "status": "completed", "conclusion": conclusion, "created_at": at(began),
                "run_started_at": at(began), "updated_at": at(ended),
            }
        )  # fmt: skip

    def enqueue(
        self,
        number: int,
        minutes: float,
        base: str = "main",
        *,
        group: tuple[str, str, float] | None = None,
        head: str | None = None,
    ) -> None:
        """An entry of the queue; its group is a commit, the one below, and the minute when it was built."""
        pull = {"number": number, "title": f"Change {number}", "url": "", "author": {"login": "ines"}}
        pull["headRefOid"] = head
        entry = {"id": f"E{number}-{minutes}", "enqueuedAt": at(minutes), "pullRequest": pull}
        if group is not None:
            entry["headCommit"] = {"oid": group[0], "committedDate": at(group[2])}
            entry["baseCommit"] = {"oid": group[1]}
        self.queues[base].append({**entry, "position": len(self.queues[base]) + 1})

    def dequeue(self, number: int, base: str = "main") -> None:
        self.queues[base] = [entry for entry in self.queues[base] if entry["pullRequest"]["number"] != number]

    def __call__(self, request: Request) -> Reply:
        if request.headers.get("Authorization") != "Bearer ghp_reader":
            return Reply({"message": "Bad credentials"}, 401)
        if request.path == "/graphql":
            return Reply(self._graphql(request.body["query"], request.body["variables"]))
        place = f"/repos/{self.repository}/"
        if not request.path.startswith(place):
            return _NOT_FOUND
        if request.path == f"{place}pulls/comments":
            return self._inline_comments(request)
        return self._rest(request, request.path.removeprefix(place))

    def _graphql(self, query: str, variables: dict[str, Any]) -> dict[str, Any]:
        if f"{variables['owner']}/{variables['name']}" != self.repository:
            message = "Could not resolve to a Repository with the name 'acme/none'."
            return {"data": {"repository": None}, "errors": [{"type": "NOT_FOUND", "message": message}]}
        if "Identity" in query:
            found = {"databaseId": self.id, "nameWithOwner": self.repository}
        elif "WorkflowFiles" in query:
            found = self._workflow_files(variables)
        elif "QueueSnapshot" in query:
            found = self._queue(variables["branch"])
        elif "QueueHistoryOfOne" in query:
            pull = self.pulls.get(variables["number"])
            found = {"pullRequest": None if pull is None else self._with_page(pull, variables["before"])}
        else:
            found = {"pullRequests": self._page(variables["after"])}
        return {"data": {"repository": found}}

    def _workflow_files(self, variables: dict[str, Any]) -> dict[str, Any]:
        if not self.workflows:
            return {"ref": {"target": {"oid": "c" * 40}}, "object": None}
        digest = sha1(repr(sorted(self.workflows.items())).encode()).hexdigest()
        entries = [{"name": name, "object": {"text": text}} for name, text in self.workflows.items()]
        tree = {"oid": digest, **({"entries": entries} if variables["texts"] else {})}
        return {"ref": {"target": {"oid": digest}}, "object": tree}

    def _page(self, after: str | None) -> dict[str, Any]:
        newest = sorted(self.pulls.values(), key=lambda pull: pull["updatedAt"], reverse=True)
        skipped = int(after or 0)
        info = {
            "hasNextPage": len(newest) > skipped + self.per_page,
            "endCursor": str(skipped + self.per_page),
        }
        page = newest[skipped : skipped + self.per_page]
        return {"pageInfo": info, "nodes": [self._with_page(pull, None) for pull in page]}

    def _with_page(self, pull: dict[str, Any], before: str | None) -> dict[str, Any]:
        """The newest part of the timeline, or the part before a cursor."""
        nodes = pull["timelineItems"]["nodes"]
        end = len(nodes) if before is None else int(before)
        start = max(0, end - self.timeline_page)
        info = {"hasPreviousPage": start > 0, "startCursor": str(start)}
        return {**pull, "timelineItems": {"pageInfo": info, "nodes": nodes[start:end]}}

    def _queue(self, branch: str | None) -> dict[str, Any]:
        entries = self.queues.get(branch or "main")
        connection = {"pageInfo": {"hasNextPage": False}, "nodes": entries}
        queue = None if entries is None else {"entries": connection, "configuration": self.configuration}
        return {"defaultBranchRef": {"name": "main"}, "mergeQueue": queue}

    def _inline_comments(self, request: Request) -> Reply:
        newest = sorted(self.inline, key=lambda one: one["created_at"], reverse=True)
        skipped = int(request.parameter("page", "0"))
        more = skipped + self.per_page
        return self._linked(request, newest[skipped:more], more if len(newest) > more else None)

    def _rest(self, request: Request, path: str) -> Reply:
        if path == "actions/runs":
            since, until = map(parse_instant, request.parameter("created").split(".."))
            found = [run for run in self.runs if since <= parse_instant(run["created_at"]) <= until]
            skipped = int(request.parameter("page", "0"))
            page = {"total_count": len(found), "workflow_runs": found[skipped : skipped + self.per_page]}
            return self._tagged(
                request, page, skipped + self.per_page if len(found) > skipped + self.per_page else None
            )
        if path.startswith("actions/runs/"):
            found = self.jobs.get(int(path.split("/")[2]), [])
            return self._tagged(request, {"total_count": len(found), "jobs": found}, None)
        if path.startswith("rules/branches/") and self.rules is not None:
            return Reply(self.rules)
        if path.startswith("branches/") and self.branch is not None:
            return Reply(self.branch)
        _, _, rest = path.partition("commits/")
        commit, _, what = rest.partition("/")
        if what == "check-runs":
            found = self.checks.get(commit, [])
            return Reply({"total_count": len(found), "check_runs": found})
        return Reply(self.statuses.get(commit, [])) if what == "statuses" else _NOT_FOUND

    def _tagged(self, request: Request, value: Any, following: int | None) -> Reply:
        tag = f'"{hash(str(value))}"'
        if request.headers.get("If-None-Match") == tag:
            return Reply(None, 304)
        reply = self._linked(request, value, following, created=request.parameter("created", ""))
        return Reply(value, 200, {"ETag": tag, **reply.headers})

    def _linked(self, request: Request, value: Any, following: int | None, **more: str) -> Reply:
        """A page of a list, with a link to the next one."""
        if following is None:
            return Reply(value)
        address = f"http://{request.headers['Host']}{request.path}?{urlencode({**more, 'page': following})}"
        return Reply(value, 200, {"Link": f'<{address}>; rel="next"'})


@dataclass
class GitLabPlatform:
    """One project with merge trains."""

    project: str = "orbit/space/lander"
    requests: dict[int, dict[str, Any]] = field(default_factory=dict)
    cars: list[dict[str, Any]] = field(default_factory=list)
    notes: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    pipelines: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    jobs: dict[int, list[dict[str, Any]]] = field(default_factory=dict)  # by the id of a pipeline

    def changed(self, number: int, minutes: float) -> None:
        known = self.requests.get(number, {})
        self.requests[number] = {**known, "iid": number, "target_branch": "main", "updated_at": at(minutes)}

    def car(self, id: int, number: int, entered: float, merged: float | None = None) -> None:
        self.changed(number, entered if merged is None else merged)
        self.cars.append(
            {
                "id": id, "merge_request": {"iid": number, "title": f"Change {number}"},
                "created_at": at(entered), "updated_at": at(entered if merged is None else merged),
                "target_branch": "main", "status": "fresh" if merged is None else "merged",
                "merged_at": None if merged is None else at(merged),
            }
        )  # fmt: skip

    def note(self, id: int, number: int, minutes: float, body: str) -> None:
        self.changed(number, minutes)
        note = {"id": id, "system": True, "body": body, "created_at": at(minutes)}
        self.notes.setdefault(number, []).append(note)

    def pipeline(self, id: int, number: int, began: float, ended: float, status: str) -> None:
        self.pipelines.setdefault(number, []).append(
            {
                "id": id, "ref": f"refs/merge-requests/{number}/train", "status": status,
                "created_at": at(began), "updated_at": at(ended),
            }
        )  # fmt: skip

    def __call__(self, request: Request) -> Reply:
        if request.headers.get("PRIVATE-TOKEN") != "glpat-reader":
            return Reply({"message": "401 Unauthorized"}, 401)
        root = "/api/v4/projects/"
        project, _, rest = request.path.removeprefix(root).partition("/")
        if not request.path.startswith(root) or unquote(project) != self.project:
            return _NOT_FOUND
        found = self._list(request, rest)
        return _NOT_FOUND if found is None else self._paged(request, found)

    def _list(self, request: Request, path: str) -> list[dict[str, Any]] | None:
        if path == "merge_trains":
            is_active = request.parameter("scope") == "active"
            cars = [car for car in self.cars if not is_active or car["merged_at"] is None]
            return sorted(cars, key=lambda car: -car["id"])
        if path == "merge_requests":
            since, until = request.parameter("updated_after"), request.parameter("updated_before")
            found = [one for one in self.requests.values() if since <= one["updated_at"] <= until]
            return sorted(found, key=lambda one: one["updated_at"], reverse=True)
        if path == "pipelines":
            return [one for pipelines in self.pipelines.values() for one in pipelines]
        _, number, what = path.split("/")
        if what == "jobs":
            return self.jobs.get(int(number))
        if int(number) not in self.requests:
            return None
        return (self.notes if what == "notes" else self.pipelines).get(int(number), [])

    def _paged(self, request: Request, items: list[dict[str, Any]]) -> Reply:
        page = int(request.parameter("page", "1"))
        following = str(page + 1) if len(items) > page * PAGE else ""
        return Reply(items[(page - 1) * PAGE : page * PAGE], 200, {"X-Next-Page": following})
