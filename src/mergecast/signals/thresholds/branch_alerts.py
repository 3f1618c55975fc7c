"""When alerts about a branch that stands still begin and end."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from mergecast.queues.model.alert import RECOVERED, Alert
from mergecast.queues.model.instant import DAY, SECOND
from mergecast.signals.thresholds.course import Span
from mergecast.signals.thresholds.queue_history import QueueHistory
from mergecast.signals.thresholds.readings import Level
from mergecast.signals.thresholds.sentences import standstill_alert
from mergecast.signals.thresholds.standing_still import (
    MONTH,
    NOT_SET,
    STANDSTILL_SECONDS,
    Branch,
    BranchKnown,
    in_order,
    learnt_waits,
)


class Judged(NamedTuple):
    """What an instant changed for a branch, and when time alone changes something."""

    begun: Alert | None = None
    ended: Alert | None = None
    next_at: int | None = None


def judge_branch(branch: Branch, current: Alert | None, earlier: Sequence[int], at: int) -> Judged:
    """`current` is the open alert; `earlier` is when the last ones began, in order."""
    since = branch.since
    if current is not None:
        if since is not None and since <= current.found_at:
            return Judged()
        ended_at = min(max(branch.moved_at, current.since), at)
        return Judged(ended=replace(current, ended_at=ended_at, end_reason=RECOVERED))
    if since is None:
        return Judged()
    level = _level(branch)
    begins_at = since + int(level.value * SECOND)
    if begins_at > at:
        return Judged(next_at=begins_at)
    times = 1 + len(earlier) - bisect_left(earlier, since - MONTH)
    return Judged(standstill_alert(branch, since, level, times, at))


def _level(branch: Branch) -> Level:
    """The shortest time of the queues in which somebody waits."""
    found = (branch.values.get(queue) for queue, _ in branch.missed())
    levels = [Level(STANDSTILL_SECONDS) if value is None else Level(value, is_set=True) for value in found]
    return min(levels, key=lambda level: level.value)


def past_standstills(
    base_ref: str,
    histories: Mapping[str, QueueHistory],
    window: Span,
    values: Mapping[str, float | None] = NOT_SET,
    wait: int | None = None,
) -> list[Alert]:
    """The alerts that a branch would have had in a window; one that goes on at its end has not ended.

    `wait` is for how long its queues wait to fill a batch, if that is known.
    """
    looking = _LookingBack(base_ref, values, wait)
    for queue, happening in in_order(histories):
        if happening.at >= window.end:
            break
        looking.judge_until(happening.at, window)
        looking.branch.tell(queue, happening)
        looking.judge(happening.at, window)
    looking.judge_until(window.end - 1, window)
    return looking.found


class _LookingBack:
    def __init__(self, base_ref: str, values: Mapping[str, float | None], wait: int | None) -> None:
        self.found: list[Alert] = []
        self.branch = Branch(base_ref, BranchKnown({} if wait is None else {1: wait}), values)
        self._wait = wait
        self._learned_at = 0
        self._next_at: int | None = None

    def judge_until(self, at: int, window: Span) -> None:
        """Judge when time alone changed something."""
        if self._next_at is not None and self._next_at <= at:
            self.judge(max(self._next_at, window.start), window)

    def judge(self, at: int, window: Span) -> None:
        is_due = at - self._learned_at >= DAY or not self.branch.known.waits
        if self._wait is None and is_due:
            self._learned_at = at
            self.branch.known = BranchKnown(learnt_waits(self.branch.first_tests, at))
        if at < window.start:
            return
        current = self.found[-1] if self.found and self.found[-1].ended_at is None else None
        earlier = [alert.since for alert in self.found]
        judged = judge_branch(self.branch, current, earlier, at)
        self._next_at = judged.next_at
        if judged.ended is not None:
            self.found[-1] = judged.ended
        if judged.begun is not None:
            self.found.append(judged.begun)
