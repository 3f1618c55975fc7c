"""Entries of the activity log in the service's shapes, written as a story that begins at 10:00:00."""

from dataclasses import dataclass, field
from typing import Any

from mergecast.queues.model.instant import format_instant
from sources.github_deliveries import clock, sha


@dataclass
class LogStory:
    """Every method is an entry that the service writes; minutes count from the beginning."""

    items: list[dict[str, Any]] = field(default_factory=list)
    repository: str = "acme-orbit/lander"
    branch: str = "main"

    def _write(self, type: str, minutes: float, number: int, **metadata: Any) -> None:
        self.items.append(
            {
                "id": 81_000_000 + len(self.items),
                "type": f"action.queue.{type}",
                "received_at": format_instant(clock(minutes)),
                "trigger": "merge queue internal",
                "repository": self.repository,
                "pull_request": number,
                "base_ref": self.branch,
                "outcome": "neutral",
                "metadata": {
                    "branch": self.branch,
                    "queue_name": "default",
                    "priority_rule_name": None,
                    **metadata,
                },
            }
        )

    def enter(self, minutes: float, number: int, session: str | None) -> None:
        self._write("enter", minutes, number, session_id=session, queued_at=format_instant(clock(minutes)))

    def start(self, minutes: float, number: int, session: str, batch: str | None, **more: Any) -> None:
        checked = self._checked(more)
        self._write(
            "checks_start", minutes, number, session_id=session, batch_id=batch,
            queued_at=format_instant(clock(0)), speculative_check_pull_request=checked,
        )  # fmt: skip

    def end(
        self,
        minutes: float,
        number: int,
        session: str,
        batch: str | None,
        code: str | None = None,
        **more: Any,
    ) -> None:
        checked = {
            **self._checked(more),
            "checks_started_at": format_instant(clock(more["began"])) if "began" in more else None,
            "checks_ended_at": format_instant(clock(minutes)) if "began" in more else None,
        }
        self._write(
            "checks_end", minutes, number, session_id=session, batch_id=batch, aborted=code is not None,
            abort_code=code, queued_at=format_instant(clock(0)), speculative_check_pull_request=checked,
        )  # fmt: skip

    def _checked(self, more: dict[str, Any]) -> dict[str, Any]:
        checked = {"number": more.get("checked", 9001), "pull_request_numbers": more.get("members", [1])}
        return {**checked, "unsuccessful_checks": more["failed"]} if "failed" in more else checked

    def leave(self, minutes: float, number: int, session: str | None, code: str | None, **more: Any) -> None:
        self._write(
            "leave", minutes, number, session_id=session, dequeue_code=code,
            merged=code in ("PR_MERGED", "PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED"),
            queued_at=format_instant(clock(more.pop("queued", 0))), batch_id=more.pop("batch", None),
            seconds_waiting_for_schedule=0, seconds_waiting_for_freeze=more.pop("freeze", 0),
            pull_request_head_sha=more.pop("head", sha(f"change {number}")), **more,
        )  # fmt: skip

    def merged(self, minutes: float, number: int, session: str) -> None:
        self._write("merged", minutes, number, session_id=session, queued_at=format_instant(clock(0)))

    def bisection(
        self, minutes: float, number: int, session: str, batch: str | None, members: list[int]
    ) -> None:
        common = {"session_id": session, "batch_id": batch, "original_batch_pr_numbers": members}
        self._write("batch_bisection_start", minutes, number, bisection_depth=0, **common)
        self._write(
            "batch_bisection_end", minutes + 10, number, culprit_found=True,
            max_failure_resolution_reached=False, **common,
        )  # fmt: skip

    def depth_changed(self, minutes: float) -> None:
        self._write("change", minutes, 1, size=4)
