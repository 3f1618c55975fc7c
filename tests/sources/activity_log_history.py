"""A made-up activity log: batches of up to three, retries, failures and people who change their minds."""

from random import Random
from typing import Any
from uuid import UUID

from mergecast.queues.model.instant import HOUR, MINUTE, SECOND, format_instant

_LONGEST_STAY = 2 * HOUR
_MEMBERS = (1, 1, 1, 2, 2, 3)
_LEAVING = ("PR_MANUALLY_DEQUEUED", "PULL_REQUEST_UPDATED", "CONFLICT_WITH_BASE_BRANCH")


class LogWriter:
    def __init__(self, seed: int, repository: str = "acme-orbit/lander") -> None:
        self._random = Random(seed)
        self._repository = repository
        self._written: list[tuple[int, str, int, dict[str, Any]]] = []
        self._number = 1000

    def entries(self, stays: int, end: int) -> list[dict[str, Any]]:
        """The entries of about so many stays that end before an instant, oldest first."""
        now = end - _LONGEST_STAY - stays * 6 * MINUTE
        written = 0
        while written < stays:
            size = self._random.choice(_MEMBERS)
            self._batch(now + written * 6 * MINUTE, size)
            written += size
        self._written.sort(key=lambda entry: entry[0])
        return [
            {
                "id": id, "type": f"action.queue.{type}", "received_at": format_instant(at),
                "trigger": "merge queue internal", "repository": self._repository, "pull_request": number,
                "base_ref": "main", "outcome": "neutral", "metadata": metadata,
            }
            for id, (at, type, number, metadata) in enumerate(self._written, 70_000_000)
        ]  # fmt: skip

    def _uuid(self) -> str:
        return str(UUID(int=self._random.getrandbits(128)))

    def _batch(self, at: int, size: int) -> None:
        random = self._random
        queue = random.choice(("default", "default", "hotfix"))
        priority = random.choice((None, None, "urgent"))
        common = {"branch": "main", "queue_name": queue, "priority_rule_name": priority}
        stays = []
        for _ in range(size):
            self._number += 1
            entered = at + random.randrange(60) * SECOND + random.randrange(1_000_000)
            own = {**common, "queued_at": format_instant(entered), "session_id": self._uuid()}
            self._write(entered, "enter", self._number, own)
            stays.append((self._number, own))
        if random.random() < 0.1:
            self._leave(at + 5 * MINUTE, stays, random.choice(_LEAVING), None)
            return
        batch = self._uuid()
        began = at + 2 * MINUTE
        for attempt in range(1, 4):
            length = random.randrange(300, 1800) * SECOND + random.randrange(1_000_000)
            outcome = random.choices((None, "CHECKS_RETRIED", "CHECKS_FAILED"), (8, 1, 1))[0]
            if attempt == 3 and outcome == "CHECKS_RETRIED":
                outcome = "CHECKS_FAILED"
            self._checks(stays, batch, (began, began + length), self._number * 10 + attempt, outcome)
            began += length + 20 * SECOND
            if outcome != "CHECKS_RETRIED":
                self._leave(began, stays, outcome or "PR_MERGED", batch)
                return

    def _checks(
        self, stays: list[Any], batch: str, span: tuple[int, int], checked: int, outcome: str | None
    ) -> None:
        members = [number for number, _ in stays]
        speculative = {"number": checked, "in_place": False, "pull_request_numbers": members}
        told = {
            **speculative,
            "checks_started_at": format_instant(span[0]),
            "checks_ended_at": format_instant(span[1]),
        }
        for number, own in stays:
            batched = {**own, "batch_id": batch}
            self._write(
                span[0] - 3 * SECOND, "checks_start", number,
                {**batched, "speculative_check_pull_request": speculative},
            )  # fmt: skip
            self._write(
                span[1] + 2 * SECOND, "checks_end", number,
                {**batched, "aborted": outcome is not None, "abort_code": outcome,
                 "abort_status": "DEFINITIVE", "speculative_check_pull_request": told},
            )  # fmt: skip

    def _leave(self, at: int, stays: list[Any], code: str, batch: str | None) -> None:
        for number, own in stays:
            is_merged = code == "PR_MERGED"
            self._write(
                at, "leave", number,
                {**own, "reason": "Prose", "merged": is_merged, "dequeue_code": code, "batch_id": batch,
                 "seconds_waiting_for_schedule": 0, "seconds_waiting_for_freeze": 0},
            )  # fmt: skip
            if is_merged:
                self._write(at, "merged", number, {**own, "merge_commit_sha": "5e0a9d3c"})

    def _write(self, at: int, type: str, number: int, metadata: dict[str, Any]) -> None:
        self._written.append((at, type, number, metadata))
