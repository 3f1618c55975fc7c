"""The runs of CI on a branch, from what the bot reported to their members.

bors-ng tests one batch at a time per branch, and writes the same reply to all of its members when it ends.
It does not write when a run starts. A commit that it makes for the test shows the start; without one, the
start is derived: the run began when the one before it had ended and its last member had entered.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from mergecast.incoming.sources.bors.bors_stays import RunEnd
from mergecast.incoming.sources.bors.replies import Reply
from mergecast.queues.model.instant import MINUTE, SECOND, format_instant

# The bot writes to one member after the other.
_WRITING_TAKES = MINUTE
# GitHub's clock and the bot's differ.
_SKEW = MINUTE
# bors-ng waits ten seconds for more members before it starts.
_BATCH_DELAY = 15 * SECOND
_CANCELED = (Reply.CANCELED, Reply.UPDATED)
# Replies that the members of one run can get, by what happened to it.
_FAMILIES = {
    Reply.SPLIT: Reply.SPLIT,
    Reply.TIMED_OUT_SPLIT: Reply.TIMED_OUT_SPLIT,
    **dict.fromkeys((*_CANCELED, Reply.INTERRUPTED), Reply.CANCELED),
}


class Reported(NamedTuple):
    """The end of a run for one member, and what is known of that member's stay."""

    number: int
    entered_at: int
    end: RunEnd
    staged: Sequence[int] = ()  # when bors made commits to test the member
    priority: int = 0


@dataclass(slots=True)
class Run:
    """A run of CI on a batch."""

    members: list[Reported] = field(default_factory=list)
    started_at: int = 0
    is_start_derived: bool = True

    @property
    def ended_at(self) -> int:
        return self.members[0].end.at

    @property
    def numbers(self) -> list[int]:
        ordered = sorted(self.members, key=lambda member: (member.entered_at, member.number))
        return [member.number for member in ordered]

    @property
    def last_entry(self) -> int:
        return max(member.entered_at for member in self.members)

    @property
    def priority(self) -> int:
        return max(member.priority for member in self.members)

    @property
    def is_lone_cancellation(self) -> bool:
        """Whether one pull request left, which may have been waiting: then no run has ended."""
        return len(self.members) == 1 and self.members[0].end.reply in _CANCELED


def batch_of(run: Run) -> str:
    """Named by the first reply about it, so that all members give it the same name."""
    return f"{format_instant(run.ended_at)}#{run.members[0].number}"


def runs_on_branch(reports: Iterable[Reported]) -> list[Run]:
    """The runs with their starts, by when they ended."""
    found = _gathered(sorted(reports, key=lambda report: (report.end.at, report.number)))
    certain = [run for run in found if not run.is_lone_cancellation]
    ran = [run for run in found if not run.is_lone_cancellation or _was_running(run, certain)]
    ends = [0, *(run.ended_at for run in ran)]
    for run, previous_end in zip(ran, ends, strict=False):
        _find_start(run, previous_end)
    interrupted = [_interrupted(*found) for found in zip(ends, ran, ran[1:], strict=False)]
    lasting = [run for run in ran if not run.is_lone_cancellation or _is_long_enough(run)]
    return sorted((*lasting, *filter(None, interrupted)), key=lambda run: run.ended_at)


def _is_long_enough(run: Run) -> bool:
    return run.ended_at - run.started_at > _BATCH_DELAY


def _gathered(reports: Sequence[Reported]) -> list[Run]:
    runs: list[Run] = []
    for report in reports:
        recent = (run for run in reversed(runs[-8:]) if _belongs_to(report, run))
        run = next(recent, None)
        if run is None:
            runs.append(Run([report]))
        else:
            run.members.append(report)
    return runs


def _belongs_to(report: Reported, run: Run) -> bool:
    first, last, end = run.members[0].end, run.members[-1].end, report.end
    family = _FAMILIES.get(end.reply, end.reply)
    if end.at - last.at > _WRITING_TAKES or family is not _FAMILIES.get(first.reply, first.reply):
        return False
    if end.links != first.links or any(member.number == report.number for member in run.members):
        return False
    if end.reply is Reply.FAILED:
        return end.links is not None  # it is written to one alone, or to linked pull requests
    # One member leaves, and the others wait again.
    return end.reply not in _CANCELED or all(member.end.reply not in _CANCELED for member in run.members)


def _was_running(run: Run, certain: Sequence[Run]) -> bool:
    """Whether the only member of a batch was being tested when it left.

    It was waiting if the run that ended next was under way at that time. That one began later if it has a
    member that entered after this one, and no run ended in between.
    """
    left_at, entered_at = run.ended_at, run.members[0].entered_at
    ends = [other.ended_at for other in certain]
    place = bisect_left(ends, left_at)
    if place == len(certain) or certain[place].last_entry >= left_at:
        return True
    others_entered = certain[place].last_entry
    return entered_at < others_entered and not (place and ends[place - 1] > others_entered)


def _interrupted(previous_end: int, urgent: Run, following: Run) -> Run | None:
    """The run that an urgent one interrupted, without a word from the bot.

    A batch with a higher priority does not wait. If others were in the queue when it came, the batch that ran
    after it had been under way.
    """
    came_at = urgent.last_entry
    members = [member for member in following.members if member.entered_at < came_at]
    if urgent.priority <= following.priority or previous_end > came_at or not members:
        return None
    run = Run([member._replace(end=RunEnd(came_at, Reply.DELAYED, None)) for member in members])
    run.started_at = max(previous_end, run.last_entry)
    return run if _is_long_enough(run) else None


def _find_start(run: Run, previous_end: int) -> None:
    derived = min(max(previous_end, run.last_entry), run.ended_at)
    staged = [
        at for member in run.members for at in member.staged if derived - _SKEW <= at <= run.ended_at + _SKEW
    ]
    if staged:
        run.started_at, run.is_start_derived = max(derived, min(max(staged), run.ended_at)), False
    else:
        run.started_at, run.is_start_derived = derived, True
