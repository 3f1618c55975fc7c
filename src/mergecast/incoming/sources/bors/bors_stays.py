"""What people and the bot said on one pull request → its stays in the queue."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import NamedTuple

from mergecast.incoming.sources.bors.commands import CommandKind
from mergecast.incoming.sources.bors.observation import Observation
from mergecast.incoming.sources.bors.replies import Reply
from mergecast.queues.model.instant import MINUTE

# The bot writes its reply this long after it has merged a pull request, or after the command to cancel.
_REPLY_TAKES = 10 * MINUTE
_REFUSAL_TAKES = 10 * MINUTE

# How replies end a run of CI, and which of them end the stay, with what reason.
OUTCOMES = {
    Reply.SUCCEEDED: "SUCCESS",
    Reply.FAILED: "CHECKS_FAILED",
    Reply.SPLIT: "CHECKS_FAILED",
    Reply.TIMED_OUT: "CHECKS_TIMEOUT",
    Reply.TIMED_OUT_SPLIT: "CHECKS_TIMEOUT",
    Reply.CANCELED: "PR_DEQUEUED",
    Reply.UPDATED: "PR_DEQUEUED",
    Reply.INTERRUPTED: "PR_DEQUEUED",
    Reply.PUSH_RETRIED: "BASE_BRANCH_CHANGED",
    Reply.PUSH_FAILED: "PR_UNEXPECTEDLY_FAILED_TO_MERGE",
    Reply.DELAYED: "PR_WITH_HIGHER_PRIORITY_QUEUED",
}
_EXITS = {
    Reply.SUCCEEDED: "PR_MERGED",
    Reply.FAILED: "CHECKS_FAILED",
    Reply.TIMED_OUT: "CHECKS_TIMEOUT",
    Reply.CANCELED: "PR_DEQUEUED",
    Reply.UPDATED: "PULL_REQUEST_UPDATED",
    Reply.CONFLICT: "CONFLICT_WITH_BASE_BRANCH",
    Reply.PUSH_FAILED: "PR_UNEXPECTEDLY_FAILED_TO_MERGE",
    Reply.GAVE_UP: "CHECKS_TIMEOUT",
    Reply.MISCONFIGURED: "UNPROCESSABLE_PULL_REQUEST",
}


class RunEnd(NamedTuple):
    """The end of a run, as the bot reports it to one member."""

    at: int
    reply: Reply
    links: str | None


class BorsExit(NamedTuple):
    at: int
    reason: str
    head_sha: str | None = None  # the last commit of the pull request then, if it is known


@dataclass(slots=True)
class BorsStay:
    """One stay in the queue. `key` is the id of the comment that it begins with."""

    key: str
    base_ref: str
    entered_at: int
    priority: int = 0
    ends: list[RunEnd] = field(default_factory=list)
    staged: list[int] = field(default_factory=list)
    exit: BorsExit | None = None
    waits_for_own_checks: bool = False
    head_sha: str | None = None  # the last commit of the pull request when it entered, if it is known


def bors_stays(observations: Iterable[Observation]) -> list[BorsStay]:
    """The stays of a pull request, whatever the order of the observations."""
    return _Reading(_in_order(observations)).stays()


def merged_without_entry(observations: Iterable[Observation]) -> list[int]:
    """When the bot said that it had merged the pull request, although no stay was known."""
    reading = _Reading(_in_order(observations))
    reading.stays()
    return reading.merged_without_entry


def _in_order(observations: Iterable[Observation]) -> list[Observation]:
    distinct = {(seen.id, seen.command, seen.priority): seen for seen in sorted(observations, key=_content)}
    return sorted(distinct.values(), key=lambda seen: seen.order)


def _content(seen: Observation) -> tuple[int, str]:
    """Someone may edit a comment: of two versions with the same id, one is chosen."""
    return seen.at, repr(seen)


class _Reading:
    """Reads the observations of a pull request in their order."""

    def __init__(self, seen: Sequence[Observation]) -> None:
        self._seen = seen
        self._stays: list[BorsStay] = []
        self._open: BorsStay | None = None
        self._command: Observation | None = None  # the last one that a refusal can be about
        self._asked: CommandKind | None = None  # what `retry` repeats
        self._priority = 0
        self.merged_without_entry: list[int] = []

    def stays(self) -> list[BorsStay]:
        for place, seen in enumerate(self._seen):
            if seen.command is not None:
                self._hear(seen, place)
            elif seen.reply is not None:
                self._answer(seen, seen.reply)
            elif seen.is_closed and self._open is not None and not self._is_answered(place):
                self._leave(seen, _closing_reason(seen))
            elif seen.is_staged and self._open is not None:
                self._open.staged.append(seen.at)
        return self._stays

    def _hear(self, seen: Observation, place: int) -> None:
        command = self._asked if seen.command is CommandKind.RETRY else seen.command
        if command is CommandKind.PRIORITY:
            self._priority = seen.priority or 0
            if self._open is not None:
                self._open.priority = self._priority
            return
        self._command = seen
        if command in (CommandKind.MERGE, CommandKind.TRY):
            self._asked = command
        if command is CommandKind.MERGE and self._open is not None and not self._is_repeated(place):
            self._lose(self._open)
        if command is CommandKind.MERGE and self._open is None:
            head_sha = seen.head_sha or None
            self._open = BorsStay(seen.id, seen.base_ref, seen.at, self._priority, head_sha=head_sha)
            self._stays.append(self._open)
        elif command is CommandKind.CANCEL and self._open is not None and not self._is_answered(place):
            self._leave(seen, "PR_MANUALLY_DEQUEUED")

    def _answer(self, seen: Observation, reply: Reply) -> None:
        stay = self._open
        if stay is None:
            if reply is Reply.SUCCEEDED and not self._has_left_before(seen.at):
                self.merged_without_entry.append(seen.at)
            return
        if reply is Reply.WAITING:
            stay.waits_for_own_checks = True
        elif reply is Reply.REFUSED:
            self._refuse(stay, seen)
        if reply in OUTCOMES:
            stay.ends.append(RunEnd(seen.at, reply, seen.links))
        if reply in _EXITS:
            self._leave(seen, self._exit_reason(seen, reply))

    def _has_left_before(self, at: int) -> bool:
        """Whether the bot may be writing about a stay that has ended: just before, or by the same merge."""
        exits = [stay.exit for stay in self._stays if stay.exit is not None]
        return any(exit.reason == "PR_MERGED" or at - exit.at <= _REPLY_TAKES for exit in exits)

    def _refuse(self, stay: BorsStay, seen: Observation) -> None:
        """A refusal concerns the last command; if that began the stay, there was none."""
        if self._command is None or self._command.id != stay.key:
            return
        if stay.waits_for_own_checks:
            self._leave(seen, "CHECKS_FAILED")
        elif not stay.ends and seen.at - stay.entered_at <= _REFUSAL_TAKES:
            self._stays.remove(stay)
            self._open = None

    def _exit_reason(self, seen: Observation, reply: Reply) -> str:
        return (
            "PR_MANUALLY_DEQUEUED"
            if reply is Reply.CANCELED and self._was_canceled(seen.at)
            else _EXITS[reply]
        )

    def _was_canceled(self, at: int) -> bool:
        """Whether the last command was to cancel, shortly before."""
        last = self._command
        return last is not None and last.command is CommandKind.CANCEL and at - last.at <= _REPLY_TAKES

    def _is_repeated(self, place: int) -> bool:
        """Whether a command to merge is one too many: the bot says so, or goes on with what it was doing."""
        return any(later.reply is not None for later in self._soon_after(place))

    def _lose(self, stay: BorsStay) -> None:
        """The bot has accepted another command, so it had forgotten the pull request."""
        stay.exit = BorsExit(stay.ends[-1].at if stay.ends else stay.entered_at, "UNKNOWN")
        self._open = None

    def _soon_after(self, place: int) -> Iterator[Observation]:
        at = self._seen[place].at
        return takewhile(lambda later: later.at - at <= _REPLY_TAKES, self._seen[place + 1 :])

    def _is_answered(self, place: int) -> bool:
        """Whether the bot soon says itself that the pull request leaves."""
        talk = takewhile(lambda later: later.command is not CommandKind.MERGE, self._soon_after(place))
        return any(later.reply in _EXITS for later in talk)

    def _leave(self, seen: Observation, reason: str) -> None:
        if self._open is not None:
            self._open.exit = BorsExit(seen.at, reason, seen.head_sha or None)
            self._open = None


def _closing_reason(seen: Observation) -> str:
    if seen.is_by_bot:  # it closes pull requests that it has squashed
        return "PR_MERGED"
    return "PR_MANUALLY_MERGED" if seen.is_merged else "PR_DEQUEUED"
