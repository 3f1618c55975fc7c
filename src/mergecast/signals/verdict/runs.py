"""The runs of a queue: those in progress, and those with a verdict that are still evidence."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from mergecast.signals.verdict.happenings import RunId
from mergecast.signals.verdict.stops import Stopped


class Run(NamedTuple):
    """A run with a verdict. Members and tree are numbers of stays."""

    number: int
    id: RunId
    started_at: int
    ended_at: int
    members: tuple[int, ...]
    tree: tuple[int, ...]
    has_passed: bool
    has_timed_out: bool
    names: tuple[str, ...]  # the checks that failed, or that were cancelled, if they are known
    stopped: Stopped | None = None  # no check failed, but one was cancelled

    @property
    def is_retry(self) -> bool:
        return self.id.attempt > 1

    @property
    def is_evidence(self) -> bool:
        """Whether it says anything about what it tested; a limit or a key is nobody's fault in a change."""
        return self.stopped is None or not self.stopped.is_explained

    @property
    def kinds(self) -> tuple[str, ...]:
        """The names under which failures are counted: to be cancelled is another end than to fail."""
        return self.names if self.stopped is None else tuple(f"{name}\ncancelled" for name in self.names)


@dataclass(slots=True)
class Running:
    """A run whose checks have not all ended."""

    number: int
    started_at: int
    members: list[int]
    listed: tuple[int, ...]  # the stays of all pull requests that the batch lists
    ended: list[int] = field(default_factory=list)  # members whose checks have ended
    has_verdict: bool = False


class Runs(msgspec.Struct, dict=True):
    running: dict[RunId, Running] = {}
    ended: dict[int, Run] = {}  # by number, in the order of their ends
    last: int = 0

    def __post_init__(self) -> None:
        self._of_stay: dict[int, list[int]] = {}
        for run in self.ended.values():
            self._index(run)

    def _index(self, run: Run) -> None:
        for member in run.members:
            self._of_stay.setdefault(member, []).append(run.number)

    def begin(self, id: RunId, at: int, member: int, listed: tuple[int, ...]) -> Running:
        self.last += 1
        self.running[id] = Running(self.last, at, [member], listed)
        return self.running[id]

    def end(self, run: Run) -> None:
        self.ended[run.number] = run
        self._index(run)

    def add_member(self, number: int, member: int) -> None:
        """A member that becomes known only when its own check ends."""
        run = self.ended[number]
        members = (*run.members, member)
        self.ended[number] = run._replace(members=members, tree=tuple(dict.fromkeys((*members, *run.tree))))
        self._of_stay.setdefault(member, []).append(number)

    def of(self, stay: int) -> list[Run]:
        """The runs with a verdict that this stay was a member of."""
        return [self.ended[number] for number in self._of_stay.get(stay, ())]

    def since(self, at: int) -> Iterator[Run]:
        """Runs that ended at or after an instant, the last one first."""
        for run in reversed(self.ended.values()):
            if run.ended_at < at:
                return
            yield run

    def forget(self, numbers: list[int]) -> None:
        for number in numbers:
            for member in self.ended.pop(number).members:
                of_stay = self._of_stay[member]
                of_stay.remove(number)
                if not of_stay:
                    del self._of_stay[member]
