"""Quiet worlds, and what goes wrong in them: histories in which one problem begins at a known instant."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, fields, replace
from functools import cached_property
from random import Random
from typing import Any

from mergecast.forecasting.replay import codes
from mergecast.forecasting.replay.record import Record
from mergecast.forecasting.replay.replay import replay
from mergecast.forecasting.replay.values import (
    Arrivals,
    Oracle,
    Outcome,
    Policy,
    QueueRule,
    RunStart,
    RunStartFields,
)
from mergecast.queues.model.alert import Alert
from mergecast.queues.model.instant import DAY, HOUR, MINUTE
from mergecast.signals.thresholds.branch_alerts import past_standstills
from mergecast.signals.thresholds.course import Span
from mergecast.signals.thresholds.judged import (
    EVERYONE_FAILS,
    FORGOTTEN,
    GOING_ROUND,
    NO_RUN_STARTED,
    RUN_TOO_LONG,
    RUNS_SLOW,
    SOURCE_SILENT,
)
from mergecast.signals.thresholds.levels import Levels, learn
from mergecast.signals.thresholds.looking_back import alerts_as_they_begin
from mergecast.signals.thresholds.queue_history import (
    LEARNED_FROM,
    MERGED,
    PASSED,
    SKIPPED,
    QueueHistory,
    QueueName,
    SeenRun,
    SeenStay,
)
from signals.histories import histories_of_events, history_of_events
from worlds.changes import CHANGES, Change
from worlds.events import history_of
from worlds.families import FAMILIES, fitted
from worlds.world import World, comes_back, fate, outcome

BEFORE = 3 * DAY  # what a measurement reads
LONGEST_WAIT = 2 * HOUR  # to fill a batch, in worlds that wait for that
INJECTED = (
    *(NO_RUN_STARTED, RUN_TOO_LONG, EVERYONE_FAILS, GOING_ROUND),
    *(SOURCE_SILENT, RUNS_SLOW, FORGOTTEN),
)
AFTER = 4 * DAY  # how long a problem may take to be found
_FAILED = "CHECKS_FAILED"
_NEW_PULL = 10_000_000


@dataclass(frozen=True)
class QuietQueue:
    """A world in which nothing special happens, and the history of its queue."""

    world: World
    policy: Policy
    history: QueueHistory


@dataclass(frozen=True)
class QuietBranch:
    """A world in which nothing special happens, and the histories of the queues of its branch."""

    name: str
    world: World
    histories: dict[QueueName, QueueHistory]
    wait: int = 0  # for how long its queues wait to fill a batch


def quiet_queue(number: int, days: int) -> QuietQueue:
    """Every number has its own world, always the same one."""
    change = CHANGES[number % len(CHANGES)]
    world = _quiet_world(number, days, change)
    return QuietQueue(world, change.before, _played(world, change.before))


def quiet_branches(number: int, days: int) -> Iterator[QuietBranch]:
    """Both policies of one of the 18 changes; a number has a world of its own."""
    change = CHANGES[number % len(CHANGES)]
    world = _quiet_world(number, days, change)
    for when, policy in (("before", change.before), ("after", change.after)):
        yield _branch(f"{change.name}, {when}", world, policy)


def waiting_branch(number: int, days: int) -> QuietBranch:
    """Its queue waits up to two hours for four pull requests."""
    policy = Policy(rules=(QueueRule(4, 4, LONGEST_WAIT),), max_parallel_checks=number % 3 + 1)
    world = _quiet_world(number, days, Change("", policy, policy))
    return _branch(f"waits for 4, {number}", world, policy, LONGEST_WAIT)


def shared_branch(number: int, days: int) -> QuietBranch:
    """Two queues share the slots of a branch; one in five pull requests enters the smaller one."""
    change = CHANGES[number % len(CHANGES)]
    world = _quiet_world(number, days, change)
    known = {field.name: getattr(world, field.name) for field in fields(world)}
    policy = replace(change.before, rules=change.before.rules * 2)
    return _branch(f"two queues, {change.name}", TwoQueues(**known), policy)


def _quiet_world(number: int, days: int, change: Change) -> World:
    draw = Random(f"quiet:{number}")
    family = ("tuning", "final")[number % 2]
    drawn = fitted(FAMILIES[family].draw(draw), change, draw.uniform(0.25, 0.75))
    return replace(drawn, days=days, incidents=())


def _branch(name: str, world: World, policy: Policy, wait: int = 0) -> QuietBranch:
    events = history_of(world, world.play(policy))
    return QuietBranch(name, world, histories_of_events(events), wait)


def _played(world: World, policy: Policy) -> QueueHistory:
    return history_of_events(history_of(world, world.play(policy)))


@dataclass(frozen=True)
class TwoQueues(World):
    """Every fifth pull request enters another queue of the same branch."""

    @cached_property
    def arrivals(self) -> Arrivals:
        every = super().arrivals
        return every._replace(rule=[int(number % 5 == 0) for number in every.number])


@dataclass(frozen=True)
class DisturbedWorld(World):
    """In a span, every CI run fails, or takes longer.

    If failing never ended, queues that test again what failed would start CI runs without end.
    """

    disturbed_from: int = 0
    disturbed_until: int = 0
    slower: float = 1.0
    fails: bool = False

    def play(self, policy: Policy) -> Record:
        return replay(self.arrivals, policy, Oracle(self, fate, _outcome, comes_back), self.circumstances())


def _outcome(world: DisturbedWorld, start: RunStartFields) -> Outcome:
    drawn = outcome(world, start)
    if not world.disturbed_from <= RunStart(*start).at < world.disturbed_until:
        return drawn
    drawn = drawn._replace(length=int(drawn.length * world.slower))
    return drawn._replace(verdict=codes.FAIL) if world.fails and drawn.verdict == codes.PASS else drawn


@dataclass(frozen=True)
class Injection:
    """A problem that begins at an instant, in a history up to some days later."""

    problem: str
    at: int
    history: QueueHistory
    levels: Levels


def injections(
    queue: QuietQueue, count: int, problems: Collection[str] = INJECTED, failing: int = AFTER
) -> Iterator[Injection]:
    """So many injections of each problem, at starts of CI runs in the last weeks of the world.

    `failing` is for how long every CI run fails.
    """
    world, history = queue.world, queue.history
    draw = Random(f"{world.seed}:injections")
    late = [run for run in history.runs if world.end - 28 * DAY < run.started_at < world.end - AFTER]
    for run in sorted(draw.sample(late, min(count, len(late)))):
        at = run.started_at
        levels = learn(between(history, at - LEARNED_FROM, at), at)
        near = between(history, at - BEFORE, at + AFTER)
        for problem, spoil in _SPOILED.items():
            if problem in problems:
                yield Injection(problem, at, spoil(near, run), levels)
        if EVERYONE_FAILS in problems:
            failed = _disturbed(queue, disturbed_from=at, disturbed_until=at + failing, fails=True)
            yield Injection(EVERYONE_FAILS, at, between(failed, at - BEFORE, at + AFTER), levels)
        if RUNS_SLOW in problems:
            slow = _disturbed(queue, disturbed_from=at, disturbed_until=at + DAY, slower=2.0)
            yield Injection(RUNS_SLOW, at, between(slow, at - BEFORE, at + AFTER), levels)


def first_found(injection: Injection, within: int = AFTER) -> Alert | None:
    """The first alert about the problem."""
    window, queue = Span(injection.at, injection.at + within), QueueName("main", "default")
    if injection.problem == NO_RUN_STARTED:
        return next(iter(past_standstills("main", {"default": injection.history}, window)), None)
    found = alerts_as_they_begin(queue, injection.history, window, injection.levels)
    return next((alert for alert in found if alert.figure == injection.problem), None)


def _disturbed(queue: QuietQueue, **disturbance: Any) -> QueueHistory:
    known = {field.name: getattr(queue.world, field.name) for field in fields(queue.world)}
    return _played(DisturbedWorld(**known, **disturbance), queue.policy)


def between(history: QueueHistory, start: int, end: int) -> QueueHistory:
    return QueueHistory(
        [stay for stay in history.stays if (stay.left_at or end) >= start and stay.entered_at < end],
        [run for run in history.runs if (run.ended_at or end) >= start and run.started_at < end],
        [split for split in history.splits if start <= split.at < end],
        {name: [at for at in sent if start <= at < end] for name, sent in history.sources.items()},
    )


def _no_run_started(history: QueueHistory, first: SeenRun) -> QueueHistory:
    """No run starts any more; what was tested before still merges."""
    runs = [run for run in history.runs if run.started_at < first.started_at]
    tested = {pull for run in runs if run.outcome in (PASSED, SKIPPED) for pull in run.pull_requests}
    stays = [
        stay if stay.pull_request in tested else _stuck(stay, first.started_at) for stay in history.stays
    ]
    return replace(history, runs=runs, stays=stays)


def _stuck(stay: SeenStay, at: int) -> SeenStay:
    """The stay, if it would merge or fail from then on, without an end."""
    is_by_run = stay.reason in MERGED or stay.reason == _FAILED
    is_later = stay.left_at is not None and stay.left_at >= at
    return stay._replace(left_at=None, reason=None) if is_by_run and is_later else stay


def _run_too_long(history: QueueHistory, first: SeenRun) -> QueueHistory:
    """One run never ends."""
    runs = [
        run._replace(ended_at=None, outcome=None) if run.number == first.number else run
        for run in history.runs
    ]
    stays = [
        _endless(stay) if stay.pull_request in first.pull_requests and _is_at(stay, first) else stay
        for stay in history.stays
    ]
    return replace(history, runs=runs, stays=stays)


def _is_at(stay: SeenStay, run: SeenRun) -> bool:
    return stay.entered_at <= run.started_at and (stay.left_at is None or stay.left_at >= run.started_at)


def _endless(stay: SeenStay) -> SeenStay:
    return stay._replace(left_at=None, reason=None)


def _going_round(history: QueueHistory, first: SeenRun) -> QueueHistory:
    """One more pull request fails, and enters again ten minutes later, all day."""
    length = 30 * MINUTE
    starts = [first.started_at + turn * (length + 10 * MINUTE) for turn in range(30)]
    stays = [SeenStay(_NEW_PULL, at, at + length, _FAILED) for at in starts]
    return replace(history, stays=[*history.stays, *stays])


def _forgotten(history: QueueHistory, first: SeenRun) -> QueueHistory:
    """One more pull request enters, and is never tested."""
    return replace(history, stays=[*history.stays, SeenStay(_NEW_PULL, first.started_at, None, None)])


def _source_silent(history: QueueHistory, first: SeenRun) -> QueueHistory:
    """Nothing is heard of anything that happens from now on."""
    at = first.started_at
    return QueueHistory(
        [_unheard(stay, at) for stay in history.stays if stay.entered_at < at],
        [
            run._replace(ended_at=None, outcome=None) if (run.ended_at or at) >= at else run
            for run in history.runs
            if run.started_at < at
        ],
        [split for split in history.splits if split.at < at],
        {name: [sent for sent in instants if sent < at] for name, instants in history.sources.items()},
    )


def _unheard(stay: SeenStay, at: int) -> SeenStay:
    return _endless(stay) if stay.left_at is not None and stay.left_at >= at else stay


_SPOILED = {
    NO_RUN_STARTED: _no_run_started,
    RUN_TOO_LONG: _run_too_long,
    GOING_ROUND: _going_round,
    SOURCE_SILENT: _source_silent,
    FORGOTTEN: _forgotten,
}
