"""The record of one base branch, with everything linked by number.

Instants are seconds from the start of the window, so that what happened before it is negative.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from mergecast.forecasting.history.seconds import DAY
from mergecast.queues.model.event import MERGED_REASONS

VERDICTS: Final = frozenset({"SUCCESS", "CHECKS_FAILED", "CHECKS_TIMEOUT", "CHECKS_RETRIED"})
_QUIET: Final = 4 * DAY
FAILURES: Final = frozenset({"CHECKS_FAILED", "CHECKS_RETRIED"})


@dataclass(frozen=True, slots=True)
class Stay:
    """One pull request in one queue. `number` is its position in `History.stays`."""

    number: int
    session_id: str
    pull_request: int
    queue_name: str
    priority_rule_name: str | None
    entered: float
    entering_is_known: bool
    left: float | None
    reason: str | None
    schedule_wait: float
    freeze_wait: float

    @property
    def is_merged(self) -> bool:
        return self.reason in MERGED_REASONS


@dataclass(frozen=True, slots=True)
class Run:
    """One CI run of one batch. `members` are numbers of stays, in the order of the batch."""

    number: int
    batch_id: str
    attempt: int
    queue_name: str
    members: tuple[int, ...]
    started: float
    ended: float | None
    outcome: str | None

    @property
    def has_verdict(self) -> bool:
        return self.outcome in VERDICTS

    @property
    def has_failed(self) -> bool:
        return self.outcome in FAILURES


@dataclass(frozen=True, slots=True)
class Split:
    """A failed batch is split; `members` are numbers of the stays it held."""

    batch_id: str
    depth: int
    at: float
    queue_name: str
    members: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class History:
    """Everything recorded before the end of the window; `length` is the window's, in seconds."""

    length: float
    stays: tuple[Stay, ...]
    runs: tuple[Run, ...]
    splits: tuple[Split, ...]
    searches_ended: dict[str, float]
    sources: frozenset[str]

    @property
    def queue_names(self) -> tuple[str, ...]:
        return tuple(sorted({stay.queue_name for stay in self.stays}))

    @property
    def entered_in_window(self) -> list[Stay]:
        return [stay for stay in self.stays if stay.entering_is_known and stay.entered >= 0]

    @property
    def recorded_span(self) -> tuple[float, float]:
        """The part of the window that the record covers.

        A few quiet days at either end of the window are a weekend; more mean that nothing was recorded.
        """
        if not self.stays:
            return 0.0, 0.0
        first = min(stay.entered for stay in self.stays)
        last = max(stay.entered if stay.left is None else stay.left for stay in self.stays)
        start = 0.0 if first <= _QUIET else first
        end = self.length if last >= self.length - _QUIET else last
        return start, max(start, end)

    def until(self, end: float) -> "History":
        """This history as it was known at an earlier instant."""
        stays = [stay for stay in self.stays if stay.entered < end]
        known = {stay.number: stay.number for stay in stays}  # stays are in the order of entering
        runs = [
            run for run in self.runs if run.started < end and all(member in known for member in run.members)
        ]
        return History(
            end,
            tuple(s if s.left is None or s.left < end else _still_open(s) for s in stays),
            tuple(_known_at(end, run, number) for number, run in enumerate(runs)),
            tuple(replace(s, members=_numbers(s.members, known)) for s in self.splits if s.at < end),
            {batch: at for batch, at in self.searches_ended.items() if at < end},
            self.sources,
        )

    def since(self, start: float) -> "History":
        """This history without the stays that ended before an instant, and the runs before it; renumbered."""
        stays = [stay for stay in self.stays if stay.left is None or stay.left >= start]
        renumbered = {stay.number: number for number, stay in enumerate(stays)}
        runs = [run for run in self.runs if run.started >= start and renumbered.keys() >= set(run.members)]
        return History(
            self.length,
            tuple(replace(stay, number=number) for number, stay in enumerate(stays)),
            tuple(
                replace(run, number=number, members=_numbers(run.members, renumbered))
                for number, run in enumerate(runs)
            ),
            tuple(replace(s, members=_numbers(s.members, renumbered)) for s in self.splits if s.at >= start),
            self.searches_ended,
            self.sources,
        )

    def of_queues(self, names: Iterable[str]) -> "History":
        """The part of this record that concerns these queues, renumbered."""
        kept = frozenset(names)
        stays = [stay for stay in self.stays if stay.queue_name in kept]
        renumbered = {stay.number: number for number, stay in enumerate(stays)}
        return History(
            self.length,
            tuple(replace(stay, number=number) for number, stay in enumerate(stays)),
            tuple(
                replace(run, number=number, members=_numbers(run.members, renumbered))
                for number, run in enumerate(run for run in self.runs if run.queue_name in kept)
            ),
            tuple(
                Split(s.batch_id, s.depth, s.at, s.queue_name, _numbers(s.members, renumbered))
                for s in self.splits
                if s.queue_name in kept
            ),
            self.searches_ended,
            self.sources,
        )


def _still_open(stay: Stay) -> Stay:
    return replace(stay, left=None, reason=None, schedule_wait=0.0, freeze_wait=0.0)


def _known_at(end: float, run: Run, number: int) -> Run:
    if run.ended is None or run.ended < end:
        return run if run.number == number else replace(run, number=number)
    return replace(run, number=number, ended=None, outcome=None)


def _numbers(members: tuple[int, ...], renumbered: dict[int, int]) -> tuple[int, ...]:
    return tuple(renumbered[member] for member in members if member in renumbered)
