"""Follows one queue through its history: what is in it, what runs, and the cases that show what is normal."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from mergecast.queues.model.instant import DAY, SECOND
from mergecast.signals.thresholds.queue_history import (
    FAILED_OUTCOMES,
    FAILED_REASONS,
    PASSED,
    SKIPPED,
    USUAL_PAUSE,
    Happening,
    HappeningKind,
    SeenRun,
    SeenSplit,
    SeenStay,
)

ROUND: Final = DAY  # how long a failure of a pull request counts as the same round
# A pull request that was passed over by so many CI runs has perhaps left unnoticed. Runs of others with the
# same priority count; which priority is higher is not known, so it takes more of all others.
PASSED_OVER: Final = 10
_OF_OTHERS: Final = 5


class Span(NamedTuple):
    start: int
    end: int


class Case(NamedTuple):
    """One observed value, and the time in which it came about."""

    since: int
    at: int
    value: float


class Forgotten(NamedTuple):
    """A pull request that many runs of later ones have passed over."""

    entered_at: int
    runs: float


@dataclass(slots=True)
class Cases:
    """What has been observed so far, in order."""

    starts: list[int] = field(default_factory=list)
    lengths: list[Case] = field(default_factory=list)  # in seconds
    passed: list[Case] = field(default_factory=list)  # of these, the runs that passed
    # How many failures in a row, entries of one pull request, or splits of one batch there were by then.
    streaks: list[Case] = field(default_factory=list)
    rounds: list[Case] = field(default_factory=list)
    splits: list[Case] = field(default_factory=list)


class Course:
    """The state of a queue after everything that has been applied to it, in order."""

    def __init__(
        self,
        pause: int = USUAL_PAUSE,
        most_passed_over: float | None = None,
        known_forgotten: Collection[tuple[int, int]] = (),
    ) -> None:
        """`known_forgotten` has the pull requests that were found to be forgotten, and when they entered.

        Failures that are further apart than `pause` have nothing to do with each other.
        """
        self.pause = pause
        self.cases = Cases()
        self.entered: dict[int, int] = {}  # pull requests in the queue
        # Those that have not passed and are not tested, and how many runs of later ones passed each over.
        self.waiting: dict[int, float] = {}
        self.forgotten: dict[int, Forgotten] = {}  # no longer among the two above
        self.running: dict[int, SeenRun] = {}
        # Failed runs that share no pull request, since the last one that passed.
        self.streak: list[SeenRun] = []
        self.rounds: dict[int, int] = {}  # how often those in the queue entered
        self.splits: dict[int, SeenSplit] = {}
        self._most_passed_over = PASSED_OVER if most_passed_over is None else most_passed_over
        self._known_forgotten = known_forgotten
        self._priority: dict[int, str | None] = {}
        self._tested: Counter[int] = Counter()
        self._trees: dict[int, frozenset[int]] = {}
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

    def _entered(self, at: int, stay: SeenStay) -> None:
        pull = stay.pull_request
        self._priority[pull] = stay.priority
        if (pull, at) in self._known_forgotten:
            self.forgotten[pull] = Forgotten(at, self._most_passed_over)
            return
        self.entered[pull] = at
        if not self._tested[pull]:
            self.waiting[pull] = 0
        recent = [failed_at for failed_at in self._failures.get(pull, ()) if at - failed_at <= ROUND]
        self.rounds[pull] = 1 + len(recent)
        if recent:
            self.cases.rounds.append(Case(recent[0], at, 1.0 + len(recent)))

    def _left(self, at: int, stay: SeenStay) -> None:
        pull = stay.pull_request
        if pull in self.forgotten and self.forgotten[pull].entered_at == stay.entered_at:
            del self.forgotten[pull]
        if self.entered.get(pull) != stay.entered_at:
            return  # it entered again before this stay ended
        self._remove(pull)
        if stay.reason in FAILED_REASONS:
            self._failures.setdefault(pull, []).append(at)
        for run in [run for run in self.running.values() if pull in run.pull_requests]:
            if not any(member in self.entered for member in run.pull_requests):
                self._finish(at, run)

    def _remove(self, pull: int) -> None:
        del self.entered[pull], self.rounds[pull]
        self.waiting.pop(pull, None)

    def _note_passed_over(self, run: SeenRun) -> None:
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

    def _run_started(self, at: int, run: SeenRun) -> None:
        ahead = {pull for other in self.running.values() for pull in other.pull_requests}
        self._trees[run.number] = frozenset(ahead.union(run.pull_requests))
        self.running[run.number] = run
        self.cases.starts.append(at)
        for pull in run.pull_requests:
            self._tested[pull] += 1
            self.waiting.pop(pull, None)
            self._remember(pull)
        self._note_passed_over(run)

    def _remember(self, pull: int) -> None:
        """It is tested after all."""
        if pull in self.forgotten:
            self.entered[pull] = self.forgotten.pop(pull).entered_at
            self.rounds[pull] = 1

    def _run_ended(self, at: int, run: SeenRun) -> None:
        if run.number in self.running:
            self._finish(at, run)

    def _finish(self, at: int, run: SeenRun) -> None:
        """The run ended, or everything it tested has left."""
        del self.running[run.number]
        is_known = run.ended_at is not None and run.ended_at <= at
        outcome = run.outcome if is_known else None
        case = Case(run.started_at, at, (at - run.started_at) / SECOND)
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
        if outcome not in (PASSED, SKIPPED) and pull in self.entered:
            self.waiting[pull] = 0

    def _note_verdict(self, at: int, run: SeenRun, outcome: str | None) -> None:
        tree = self._trees.pop(run.number)
        if outcome == PASSED:
            self._end_streak()
        elif outcome in FAILED_OUTCOMES:
            self._note_failure(at, run, tree)

    def _note_failure(self, at: int, run: SeenRun, tree: frozenset[int]) -> None:
        """A failure counts unless it has to do with another of this streak, or with one shortly before it."""
        if at - self._last_failure_at > self.pause:
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
