"""Random merge queues: what GitHub sends about them, and the events that follow from its reference.

At most two groups are tested at a time. When a pull request leaves, the groups behind it are void, and are
built again as soon as there is room.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from mergecast.queues.model.event import CHECKS_ENDED, CHECKS_STARTED, QUEUE_ENTERED, QUEUE_LEFT
from sources.github_deliveries import QUEUE_ACCOUNT, Story

_TESTED_AT_ONCE = 2
_STEPS = 30
_PASSED = ("success", "neutral", "skipped")
_CI = ("check", "status", "suite", "workflow")
# GitHub's reason for an exit, and ours.
_EXITS = {
    "CI_FAILURE": "CHECKS_FAILED",
    "CI_TIMEOUT": "CHECKS_TIMEOUT",
    "MANUAL": "PR_MANUALLY_DEQUEUED",
    "BRANCH_PROTECTIONS": "INCOMPATIBILITY_WITH_BRANCH_PROTECTIONS",
    "UNKNOWN_REMOVAL_REASON": "UNKNOWN",
}
_CONFLICT = "MERGE_CONFLICT"


class Expected(NamedTuple):
    """An event; `head` names the tested group."""

    number: int
    minutes: float
    type: str
    head: str | None = None
    outcome: str | None = None
    commit: str | None = None  # of the pull request, when it enters or leaves


@dataclass
class _Group:
    number: int
    head: str
    on: str
    is_behind_another: bool
    begins: float
    ends: float
    conclusion: str
    is_running: bool = False
    is_tested: bool = False

    @property
    def has_passed(self) -> bool:
        return self.is_tested and self.conclusion in _PASSED


@dataclass
class _Entry:
    number: int
    group: _Group | None = None
    last_head: str | None = None


class GeneratedQueue:
    """One queue of up to five pull requests, told as a story."""

    def __init__(self, seed: int) -> None:
        self._random, self._pushes = Random(seed), Random(-seed)
        self.story, self.expected = Story(), list[Expected]()
        self._ci = self._random.choice(_CI)
        self._stays_left = {number: self._random.randint(1, 3) for number in range(1, 6)}
        self._queue: list[_Entry] = []
        self._base, self._commits, self._runs = "base", 0, 0
        self._now = 0.0
        for _ in range(_STEPS):
            self._step()

    def _step(self) -> None:
        draw = self._random
        self._now = _at(
            self._now + draw.choice([draw.uniform(0.5, 1.5), draw.uniform(1, 6), draw.uniform(5, 40)])
        )
        self._test()
        waiting = [one for one, left in self._stays_left.items() if left and not self._is_queued(one)]
        failed = [
            one for one in self._queue if one.group and one.group.is_tested and not one.group.has_passed
        ]
        if self._pushes.random() < 0.2:  # also to one that is queued
            self.story.pushed_to(self._now, self._pushes.randint(1, 5), f"push at {self._now}")
        chance = draw.random()
        if failed and chance < 0.6:
            self._leave(failed[0], "CI_FAILURE")
        elif self._passed() and chance < 0.7:
            self._merge(draw.randint(1, len(self._passed())))
        elif waiting and chance < 0.85:
            self._enter(draw.choice(waiting))
        elif self._queue and chance < 0.95:
            self._remove(draw.choice(self._queue))
        elif self._queue:
            self._base = f"pushed at {self._now}"
            self.story.pushed(self._now, "ines")
            self._build_again(self._queue, "MERGE_QUEUE_RESET")

    def _is_queued(self, number: int) -> bool:
        return any(one.number == number for one in self._queue)

    def _passed(self) -> list[_Entry]:
        """The entries at the front that may merge."""
        found = []
        for one in self._queue:
            if one.group is None or not one.group.has_passed:
                break
            found.append(one)
        return found

    def _enter(self, number: int) -> None:
        self._stays_left[number] -= 1
        self.story.enqueued(self._now, number)
        commit = self.story.head(number)
        self.expected.append(Expected(number, self._now, QUEUE_ENTERED, commit=commit))
        self._queue.append(_Entry(number))
        self._build()

    def _merge(self, count: int) -> None:
        merging, self._queue = self._queue[:count], self._queue[count:]
        for one in merging:
            if one.group is not None:
                self.story.destroyed(self._now, one.number, one.group.head, "merged", one.group.on)
                self._base = one.group.head
            self.story.merged(self._now, one.number)
            self._end(one, "PR_MERGED", "SUCCESS")
            self._stays_left[one.number] = 0
        self.story.pushed(self._now, QUEUE_ACCOUNT)
        self._build()

    def _remove(self, entry: _Entry) -> None:
        """For a reason that is not CI's verdict."""
        reasons = ["MANUAL", "BRANCH_PROTECTIONS", "UNKNOWN_REMOVAL_REASON", "closed"]
        if entry.group is not None:
            reasons.append(_CONFLICT)
            if not entry.group.is_tested:
                reasons.append("CI_TIMEOUT")
        has_failed = entry.group is not None and entry.group.is_tested and not entry.group.has_passed
        self._leave(entry, "CI_FAILURE" if has_failed else self._random.choice(reasons))

    def _leave(self, entry: _Entry, reason: str) -> None:
        place, group = self._queue.index(entry), entry.group
        self._queue.remove(entry)
        if reason == "closed":
            self.story.closed(self._now, entry.number, merged_by=None)
            self._stays_left[entry.number] = 0
        else:
            self.story.dequeued(self._now, entry.number, reason)
        if group is not None:
            self.story.destroyed(self._now, group.number, group.head, "dequeued", group.on)
        exit = _EXITS.get(reason, "PR_DEQUEUED")
        if reason == _CONFLICT and group is not None:
            exit = "CONFLICT_WITH_PULL_AHEAD" if group.is_behind_another else "CONFLICT_WITH_BASE_BRANCH"
        self._end(entry, exit, "CHECKS_INTERRUPTED" if exit == "UNKNOWN" else exit)
        has_failed = reason in ("CI_FAILURE", "CI_TIMEOUT")
        self._build_again(self._queue[place:], "BATCH_AHEAD_FAILED" if has_failed else "PR_AHEAD_DEQUEUED")

    def _end(self, entry: _Entry, reason: str, outcome: str) -> None:
        if entry.group is not None:
            self._end_tests(entry.group, outcome)
        head = entry.group.head if entry.group else entry.last_head
        commit = self.story.head(entry.number)
        self.expected.append(Expected(entry.number, self._now, QUEUE_LEFT, head, reason, commit))

    def _end_tests(self, group: _Group, outcome: str) -> None:
        """With CI's verdict, if there is one."""
        minutes = self._now
        if group.is_tested:
            minutes, outcome = group.ends, "SUCCESS" if group.has_passed else "CHECKS_FAILED"
        self.expected.append(Expected(group.number, minutes, CHECKS_ENDED, group.head, outcome))

    def _build_again(self, entries: Iterable[_Entry], outcome: str) -> None:
        for one in entries:
            if one.group is not None:
                self.story.destroyed(self._now, one.number, one.group.head, "invalidated", one.group.on)
                self._end_tests(one.group, outcome)
                one.last_head, one.group = one.group.head, None
        self._build()

    def _build(self) -> None:
        ahead = None
        for entry in self._queue[:_TESTED_AT_ONCE]:
            if entry.group is None:
                self._now = _at(self._now + self._random.uniform(0.05, 0.3))
                entry.group = self._new_group(entry.number, ahead)
            ahead = entry.group

    def _new_group(self, number: int, ahead: _Group | None) -> _Group:
        draw = self._random
        self._commits += 1
        begins = _at(self._now + draw.uniform(0.05, 0.3))
        ends = _at(begins + draw.choice([draw.uniform(0.5, 3), draw.uniform(3, 30)]))
        conclusion = draw.choices((*_PASSED, "failure"), (8, 1, 1, 3))[0]
        on = self._base if ahead is None else ahead.head
        group = _Group(number, f"commit {self._commits}", on, ahead is not None, begins, ends, conclusion)
        self.story.group(self._now, number, group.head, on)
        self.expected.append(Expected(number, self._now, CHECKS_STARTED, group.head))
        return group

    def _test(self) -> None:
        """CI reports what happened to the groups since the last step."""
        for group in [one.group for one in self._queue if one.group]:
            if not group.is_running and group.begins <= self._now:
                group.is_running = True
                self._report(group, group.begins, None)
            if not group.is_tested and group.ends <= self._now:
                group.is_tested = True
                self._report(group, group.ends, group.conclusion)

    def _report(self, group: _Group, minutes: float, conclusion: str | None) -> None:
        self._runs += 1
        number, head, on, began = group.number, group.head, group.on, group.begins
        if self._ci == "suite":
            self.story.suite(minutes, number, head, conclusion, began=began, on=on)
        elif self._ci == "workflow":
            self.story.workflow(minutes, number, head, conclusion, began=began, on=on)
        elif self._ci == "status":
            state = {None: "pending", "failure": "failure"}.get(conclusion, "success")
            branches = self._branches_with(group)
            self.story.status(minutes, number, head, state, self._runs, on=on, branches=branches)
        elif conclusion is not None:
            self.story.check(minutes, number, head, conclusion, began=began, run=self._runs, on=on)

    def _branches_with(self, group: _Group) -> list[tuple[str, str]]:
        """Some branches that contain the commit of a group, in any order."""
        groups = [one.group for one in self._queue if one.group]
        behind = groups[groups.index(group) :] if group in groups else []
        branches = [(self.story.queue_branch(one.number, one.on), one.head) for one in behind]
        return self._random.sample(branches, self._random.randint(0, len(branches)))


def _at(minutes: float) -> float:
    """Whole seconds, as in GitHub's dates."""
    return round(minutes * 60) / 60
