"""Follows one queue through its history: what is in it, what runs, and the cases that show what is normal."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from mergecast.queues.model.instant import DAY, MINUTE, SECOND
from mergecast.signals.thresholds.queue_history import (
    BLAMED_OUTCOMES,
    CLOSING_OUTCOMES,
    FAILED_OUTCOMES,
    FAILED_REASONS,
    MERGED,
    PASSED,
    SKIPPED,
    Happening,
    HappeningKind,
    Pace,
    SeenRun,
    SeenSplit,
    SeenStay,
)
from mergecast.signals.thresholds.tails import Case

ROUND: Final = DAY  # how long a failure of a pull request counts as the same round
# A pull request that was passed over by so many CI runs for each slot does not wait for a slot. Perhaps it
# left unnoticed. Runs of others with the same priority count; which priority is higher is not known, so it
# takes more of all others.
PASSED_OVER: Final = 10
_OF_OTHERS: Final = 5
# Who waited for so long beside a free slot, and was not tested when a run started, is not waited for.
_IGNORED_AFTER: Final = 10 * MINUTE
_LANDING = MINUTE  # what merges within it lands together


class Idle(NamedTuple):
    """A time in which something waited although a slot was free; incomplete if no run ended it."""

    start: int
    end: int
    is_complete: bool


class Span(NamedTuple):
    start: int
    end: int


class Forgotten(NamedTuple):
    """A pull request that many runs of later ones have passed over."""

    entered_at: int
    runs: float


@dataclass(slots=True)
class Cases:
    """What has been observed so far, in order."""

    idle: list[Idle] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    lengths: list[Case] = field(default_factory=list)  # in seconds
    passed: list[Case] = field(default_factory=list)  # of these, the runs that passed
    # How many failures in a row, entries of one pull request, or splits of one batch there were by then.
    streaks: list[Case] = field(default_factory=list)
    rounds: list[Case] = field(default_factory=list)
    splits: list[Case] = field(default_factory=list)
    busy: list[Span] = field(default_factory=list)  # when the queue was not empty
    merges: list[int] = field(default_factory=list)  # instants; at least a minute apart


class Course:
    """The state of a queue after everything that has been applied to it, in order."""

    def __init__(
        self,
        pace: Pace,
        most_passed_over: float | None = None,
        known_forgotten: Collection[tuple[int, int]] = (),
    ) -> None:
        """`known_forgotten` has the pull requests that were found to be forgotten, and when they entered."""
        self.pace = pace
        self.cases = Cases()
        self.entered: dict[int, int] = {}  # pull requests in the queue
        # Those that have not passed and are not tested, and how many runs of later ones passed each over.
        self.waiting: dict[int, float] = {}
        self.forgotten: dict[int, Forgotten] = {}  # no longer among the two above
        self.running: dict[int, SeenRun] = {}
        self.idle_since: int | None = None
        self.busy_since: int | None = None
        self.is_closed = False
        self.last_merge_at: int | None = None
        # Failed runs that share no pull request, since the last one that passed.
        self.streak: list[SeenRun] = []
        self.rounds: dict[int, int] = {}  # how often those in the queue entered
        self.splits: dict[int, SeenSplit] = {}
        self._most_passed_over = PASSED_OVER * pace.slots if most_passed_over is None else most_passed_over
        self._known_forgotten = known_forgotten
        self._priority: dict[int, str | None] = {}
        self._ignored: set[int] = set()  # of those that wait
        self._tested: Counter[int] = Counter()
        self._trees: dict[int, frozenset[int]] = {}
        self._again: set[int] = set()  # of those that wait, the ones that were tested before
        self._blamed: set[int] = set()  # pull requests whose checks failed, until they pass or leave
        self._failed_trees: set[int] = set()
        self._failing: dict[int, int] = {}  # pull requests of all these failures
        self._failed_at: dict[int, int] = {}  # when pull requests failed before that
        self._last_failure_at = 0
        self._failures: dict[int, list[int]] = {}
        self._tellers: dict[HappeningKind, Callable[..., None]] = {
            HappeningKind.RUN_ENDED: self._run_ended,
            HappeningKind.SPLIT_ENDED: self._split_ended,
            HappeningKind.LEFT: self._left,
            HappeningKind.ENTERED: self._entered,
            HappeningKind.SPLIT: self._split,
            HappeningKind.RUN_STARTED: self._run_started,
        }

    def tell(self, happening: Happening) -> None:
        self._tellers[happening.kind](happening.at, happening.what)
        self._note_idle(happening.at, is_started=happening.kind is HappeningKind.RUN_STARTED)

    @property
    def waiting_for_a_slot(self) -> set[int]:
        return self.waiting.keys() - self._ignored

    def _entered(self, at: int, stay: SeenStay) -> None:
        pull = stay.pull_request
        self._priority[pull] = stay.priority
        if (pull, at) in self._known_forgotten:
            self.forgotten[pull] = Forgotten(at, self._most_passed_over)
            return
        self._add(pull, at, at)
        if not self._tested[pull]:
            self.waiting[pull] = 0
        recent = [failed_at for failed_at in self._failures.get(pull, ()) if at - failed_at <= ROUND]
        self.rounds[pull] = 1 + len(recent)
        if recent:
            self.cases.rounds.append(Case(recent[0], at, 1.0 + len(recent)))

    def _add(self, pull: int, entered_at: int, at: int) -> None:
        self.entered[pull] = entered_at
        self._note_busy(at)

    @property
    def present(self) -> set[int]:
        """The pull requests in the queue, without those that are ignored."""
        return self.entered.keys() - self._ignored

    def _note_busy(self, at: int) -> None:
        if self.busy_since is None and not self.entered.keys() <= self._ignored:
            self.busy_since = at

    def _left(self, at: int, stay: SeenStay) -> None:
        pull = stay.pull_request
        if pull in self.forgotten and self.forgotten[pull].entered_at == stay.entered_at:
            del self.forgotten[pull]
        if self.entered.get(pull) != stay.entered_at:
            return  # it entered again before this stay ended
        self._remove(pull)
        if stay.reason in MERGED:
            self.last_merge_at = at
            if not self.cases.merges or at - self.cases.merges[-1] > _LANDING:
                self.cases.merges.append(at)
        if stay.reason in FAILED_REASONS:
            self._failures.setdefault(pull, []).append(at)
        for run in [run for run in self.running.values() if pull in run.pull_requests]:
            if not any(member in self.entered for member in run.pull_requests):
                self._finish(at, run)
        self._note_empty(at)

    def _remove(self, pull: int) -> None:
        del self.entered[pull], self.rounds[pull]
        self._forget_waiting(pull)
        self._blamed.discard(pull)

    def _forget_waiting(self, pull: int) -> None:
        self.waiting.pop(pull, None)
        self._again.discard(pull)
        self._ignored.discard(pull)

    def _note_empty(self, at: int) -> None:
        if self.busy_since is not None and self.entered.keys() <= self._ignored:
            self.cases.busy.append(Span(self.busy_since, at))
            self.busy_since = None

    def _note_passed_over(self, at: int, run: SeenRun) -> None:
        latest: dict[str | None, int] = {}
        for pull in run.pull_requests:
            if pull in self.entered:
                priority = self._priority.get(pull)
                latest[priority] = max(latest.get(priority, 0), self.entered[pull])
        last = max(latest.values(), default=0)
        for pull in [pull for pull in self.waiting if self.entered[pull] < last]:
            is_alike = latest.get(self._priority.get(pull), 0) > self.entered[pull]
            self.waiting[pull] += 1 if is_alike else 1 / _OF_OTHERS
            if self.waiting[pull] >= self._most_passed_over:
                self.forgotten[pull] = Forgotten(self.entered[pull], self.waiting[pull])
                self._remove(pull)
        self._note_empty(at)

    def _note_ignored(self, at: int, run: SeenRun) -> None:
        """Who waited beside a free slot is ignored if the next run tests only others that came later."""
        since = self.idle_since
        if since is None or at - since < _IGNORED_AFTER:
            return
        if all(self.entered.get(pull, since) > since for pull in run.pull_requests):
            self._ignored |= {pull for pull in self.waiting if self.entered[pull] <= since}

    def _run_started(self, at: int, run: SeenRun) -> None:
        self._note_ignored(at, run)
        ahead = {pull for other in self.running.values() for pull in other.pull_requests}
        self._trees[run.number] = frozenset(ahead.union(run.pull_requests))
        self.running[run.number] = run
        self.cases.starts.append(at)
        self.is_closed = False
        for pull in run.pull_requests:
            self._tested[pull] += 1
            self._forget_waiting(pull)
            self._remember(pull, at)
        self._note_busy(at)
        self._note_passed_over(at, run)

    def _remember(self, pull: int, at: int) -> None:
        """It is tested after all."""
        if pull in self.forgotten:
            self._add(pull, self.forgotten.pop(pull).entered_at, at)
            self.rounds[pull] = 1

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
        case = Case(run.started_at, at, (at - run.started_at) / SECOND, is_complete)
        self.cases.lengths.append(case)
        if outcome == PASSED:
            self.cases.passed.append(case)
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
            self._end_streak()
        elif outcome in FAILED_OUTCOMES:
            self._note_failure(at, run, tree)

    def _note_failure(self, at: int, run: SeenRun, tree: frozenset[int]) -> None:
        """A failure counts unless it has to do with another of this streak, or with one shortly before it."""
        if at - self._last_failure_at > self.pace.apart:
            self._end_streak()
        self._last_failure_at = at
        self._failing |= dict.fromkeys(run.pull_requests, at)
        if not self._failed_trees.isdisjoint(tree):
            return
        self._failed_trees |= tree
        if all(at - self._failed_at.get(pull, -ROUND) > ROUND for pull in run.pull_requests):
            self.streak.append(run)
            self.cases.streaks.append(Case(self.streak[0].started_at, at, float(len(self.streak))))

    def _end_streak(self) -> None:
        self._failed_at |= self._failing
        self.streak, self._failed_trees, self._failing = [], set(), {}

    def _split(self, at: int, split: SeenSplit) -> None:
        before = self.splits.get(split.bisection, split)
        self.splits[split.bisection] = split
        self.cases.splits.append(Case(before.at, at, float(split.depth)))

    def _split_ended(self, _: int, split: SeenSplit) -> None:
        self.splits.pop(split.bisection, None)

    def open_splits(self) -> Iterator[SeenSplit]:
        """The batches that are being split: a part of each is being tested, or waits for that.

        Not every source says when a bisection ends, or which pull requests the batch has. Then nothing
        remains of it once everything that had entered by then has left.
        """
        oldest = min(self.entered.values(), default=None)
        for split in self.splits.values():
            if split.pull_requests:
                if any(self._is_tested_since(pull, split.at) for pull in split.pull_requests):
                    yield split
            elif oldest is not None and oldest <= split.at:
                yield split

    def _is_tested_since(self, pull: int, at: int) -> bool:
        """Whether it was in the queue by then, and its checks have not passed yet."""
        has_stayed = self.entered.get(pull, at + 1) <= at
        return has_stayed and (pull in self.waiting or self._tested[pull] > 0)

    def _note_idle(self, at: int, *, is_started: bool) -> None:
        has_room = len(self.running) < self.pace.slots and not self.is_closed
        is_idle = has_room and not self.waiting.keys() <= self._ignored and not self._is_undecided
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
