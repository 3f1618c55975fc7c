"""Random histories of 100 days on each platform: stays of up to two days, and changes long after them."""

from collections.abc import Callable
from random import Random
from typing import Any

from mergecast.queues.model.instant import DAY, MINUTE
from sources.bors_queue import BorsQueue
from sources.github_deliveries import clock, sha
from sources.platforms import ActivityLog, GitHubPlatform, GitLabPlatform, at

NOW = clock(600)
DAYS = 100
_NOW = 600.0  # in minutes, as platforms count
_DAY = 24 * 60.0


class GitHubHistory:
    """Most pull requests are in the queue once or twice. GitHub Actions tests two of three commits."""

    def __init__(
        self, seed: int, platform: GitHubPlatform | None = None, pulls: int = 80, touched: float = 0.3
    ) -> None:
        self._random, self.platform = Random(seed), platform or GitHubPlatform()
        self._commits = 0
        for number in range(1, pulls + 1):
            minutes = _NOW - self._random.uniform(1, DAYS) * _DAY
            for _ in range(self._random.choice((0, 1, 1, 1, 2, 3))):
                minutes = self.stay(number, minutes)
                if minutes > _NOW:
                    break
            if number in self.platform.pulls and self._random.random() < touched:
                self.touch(number, self._random.uniform(minutes, _NOW))

    def stay(self, number: int, minutes: float) -> float:
        """A stay from that minute on; returns a minute after it."""
        draw, platform = self._random, self.platform
        left = minutes + draw.choice((draw.uniform(5, 60), draw.uniform(60, 2 * _DAY)))
        self._commits += 1
        commit = sha(f"group {self._commits}")
        began = max(minutes, left - draw.uniform(3, 300))
        platform.added(number, minutes)
        if draw.random() < 0.66:
            platform.run(number, commit, began, left - 1)
        else:
            platform.checks[commit] = [_check(self._commits, began, left - 1)]
        if draw.random() < 0.5:
            platform.merged(number, left, commit)
        else:
            platform.removed(number, left, "failed_checks", commit)
        return left + draw.choice((draw.uniform(1, 60), draw.uniform(_DAY, 30 * _DAY)))

    def touch(self, number: int, minutes: float) -> None:
        """Someone comments."""
        pull = self.platform.pulls[number]
        pull["updatedAt"] = max(pull["updatedAt"], at(minutes))

    def go_on(self, since: float, until: float) -> None:
        """Old pull requests change, and some are queued again."""
        numbers = list(self.platform.pulls)
        for number in self._random.sample(numbers, 6):
            minutes = self._random.uniform(since, until)
            if self._random.random() < 0.5 and self.platform.pulls[number]["updatedAt"] < at(minutes):
                self.stay_again(number, minutes, until)
            else:
                self.touch(number, minutes)

    def stay_again(self, number: int, since: float, until: float) -> None:
        self.platform.added(number, since)
        self.platform.removed(number, (since + until) / 2, "manual")


def _check(id: int, began: float, ended: float) -> dict[str, Any]:
    return {
        "id": id, "name": "unit", "status": "completed", "conclusion": "success",
        "app": {"slug": "other-ci"}, "started_at": at(began), "completed_at": at(ended),
    }  # fmt: skip


class BorsHistory(GitHubHistory):
    """The same with commands and replies."""

    platform: BorsQueue

    def __init__(self, seed: int) -> None:
        super().__init__(seed, BorsQueue(), pulls=240, touched=0.05)

    def stay(self, number: int, minutes: float) -> float:
        draw, queue = self._random, self.platform
        left = minutes + draw.choice((draw.uniform(5, 60), draw.uniform(60, 2 * _DAY)))
        queue.says(number, minutes, draw.choice(("bors r+", "bors merge", "bors r+ p=1")))
        if draw.random() < 0.3:
            queue.result((minutes + left) / 2, "Build failed (retrying...):", number)
        queue.result(left, draw.choice(("Build succeeded:", "Build failed:")), number)
        return left + draw.choice((draw.uniform(1, 60), draw.uniform(_DAY, 30 * _DAY)))

    def stay_again(self, number: int, since: float, until: float) -> None:
        self.platform.says(number, since, "bors r+")
        self.platform.replies((since + until) / 2, "Canceled.", number)


class GitLabHistory:
    def __init__(self, seed: int, requests: int = 80) -> None:
        self._random, self.platform = Random(seed), GitLabPlatform()
        self._ids = 0
        entered = sorted(_NOW - self._random.uniform(2, DAYS) * _DAY for _ in range(requests))
        for number, minutes in enumerate(entered, 1):
            self.ride(number, minutes)
            if self._random.random() < 0.3:
                self.touch(number, self._random.uniform(_NOW - 80 * _DAY, _NOW))

    def ride(self, number: int, minutes: float) -> None:
        draw, platform = self._random, self.platform
        left = minutes + draw.choice((draw.uniform(5, 60), draw.uniform(60, 2 * _DAY)))
        self._ids += 3
        platform.note(self._ids, number, minutes, "started a merge train")
        platform.pipeline(self._ids, number, minutes + 1, left - 1, "success")
        if draw.random() < 0.6:
            platform.car(self._ids, number, minutes, left)
        else:
            platform.note(self._ids + 1, number, left, "removed this merge request from the merge train")

    def touch(self, number: int, minutes: float) -> None:
        request = self.platform.requests[number]
        request["updated_at"] = max(request["updated_at"], at(minutes))

    def go_on(self, since: float, until: float) -> None:
        for number in self._random.sample(list(self.platform.requests), 6):
            minutes = self._random.uniform(since, until)
            if self._random.random() < 0.5 and self.platform.requests[number]["updated_at"] < at(minutes):
                self.platform.note(10_000 + self._ids, number, minutes, "started a merge train")
                self._ids += 1
            else:
                self.touch(number, minutes)


class LogHistory:
    def __init__(self, seed: int, entries: int = 240) -> None:
        self._random = Random(seed)
        self.platform = ActivityLog()
        instants = sorted(NOW - self._random.randrange(DAYS * DAY) for _ in range(entries))
        for instant in instants:
            self._add((instant - clock(0)) / MINUTE)

    def _add(self, minutes: float) -> None:
        id = len(self.platform.entries) + 1
        entry = {"id": id, "type": "action.queue.enter", "received_at": at(minutes)}
        self.platform.entries.append(entry)

    def go_on(self, since: float, until: float) -> None:
        for minutes in sorted(self._random.uniform(since, until) for _ in range(3)):
            self._add(minutes)


History = GitHubHistory | GitLabHistory | LogHistory
HISTORIES: dict[str, Callable[[int], History]] = {
    "github": GitHubHistory, "activity-log": LogHistory, "gitlab": GitLabHistory, "bors": BorsHistory,
}  # fmt: skip
