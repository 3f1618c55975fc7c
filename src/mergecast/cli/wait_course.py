"""When waiting for a pull request ends, and which of its changes a person wants to see."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from mergecast.cli.output import say
from mergecast.queues.model.words import REASON_WORDS
from mergecast.queues.model.zone import Zone

if TYPE_CHECKING:
    from mergecast.client.answers import Answer
    from mergecast.queues.answers.pulls import PullState, Removal
    from mergecast.queues.answers.queue import ExpectedMerge
    from mergecast.queues.answers.verdicts import RemovalVerdict

# An expected merge that moved by less is no news.
_NEWS = timedelta(minutes=5)


class Until(StrEnum):
    MERGED = "merged"
    LEFT = "left"


class Outcome(StrEnum):
    MERGED = "merged"
    REMOVED = "removed"
    TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True)
class Ends:
    until: Until
    through_removals: bool
    begun: datetime
    again: bool = False  # a removal from before is no end: it will be queued again


@dataclass(frozen=True, slots=True)
class Wait:
    """What is waited for, and where lines go."""

    repository: str
    number: int
    ends: Ends
    deadline: float | None  # of the monotonic clock
    zone: Zone
    is_quiet: bool

    @property
    def name(self) -> str:
        return f"{self.repository}#{self.number}"

    def tell(self, line: str) -> None:
        if not self.is_quiet:
            now = datetime.now(UTC)
            clock = now.astimezone(self.zone.tz).strftime("%H:%M:%S")
            say(f"{clock} {self.zone.translated(line, now)}", file=sys.stderr, flush=True)


@dataclass(slots=True)
class Found:
    outcome: Outcome = Outcome.TIMEOUT
    state: "Answer[PullState] | None" = None
    verdict: "Answer[RemovalVerdict] | None" = None
    is_answered: bool = False  # by the last request


@dataclass(frozen=True, slots=True)
class Course:
    """What has been seen so far."""

    state: "PullState | None" = None
    removed_at: str | None = None  # the removal that is known, and does not end the waiting any more
    queued_since: str | None = None  # as first seen
    removals: int = 0  # since the command began
    told: tuple[object, ...] = ()
    expected: "ExpectedMerge | None" = None  # as it was told

    def after(self, state: "PullState", ends: Ends) -> "tuple[Course, Outcome | None]":
        removal = state.removal
        is_new = removal is not None and self._is_new(removal, ends.begun)
        course = replace(
            self,
            state=state,
            removed_at=removal.at if removal else None,
            queued_since=self.queued_since or (state.since if state.state == "in_queue" else None),
            removals=self.removals + is_new,
        )
        if state.state == "merged":
            return course, Outcome.MERGED
        if self.state is None and state.state == "removed" and not (ends.again or ends.through_removals):
            return course, Outcome.REMOVED
        ends_now = is_new and (ends.until is Until.LEFT or not ends.through_removals)
        return course, Outcome.REMOVED if ends_now else None

    def _is_new(self, removal: "Removal", begun: datetime) -> bool:
        """Whether it happened after the command began, or ended the stay in which it was seen.

        Its event may arrive late, and those of earlier removals later still.
        """
        at = datetime.fromisoformat(removal.at)
        if self.removed_at is not None and at <= datetime.fromisoformat(self.removed_at):
            return False
        return at >= (begun if self.queued_since is None else datetime.fromisoformat(self.queued_since))

    def lines(self, before: "Course", zone: Zone) -> Iterator[str]:
        """What a person wants to know about the change from the course before."""
        state = self.state
        if state is None:
            return
        if before.state is not None and self.removals > before.removals and state.removal:
            yield f"removed: {reason_of(state.removal)}"
        if self.told != before.told or self.expected != before.expected:
            yield _line(state, zone)


def noted(course: Course) -> Course:
    """The course with what its line tells."""
    state, expected = course.state, course.expected
    if state is None:
        return course
    waiting = state.waiting_for
    told = (
        *(state.state, state.since, state.position),
        *((waiting.reason, waiting.ci_started_at, waiting.failed_at) if waiting else ()),
    )
    is_news = told != course.told or _has_moved(expected, state.expected_merge)
    return replace(course, told=told, expected=state.expected_merge if is_news else expected)


def _has_moved(before: "ExpectedMerge | None", after: "ExpectedMerge | None") -> bool:
    if before is None or after is None:
        return after is not None
    return abs(datetime.fromisoformat(after.p90) - datetime.fromisoformat(before.p90)) >= _NEWS


def _line(state: "PullState", zone: Zone) -> str:
    if state.state == "in_queue":
        return state.waiting_for.sentence if state.waiting_for else "in the queue"
    if state.state == "removed" and state.removal:
        when = zone.shown_text(state.removal.at)
        return f"not in a queue since {when}: {reason_of(state.removal)}; waiting until it is queued again"
    return "merged" if state.state == "merged" else "not in a queue yet; waiting until it is queued"


def reason_of(removal: "Removal") -> str:
    return removal.sentence or REASON_WORDS.get(removal.reason, removal.reason)
