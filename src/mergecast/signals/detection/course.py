"""Follows one queue through its history: what is in it, what runs, and the cases that show what is normal."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from mergecast.queues.model.instant import DAY, MINUTE, SECOND
from mergecast.signals.detection.queue_history import (
    BLAMED_OUTCOMES,
    CLOSING_OUTCOMES,
    FAILED_OUTCOMES,
    FAILED_REASONS,
    MERGED,
    PASSED,
    SKIPPED,
    Happening,
    HappeningKind,
    SeenRun,
    SeenSplit,
    SeenStay,
)
from mergecast.signals.detection.tails import Case

ROUND: Final = DAY  # how long a failure of a pull request counts as the same round
# A pull request that was passed over by so many CI runs of later ones does not wait for a slot. Perhaps it
# left unnoticed. In a long queue, many runs of earlier ones start before its own.
_PASSED_OVER = 50
_LANDING = MINUTE  # what merges within it lands together


class Idle(NamedTuple):
    """A time in which something waited although a slot was free; incomplete if no run ended it."""

    start: int
    end: int
    is_complete: bool


class Span(NamedTuple):
    start: int
    end: int


@dataclass(slots=True)
class Cases:
    """What has been observed so far, in order."""

    idle: list[Idle] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    lengths: list[Case] = field(default_factory=list)  # in seconds
    # How many failures in a row, entries of one pull request, or splits of one batch there were by then.
    streaks: list[Case] = field(default_factory=list)
    rounds: list[Case] = field(default_factory=list)
    splits: list[Case] = field(default_factory=list)
    busy: list[Span] = field(default_factory=list)  # when the queue was not empty
    merges: list[int] = field(default_factory=list)  # instants; at least a minute apart


class Course:
    """The state of a queue after everything that has been applied to it, in order."""

    def __init__(self, slots: int) -> None:
        self.slots = slots
        self.cases = Cases()
        self.entered: dict[int, int] = {}  # pull requests in the queue
        # Those that have not passed and are not tested, and how many runs of later ones passed each over.
        self.waiting: dict[int, int] = {}
        self.running: dict[int, SeenRun] = {}
        self.idle_since: int | None = None
        self.busy_since: int | None = None
        self.is_closed = False
        self.last_merge_at: int | None = None
        self.streak: list[
            SeenRun
        ] = []  # failed runs that share no pull request, since the last one that passed
        self.rounds: dict[int, int] = {}  # how often those in the queue entered
        self.splits: dict[int, SeenSplit] = {}
        self._tested: Counter[int] = Counter()
        self._trees: dict[int, frozenset[int]] = {}
        self._again: set[int] = set()  # of those that wait, the ones that were tested before
        self._blamed: set[int] = set()  # pull requests whose checks failed, until they pass or leave
        self._failed_trees: set[int] = set()
        self._failures: dict[int, list[int]] = {}
        self._tellers = {
            HappeningKind.RUN_ENDED: self._run_ended,
            HappeningKind.SPLIT_ENDED: self._split_ended,
            HappeningKind.LEFT: self._left,
            HappeningKind.ENTERED: self._entered,
            HappeningKind.SPLIT: self._split,
            HappeningKind.RUN_STARTED: self._run_started,
        }

    def tell(self, happening: Happening) -> None:
        self._tellers[happening.kind](happening.at, happening.what)  # type: ignore[operator]
        self._note_idle(happening.at, is_started=happening.kind is HappeningKind.RUN_STARTED)

    def _entered(self, at: int, stay: SeenStay) -> None:
        pull = stay.pull_request
        if not self.entered:
            self.busy_since = at
        self.entered[pull] = at
        if not self._tested[pull]:
            self.waiting[pull] = 0
        recent = [failed_at for failed_at in self._failures.get(pull, ()) if at - failed_at <= ROUND]
        self.rounds[pull] = 1 + len(recent)
        if recent:
            self.cases.rounds.append(Case(recent[0], at, 1.0 + len(recent)))

    def _left(self, at: int, stay: SeenStay) -> None:
        pull = stay.pull_request
        if self.entered.get(pull) != stay.entered_at:
            return  # it entered again before this stay ended
        del self.entered[pull]
        self._forget_waiting(pull)
        self._blamed.discard(pull)
        if stay.reason in MERGED:
            self.last_merge_at = at
            if not self.cases.merges or at - self.cases.merges[-1] > _LANDING:
                self.cases.merges.append(at)
        if stay.reason in FAILED_REASONS:
            self._failures.setdefault(pull, []).append(at)
        del self.rounds[pull]
        for run in [run for run in self.running.values() if pull in run.pull_requests]:
            if not any(member in self.entered for member in run.pull_requests):
                self._finish(at, run)
        self._note_empty(at)

    def _forget_waiting(self, pull: int) -> None:
        self.waiting.pop(pull, None)
        self._again.discard(pull)

    def _note_empty(self, at: int) -> None:
        if not self.entered and self.busy_since is not None:
            self.cases.busy.append(Span(self.busy_since, at))
            self.busy_since = None

    def _note_passed_over(self, at: int, run: SeenRun) -> None:
        last = max((self.entered[pull] for pull in run.pull_requests if pull in self.entered), default=0)
        for pull in [pull for pull in self.waiting if self.entered[pull] < last]:
            self.waiting[pull] += 1
            if self.waiting[pull] > _PASSED_OVER:
                del self.entered[pull], self.rounds[pull]
                self._forget_waiting(pull)
                self._blamed.discard(pull)
        self._note_empty(at)

    def _run_started(self, at: int, run: SeenRun) -> None:
        ahead = {pull for other in self.running.values() for pull in other.pull_requests}
        self._trees[run.number] = frozenset(ahead.union(run.pull_requests))
        self.running[run.number] = run
        self.cases.starts.append(at)
        self.is_closed = False
        for pull in run.pull_requests:
            self._tested[pull] += 1
            self._forget_waiting(pull)
        self._note_passed_over(at, run)

    def _run_ended(self, at: int, run: SeenRun) -> None:
        if run.number in self.running:
            self._finish(at, run)
        self.is_closed = self.is_closed or run.outcome in CLOSING_OUTCOMES

    def _finish(self, at: int, run: SeenRun) -> None:
        """The run ended, or everything it tested has left."""
        del self.running[run.number]
        is_known = run.ended_at is not None and run.ended_at <= at
        outcome = run.outcome if is_known else None
        is_complete = outcome == PASSED or outcome in FAILED_OUTCOMES
        self.cases.lengths.append(Case(run.started_at, at, (at - run.started_at) / SECOND, is_complete))
        for pull in run.pull_requests:
            self._tested[pull] -= 1
            if self._tested[pull] <= 0:
                del self._tested[pull]
                self._note_untested(pull, outcome)
        self._note_verdict(at, run, outcome)

    def _note_untested(self, pull: int, outcome: str | None) -> None:
        """No run tests the pull request any more: it has passed, or waits for the next one."""
        if outcome in (PASSED, SKIPPED):
            self._blamed.discard(pull)
        elif pull in self.entered:
            self.waiting[pull] = 0
            self._again.add(pull)
            if outcome in BLAMED_OUTCOMES:
                self._blamed.add(pull)

    def _note_verdict(self, at: int, run: SeenRun, outcome: str | None) -> None:
        tree = self._trees.pop(run.number)
        if outcome == PASSED:
            self.streak, self._failed_trees = [], set()
        elif outcome in FAILED_OUTCOMES and self._failed_trees.isdisjoint(tree):
            self.streak.append(run)
            self._failed_trees |= tree
            self.cases.streaks.append(Case(self.streak[0].started_at, at, float(len(self.streak))))

    def _split(self, at: int, split: SeenSplit) -> None:
        before = self.splits.get(split.bisection, split)
        self.splits[split.bisection] = split
        self.cases.splits.append(Case(before.at, at, float(split.depth)))

    def _split_ended(self, _: int, split: SeenSplit) -> None:
        self.splits.pop(split.bisection, None)

    def _note_idle(self, at: int, *, is_started: bool) -> None:
        has_room = len(self.running) < self.slots and not self.is_closed
        is_idle = bool(self.waiting) and has_room and not self._is_undecided
        if self.idle_since is not None and (is_started or not is_idle):
            self.cases.idle.append(Idle(self.idle_since, at, is_started))
            self.idle_since = None
        if is_idle and self.idle_since is None:
            self.idle_since = at

    @property
    def _is_undecided(self) -> bool:
        """Whether checks failed, and what is still tested may show which pull request is to blame.

        Until that is decided, a queue may not test again what failed, or what was stopped for that reason.
        """
        return bool(self._again and self._blamed and self.running)
