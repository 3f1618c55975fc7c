"""When a branch stands still: none of its queues runs anything, although somebody waits to be tested.

All queues of a branch count together, because they share its CI. Nothing is learned but how long its queues
wait to fill a batch, if no configuration says that.
"""

from bisect import insort
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from types import MappingProxyType
from typing import Final, NamedTuple

from mergecast.queues.model.instant import DAY, MINUTE
from mergecast.signals.thresholds.queue_history import (
    CLOSING_OUTCOMES,
    LEARNED_FROM,
    PASSED,
    SKIPPED,
    Happening,
    HappeningKind,
    QueueHistory,
    SeenRun,
    SeenStay,
    happenings,
)

STANDSTILL_SECONDS: Final = 2700.0  # that are too long, unless a person set another value
MONTH_DAYS: Final = 30  # over which standstills are counted
MONTH: Final = MONTH_DAYS * DAY
_PASSED_OVER: Final = 10  # runs; who was passed over by so many has perhaps left unnoticed
_IGNORED_AFTER: Final = 10 * MINUTE  # whoever a standstill of this length ended without

Place = tuple[str, int]  # a queue, and a pull request in it


class FirstTest(NamedTuple):
    """A run of pull requests that entered while nothing ran, and how long the first of them waited for it."""

    at: int
    size: int
    waited: int


@dataclass(frozen=True, slots=True)
class BranchKnown:
    """What is known about a branch from weeks that a measurement does not read.

    `waits` says for how long so many pull requests, or up to the next number, wait to fill a batch.
    `settled` are those who do not count until they are tested: their queue, number, and when they entered.
    """

    waits: Mapping[int, int] = field(default_factory=dict)
    settled: frozenset[tuple[str, int, int]] = frozenset()

    def wait(self, waiting: int) -> int | None:
        """None if it is not known: no run has ever tested so few."""
        sizes = [size for size in self.waits if size <= waiting]
        return self.waits[max(sizes)] if sizes else None


NOT_KNOWN: Final = BranchKnown()
NOT_SET: Final[Mapping[str, float | None]] = MappingProxyType({})


class Branch:
    """The state of all queues of a branch after everything that has been told, in order."""

    def __init__(
        self, base_ref: str, known: BranchKnown = NOT_KNOWN, values: Mapping[str, float | None] = NOT_SET
    ) -> None:
        """`values` are the seconds that people set by queue; nobody is waited for where that is None."""
        self.base_ref, self.known, self.values = base_ref, known, values
        # When the standstill that goes on began, or will: once the wait to fill a batch is over.
        self.since: int | None = None
        self.moved_at = 0  # when the last one ended
        self._idle_since: int | None = None  # since when nothing runs although somebody waits
        self.first_tests: list[FirstTest] = []
        self.entered: dict[Place, int] = {}
        # Of those in the queues, who is neither tested nor passed nor ignored: runs that passed them over.
        self.waiting: dict[Place, int] = {}
        self._off = frozenset(queue for queue, value in values.items() if value is None)
        self._running: dict[tuple[str, int], frozenset[Place]] = {}
        self._tested: Counter[Place] = Counter()  # by how many runs in progress
        self._rests_since = 0  # when the last run ended
        self._closed: set[str] = set()

    def tell(self, queue: str, happening: Happening) -> None:
        at, kind, what = happening
        match what:
            case SeenStay() if kind is HappeningKind.ENTERED:
                self._enter(queue, at, what)
            case SeenStay():
                self._leave((queue, what.pull_request), at, what)
            case SeenRun() if kind is HappeningKind.RUN_STARTED:
                self._start(queue, at, what)
            case SeenRun():
                self._end(queue, at, what)
        self._note(at)

    def settled(self) -> frozenset[tuple[str, int, int]]:
        """Those in the queues who do not count until they are tested: ignored, or passed."""
        return frozenset(
            (*place, at)
            for place, at in self.entered.items()
            if place not in self.waiting and not self._tested[place]
        )

    def missed(self) -> list[Place]:
        """Those who wait, in the order in which they entered."""
        counted = (place for place in self.waiting if place[0] not in self._closed)
        return sorted(counted, key=lambda place: (self.entered[place], place))

    def _enter(self, queue: str, at: int, stay: SeenStay) -> None:
        place = queue, stay.pull_request
        self.entered[place] = at
        is_settled = (*place, at) in self.known.settled or queue in self._off
        if not is_settled and not self._tested[place]:
            self.waiting[place] = 0

    def _leave(self, place: Place, at: int, stay: SeenStay) -> None:
        if self.entered.get(place) != stay.entered_at:
            return  # it entered again before this stay ended
        del self.entered[place]
        self.waiting.pop(place, None)
        for key, members in [*self._running.items()]:
            # The end of a run may never be reported.
            if place in members and not any(member in self.entered for member in members):
                self._finish(key, at)

    def _start(self, queue: str, at: int, run: SeenRun) -> None:
        members = frozenset((queue, pull) for pull in run.pull_requests)
        first = min(self.entered.get(place, 0) for place in members)
        if not self._running and first >= self._rests_since:
            self.first_tests.append(FirstTest(at, len(members), at - first))
        self._tested.update(members)
        for place in members:
            self.waiting.pop(place, None)
        since = self._idle_since
        is_long = since is not None and at - since >= _IGNORED_AFTER
        if since is not None and is_long and all(self.entered.get(one, 0) > since for one in members):
            self.waiting = {one: runs for one, runs in self.waiting.items() if self.entered[one] > since}
        last = max((self.entered[place] for place in members if place in self.entered), default=0)
        for place in [place for place in self.waiting if self.entered[place] < last]:
            self.waiting[place] += 1
            if self.waiting[place] >= _PASSED_OVER:
                del self.waiting[place]
        self._running[queue, run.number] = members
        self._closed.discard(queue)

    def _end(self, queue: str, at: int, run: SeenRun) -> None:
        if (queue, run.number) in self._running:
            for place in self._finish((queue, run.number), at):
                if run.outcome not in (PASSED, SKIPPED) and queue not in self._off:
                    self.waiting[place] = 0
        if run.outcome in CLOSING_OUTCOMES:
            self._closed.add(queue)

    def _finish(self, key: tuple[str, int], at: int) -> Iterator[Place]:
        """The run is over; returns those in the queue that no other run tests."""
        members = self._running.pop(key)
        self._rests_since = at
        self._tested.subtract(members)
        return (place for place in members if place in self.entered and self._tested[place] <= 0)

    def _note(self, at: int) -> None:
        if self._running or all(queue in self._closed for queue, _ in self.waiting):
            self.moved_at = self.moved_at if self._idle_since is None else at
            self._idle_since = self.since = None
            return
        self._idle_since = at if self._idle_since is None else self._idle_since
        wait = self.known.wait(len(self.waiting))
        if wait is None and any(queue in self.values for queue, _ in self.waiting):
            wait = 0  # a value that a person set needs no history
        if wait is not None and (self.since is None or self.since > at):
            # One more that enters may end the wait, but not before it entered.
            over_at = max(at, self._idle_since + wait)
            self.since = over_at if self.since is None else min(self.since, over_at)


def in_order(histories: Mapping[str, QueueHistory]) -> list[tuple[str, Happening]]:
    """Everything that happened in the queues of a branch."""
    every = ((queue, one) for queue, history in histories.items() for one in happenings(history))
    return sorted(every, key=lambda of: of[1][:2])


def learnt_waits(tests: Iterable[FirstTest], now: int) -> dict[int, int]:
    """For how long so many pull requests wait to fill a batch: three of four of these, or fewer, waited less.

    A queue that waits for two hours until it has four seldom tests fewer before that. Any other queue tests
    whoever enters while nothing runs.
    """
    waits: dict[int, int] = {}
    waited: list[int] = []
    for test in sorted(tests, key=lambda test: test.size):
        if test.at > now - LEARNED_FROM:
            insort(waited, test.waited)
            waits[test.size] = waited[3 * len(waited) // 4]
    # Fewer wait at least as long as more do.
    longest = accumulate(reversed(waits.values()), max)
    return dict(zip(reversed(waits), longest, strict=True))


def learn_branch(
    base_ref: str, histories: Mapping[str, QueueHistory], wait: int | None, now: int
) -> BranchKnown:
    """What the last weeks of a branch show; `wait` is how long it waits to fill a batch, if that is known."""
    branch = Branch(base_ref)
    for queue, happening in in_order(histories):
        if happening.at <= now:
            branch.tell(queue, happening)
    return BranchKnown(learnt_waits(branch.first_tests, now) if wait is None else {1: wait}, branch.settled())
