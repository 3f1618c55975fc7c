"""A small queue with failures, returns, bisections and reports of checks, as events in wire form."""

from random import Random
from typing import Any

from builders import ended, entered, left, reported, started
from mergecast.queues.model.instant import DAY, MINUTE, SECOND, format_instant

Wire = dict[str, Any]
_NAMES = ("unit", "lint", "build", "e2e")
_OTHER_REASONS = (
    "PR_MANUALLY_DEQUEUED",
    "PULL_REQUEST_UPDATED",
    "CONFLICT_WITH_BASE_BRANCH",
    "MERGE_QUEUE_RESET",
)


class World:
    """Pull requests are tested alone or in pairs; some are broken, and some runs fail by chance."""

    def __init__(self, seed: int, start: int, days: int, slots: int = 16, first: int = 100) -> None:
        self._chance, self._seed = Random(seed), seed
        self.events: list[Wire] = []
        self._batch = 0
        number = first
        for day in range(days):
            for slot in range(slots):
                at = start + day * DAY + slot * (DAY // slots) + self._chance.randrange(MINUTE)
                size = self._chance.choice((1, 1, 2))
                self._test(at, [number + place for place in range(size)], 1)
                number += size

    def _test(self, at: int, pulls: list[int], turn: int) -> None:
        """One batch, from the entries of its pull requests to their exits."""
        self._batch += 1
        batch, chance = f"batch-{self._seed}-{self._batch:04}", self._chance
        sessions = {pull: f"s-{pull}-{turn}-{self._batch}" for pull in pulls}
        commits = {pull: f"{pull:039x}{turn // 2:x}" for pull in pulls}
        begin, end = at + 5 * SECOND, at + 20 * MINUTE + chance.randrange(10 * MINUTE)
        broken = [pull for pull in pulls if pull % 7 == 0 and turn == 1]
        has_failed = bool(broken) or chance.random() < 0.15
        name = _NAMES[pulls[0] % 4] if broken else "e2e"
        for pull, session in sessions.items():
            self._add(entered, at, session, pull, head_sha=commits[pull])
            self._add(started, begin, session, pull, batch, pulls)
            self._add(ended, end, session, pull, batch, "CHECKS_FAILED" if has_failed else "SUCCESS")
        self._report(batch, name, end, has_failed=has_failed)
        for pull, session in sessions.items():
            reason = "PR_MERGED"
            if has_failed:
                reason = "CHECKS_FAILED"
            elif chance.random() < 0.1:
                reason = chance.choice(_OTHER_REASONS)
            self._add(left, end + 3 * SECOND, session, pull, reason)
            if reason != "PR_MERGED" and turn < 3 and chance.random() < 0.6:
                self._test(end + chance.choice((3, 40, 200)) * MINUTE, [pull], turn + 1)

    def _report(self, batch: str, name: str, end: int, *, has_failed: bool) -> None:
        for check in {"unit", name}:
            conclusion = "failure" if has_failed and check == name else "success"
            self._add(reported, end - SECOND, batch, check, conclusion)

    def _add(self, make: Any, at: int, *fields: Any, **more: Any) -> None:
        self.events.append(make(format_instant(at), *fields, **more))
