"""Webhook deliveries in GitHub's shapes, written as a story that begins at 10:00:00."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha1
from typing import Any, NamedTuple

from mergecast.queues.model.instant import SECOND, format_instant, parse_instant

START = parse_instant("2026-09-14T10:00:00Z")
QUEUE_ACCOUNT = "github-merge-queue[bot]"


class Delivery(NamedTuple):
    event: str
    id: str
    received_at: int
    body: bytes


def sha(name: str) -> str:
    return sha1(name.encode()).hexdigest()


def clock(minutes: float) -> int:
    return START + round(minutes * 60) * SECOND


@dataclass
class Story:
    """Every method is something GitHub sends; minutes count from the beginning of the story."""

    repository: str = "acme-orbit/lander"
    lag: int = 1  # seconds from what happened to its delivery
    deliveries: list[Delivery] = field(default_factory=list)
    heads: dict[int, str] = field(default_factory=dict)  # the last commit of each pull request, after a push

    def head(self, number: int) -> str:
        return sha(self.heads.get(number, f"change {number}"))

    def _send(self, event: str, minutes: float, payload: dict[str, Any], sender: str = QUEUE_ACCOUNT) -> None:
        body = {
            **payload,
            "repository": {
                "id": 700100,
                "full_name": self.repository,
                "default_branch": "main",
                **({"pushed_at": clock(minutes) // SECOND} if event == "push" else {}),
            },
            "sender": {"login": sender, "type": "User"},
        }
        id = f"delivery-{len(self.deliveries) + 1:03}"
        received_at = clock(minutes) + self.lag * SECOND
        self.deliveries.append(Delivery(event, id, received_at, json.dumps(body).encode()))

    def _pull(self, number: int, minutes: float, base: str, **more: Any) -> dict[str, Any]:
        return {
            "number": number,
            "title": f"Change {number}",
            "user": {"login": "ines"},
            "state": "open",
            "merged": False,
            "updated_at": format_instant(clock(minutes)),
            "base": {"ref": base},
            "head": {"sha": self.head(number)},
            **more,
        }

    def pushed_to(self, minutes: float, number: int, head: str) -> None:
        """Someone pushes to the branch of a pull request."""
        before = self.head(number)
        self.heads[number] = head
        pull = self._pull(number, minutes, "main")
        payload = {"action": "synchronize", "before": before, "after": self.head(number), "number": number}
        self._send("pull_request", minutes, {**payload, "pull_request": pull}, "ines")

    def enqueued(self, minutes: float, number: int, base: str = "main") -> None:
        pull = self._pull(number, minutes, base)
        self._send(
            "pull_request", minutes, {"action": "enqueued", "number": number, "pull_request": pull}, "ines"
        )

    def dequeued(self, minutes: float, number: int, reason: str, base: str = "main") -> None:
        pull = self._pull(number, minutes, base)
        payload = {"action": "dequeued", "number": number, "reason": reason, "pull_request": pull}
        self._send("pull_request", minutes, payload)

    def closed(
        self, minutes: float, number: int, merged_by: str | None = QUEUE_ACCOUNT, base: str = "main"
    ) -> None:
        instant = format_instant(clock(minutes))
        ending = {
            "state": "closed",
            "merged": merged_by is not None,
            "merged_at": instant if merged_by else None,
            "closed_at": instant,
            "merged_by": {"login": merged_by} if merged_by else None,
        }
        pull = self._pull(number, minutes, base, **ending)
        self._send("pull_request", minutes, {"action": "closed", "number": number, "pull_request": pull})

    def merged(self, minutes: float, number: int, base: str = "main") -> None:
        """A merge as GitHub reports it: left, closed, and the group destroyed."""
        self.dequeued(minutes, number, "MERGE", base)
        self.closed(minutes, number, base=base)

    def group(self, minutes: float, number: int, head: str, on: str = "base", base: str = "main") -> None:
        self._send(
            "merge_group", minutes, self._group("checks_requested", minutes, number, head, on=on, base=base)
        )

    def destroyed(
        self, minutes: float, number: int, head: str, reason: str, on: str = "base", *, base: str = "main"
    ) -> None:
        payload = self._group("destroyed", minutes, number, head, on=on, base=base)
        self._send("merge_group", minutes, {**payload, "reason": reason})

    def _group(
        self, action: str, minutes: float, number: int, head: str, *, on: str, base: str
    ) -> dict[str, Any]:
        group = {
            "head_sha": sha(head),
            "head_ref": f"refs/heads/{self._branch(number, on, base)}",
            "base_sha": sha(on),
            "base_ref": f"refs/heads/{base}",
            "head_commit": {"id": sha(head), "timestamp": format_instant(clock(minutes))},
        }
        return {"action": action, "merge_group": group}

    def queue_branch(self, number: int, on: str) -> str:
        return self._branch(number, on, "main")

    def _branch(self, number: int, on: str, base: str) -> str:
        return f"gh-readonly-queue/{base}/pr-{number}-{sha(on)}"

    def check(
        self,
        minutes: float,
        number: int,
        head: str,
        conclusion: str | None,
        *,
        began: float,
        run: int = 1,
        suite: int = 1,
        on: str = "base",
        base: str = "main",
        **more: Any,
    ) -> None:
        check = {
            "id": run,
            "name": "unit-tests",
            "head_sha": sha(head),
            "status": "completed",
            "conclusion": conclusion,
            "started_at": format_instant(clock(began)),
            "completed_at": format_instant(clock(minutes)),
            "app": {"slug": "ci"},
            "check_suite": {"id": suite, "head_branch": self._branch(number, on, base)},
            "pull_requests": [],
            **more,
        }
        self._send("check_run", minutes, {"action": "completed", "check_run": check})

    def check_requested(self, minutes: float, number: int, head: str, *, run: int = 1, **more: Any) -> None:
        """A check that waits for a machine: GitHub says that it started when it was requested."""
        requested = {"status": "queued", "completed_at": None, **more}
        self.check(minutes, number, head, None, began=minutes, run=run, **requested)

    def job(
        self,
        minutes: float,
        number: int,
        head: str,
        conclusion: str,
        *,
        queued: float,
        began: float,
        run: int = 1,
        on: str = "base",
        **more: Any,
    ) -> None:
        """The job of a workflow that a check run with the same id is about."""
        job = {
            "id": run,
            "name": "unit-tests",
            "workflow_name": "ci",
            "head_branch": self.queue_branch(number, on),
            "head_sha": sha(head),
            "status": "completed",
            "conclusion": conclusion,
            "created_at": format_instant(clock(queued)),
            "started_at": format_instant(clock(began)),
            "completed_at": format_instant(clock(minutes)),
            "html_url": f"https://hosting.example/jobs/{run}",
            "labels": ["self-hosted", "linux-x64-16"],
            **more,
        }
        self._send("workflow_job", minutes, {"action": "completed", "workflow_job": job})

    def suite(
        self,
        minutes: float,
        number: int,
        head: str,
        conclusion: str | None,
        *,
        began: float,
        on: str = "base",
    ) -> None:
        suite = {
            "id": 7701,
            "head_branch": self._branch(number, on, "main"),
            "head_sha": sha(head),
            "status": "completed" if conclusion else "queued",
            "conclusion": conclusion,
            "created_at": format_instant(clock(began)),
            "updated_at": format_instant(clock(minutes)),
        }
        action = "completed" if conclusion else "requested"
        self._send("check_suite", minutes, {"action": action, "check_suite": suite})

    def workflow(
        self,
        minutes: float,
        number: int,
        head: str,
        conclusion: str | None,
        *,
        began: float,
        attempt: int = 1,
        created: float | None = None,
        on: str = "base",
    ) -> None:
        run = {
            "id": 61002,
            "run_attempt": attempt,
            "workflow_id": 41,
            "event": "merge_group",
            "head_branch": self._branch(number, on, "main"),
            "head_sha": sha(head),
            "status": "completed" if conclusion else "in_progress",
            "conclusion": conclusion,
            "created_at": format_instant(clock(began if created is None else created)),
            "run_started_at": format_instant(clock(began)),
            "updated_at": format_instant(clock(minutes)),
        }
        self._send(
            "workflow_run",
            minutes,
            {"action": "completed" if conclusion else "in_progress", "workflow_run": run},
        )

    def status(
        self,
        minutes: float,
        number: int,
        head: str,
        state: str,
        id: int,
        *,
        on: str = "base",
        branches: Sequence[tuple[str, str]] | None = None,
    ) -> None:
        """The branches that contain the commit are given with their heads; otherwise only the group's own."""
        if branches is None:
            branches = [(self.queue_branch(number, on), head)]
        payload = {
            "id": id,
            "sha": sha(head),
            "context": "farm/hardware",
            "state": state,
            "created_at": format_instant(clock(minutes)),
            "branches": [{"name": name, "commit": {"sha": sha(at)}} for name, at in branches],
        }
        self._send("status", minutes, payload)

    def branch_created(self, minutes: float, number: int, head: str, *, built: float) -> None:
        commit = {"id": sha(head), "timestamp": format_instant(clock(built))}
        self._push_to_queue_branch(minutes, number, "0" * 40, sha(head), head_commit=commit)

    def branch_deleted(self, minutes: float, number: int, head: str) -> None:
        self._push_to_queue_branch(minutes, number, sha(head), "0" * 40, deleted=True)

    def _push_to_queue_branch(
        self, minutes: float, number: int, before: str, after: str, **more: object
    ) -> None:
        ref = f"refs/heads/{self._branch(number, 'base', 'main')}"
        self._send("push", minutes, {"ref": ref, "before": before, "after": after, **more})

    def pushed(self, minutes: float, by: str, base: str = "main") -> None:
        payload = {"ref": f"refs/heads/{base}", "before": sha("a"), "after": sha("b"), "deleted": False}
        self._send("push", minutes, {**payload, "pusher": {"name": by}}, sender=by)
