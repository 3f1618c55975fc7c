"""A merge queue: how it reacts to what happens."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from mergecast.demo.ci_checks import CiRun, ci_checks
from mergecast.demo.ci_runs import CiResult, ci_result
from mergecast.demo.event_log import Agenda, EventLog
from mergecast.demo.incidents import closed_until
from mergecast.demo.settings import MAX_BISECTION_SPLITS, MAX_CHECKS_RETRIES, URGENT, QueueRules
from mergecast.demo.stays import Batch, BatchPart, Bisection, Group, Stay, WaitingLine, count_wait

_OUTCOMES_WHEN_RETRIED: Final = {
    "CHECKS_FAILED": "CHECKS_RETRIED",
    "CHECKS_INTERRUPTED": "CHECKS_INTERRUPTED",
}


@dataclass(frozen=True, slots=True)
class Simulation:
    """What all queues share; they call `when_left` with each stay that ends, and the reason.

    The CI checks of runs that end before `checks_since` are not reported.
    """

    seed: int
    agenda: Agenda
    log: EventLog
    when_left: Callable[[Stay, str], None]
    checks_since: float = 0.0


class MergeQueue:
    """The train is the list of batches under test, head first; each is tested on top of those before it."""

    def __init__(self, rules: QueueRules, simulation: Simulation) -> None:
        self._rules = rules
        self._simulation = simulation
        self._agenda = simulation.agenda
        self._log = simulation.log
        self._line = WaitingLine(rules)
        self._train: list[Batch] = []
        self._batches_formed = 0

    def enter(self, stay: Stay) -> None:
        """Add a pull request; an urgent one interrupts others."""
        self._log.entered(stay)
        self._line.join(stay, self._log.now)
        if stay.group.priority_rule_name == URGENT:
            self._tear_down(self._first_to_interrupt(), "PR_WITH_HIGHER_PRIORITY_QUEUED")
        self.start_batches()

    def withdraw(self, stay: Stay, reason: str) -> None:
        """Remove a pull request because a person wants to; do nothing if it has left already."""
        if stay.has_left:
            return
        if stay.batch is None:
            self._line.drop(stay)
        else:
            self._take_out(stay, stay.batch, reason)
        self._leave(stay, reason, None)
        self.start_batches()

    def disrupt(self, outcome: str) -> None:
        """Stop all running checks for a reason outside the queue."""
        self._tear_down(0, outcome)
        self.start_batches()

    def start_batches(self) -> None:
        """Start as many batches as the rules allow now, and plan the next attempt."""
        reopens_at = closed_until(self._rules, self._simulation.seed, self._log.now)
        if reopens_at is not None:
            self._agenda.plan(reopens_at, self.start_batches)
            return
        while self._has_free_slot() and (ready_at := self._line.ready_at()) is not None:
            if self._log.now < ready_at:
                self._agenda.plan(ready_at, self.start_batches)
                return
            self._start_batch(self._line.take())

    def _has_free_slot(self) -> bool:
        running = [batch.outcome for batch in self._train].count(None)
        return running < self._rules.max_parallel_checks

    def _first_to_interrupt(self) -> int:
        # The head of the train is about to merge and is left alone, and so is a bisection.
        index = len(self._train)
        while index > 1 and _is_interruptible(self._train[index - 1]):
            index -= 1
        return index

    def _start_batch(self, part: BatchPart) -> None:
        stays = self._without_conflicts(part)
        if not stays:
            return
        self._batches_formed += 1
        batch_id = f"{self._rules.name}-{self._log.name}-{self._batches_formed:05d}"
        batch = Batch(batch_id, stays, part.bisection, any(ahead.is_broken for ahead in self._train))
        for stay in stays:
            count_wait(self._rules, stay, self._log.now)
            stay.batch = batch
        self._train.append(batch)
        self._run(batch)

    def _without_conflicts(self, part: BatchPart) -> list[Stay]:
        reason = "CONFLICT_WITH_PULL_AHEAD" if self._train else "CONFLICT_WITH_BASE_BRANCH"
        for stay in part.stays:
            if stay.fate.has_conflict:
                self._leave(stay, reason, None)
        return [stay for stay in part.stays if not stay.has_left]

    def _run(self, batch: Batch) -> None:
        for stay in batch.stays:
            self._log.checks_started(stay, batch)
        result = ci_result(self._simulation.seed, self._rules.pipeline, batch, self._log.now)
        batch.run_at, batch.run_seconds = self._log.now, result.seconds
        finish = partial(self._finish, batch, batch.attempt, result)
        self._agenda.plan(self._log.now + result.seconds, finish)

    def _finish(self, batch: Batch, attempt: int, result: CiResult) -> None:
        if batch not in self._train:
            return
        if result.outcome in _OUTCOMES_WHEN_RETRIED and attempt <= MAX_CHECKS_RETRIES:
            self._end_checks(batch, _OUTCOMES_WHEN_RETRIED[result.outcome])
            batch.attempt += 1
            self._run(batch)
            return
        self._end_checks(batch, result.outcome)
        batch.outcome = result.outcome
        self._settle()
        self.start_batches()

    def _end_checks(self, batch: Batch, outcome: str) -> None:
        self._report_checks(batch, outcome)
        for stay in batch.stays:
            self._log.checks_ended(stay, batch, outcome)

    def _report_checks(self, batch: Batch, outcome: str) -> None:
        if self._log.now < self._simulation.checks_since:
            return
        id = f"{batch.batch_id}:{batch.attempt}"
        run = CiRun(id, batch.run_at, self._log.now, batch.run_seconds, outcome, batch.breakage)
        group = Group(self._rules.base_ref, self._rules.name, None)
        self._log.ci_checks(group, batch, ci_checks(self._simulation.seed, run))

    def _settle(self) -> None:
        if self._rules.skips_intermediate_results:
            self._merge_ahead_of_success()
        while self._train and (outcome := self._train[0].outcome) is not None:
            batch = self._train.pop(0)
            if outcome == "SUCCESS":
                self._merge(batch)
            else:
                self._resolve(batch, outcome)

    def _merge_ahead_of_success(self) -> None:
        passed = [index for index, batch in enumerate(self._train) if batch.outcome == "SUCCESS"]
        for batch in [self._train.pop(0) for _ in range(max(passed, default=0))]:
            if batch.outcome is None:
                self._end_checks(batch, "INTERMEDIATE_RESULTS_SKIPPED")
            self._leave_together(batch, "PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED")

    def _merge(self, batch: Batch) -> None:
        for stay in batch.stays:
            reason = "PR_UNEXPECTEDLY_FAILED_TO_MERGE" if stay.fate.is_refused else "PR_MERGED"
            self._leave(stay, reason, batch.batch_id)
        if any(stay.fate.is_refused for stay in batch.stays):
            self._tear_down(0, "PR_AHEAD_DEQUEUED")

    def _resolve(self, batch: Batch, outcome: str) -> None:
        self._tear_down(0, "BATCH_AHEAD_FAILED")
        if outcome == "CHECKS_FAILED" and len(batch.stays) > 1:
            self._bisect(batch, batch.bisection or _new_bisection(batch))
            return
        if batch.bisection is not None:
            batch.bisection.culprit_found |= outcome == "CHECKS_FAILED"
        self._leave_together(batch, outcome)

    def _bisect(self, batch: Batch, bisection: Bisection) -> None:
        if bisection.splits == MAX_BISECTION_SPLITS:
            bisection.max_failures_reached = True
            self._leave_together(batch, "BATCH_MAX_FAILURE_RESOLUTION_ATTEMPTS")
            return
        self._log.bisection_started(bisection, batch)
        bisection.splits += 1
        middle = (len(batch.stays) + 1) // 2
        halves = batch.stays[:middle], batch.stays[middle:]
        self._line.join_first((BatchPart(half, bisection) for half in halves), self._log.now)

    def _tear_down(self, index: int, outcome: str) -> None:
        self._train, torn = self._train[:index], self._train[index:]
        for batch in torn:
            if batch.outcome is None:
                self._end_checks(batch, outcome)
        self._line.requeue(torn, self._log.now)

    def _take_out(self, stay: Stay, batch: Batch, reason: str) -> None:
        if batch.outcome is None:
            self._log.checks_ended(stay, batch, reason)
        batch.stays.remove(stay)
        self._tear_down(self._train.index(batch), "PR_AHEAD_DEQUEUED")

    def _leave_together(self, batch: Batch, reason: str) -> None:
        for stay in batch.stays:
            self._leave(stay, reason, batch.batch_id)

    def _leave(self, stay: Stay, reason: str, batch_id: str | None) -> None:
        if stay.batch is None:
            count_wait(self._rules, stay, self._log.now)
        stay.has_left = True
        self._log.left(stay, reason, batch_id)
        if stay.bisection is not None and stay.bisection.is_over_without(stay.session_id):
            self._log.bisection_ended(stay.bisection)
        self._simulation.when_left(stay, reason)


def _is_interruptible(batch: Batch) -> bool:
    return batch.bisection is None and batch.priority_rule_name != URGENT


def _new_bisection(batch: Batch) -> Bisection:
    unresolved = {stay.session_id for stay in batch.stays}
    bisection = Bisection(batch.batch_id, batch.stays[0].group, unresolved)
    for stay in batch.stays:
        stay.bisection = bisection
    return bisection
