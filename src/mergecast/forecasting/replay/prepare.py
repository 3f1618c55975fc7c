"""Converts the values that callers pass into the state that the loop begins with."""

from collections import deque
from heapq import heapify
from itertools import chain

from mergecast.forecasting.replay.state import (
    CHANGE,
    FAR,
    GATE,
    OUTAGE,
    PAUSE,
    PUSH,
    STOP,
    WAKE_UP,
    Agenda,
    Change,
    Kind,
    Pull,
    Queue,
)
from mergecast.forecasting.replay.values import Arrivals, Circumstances, Closing, Mode, Oracle, Policy

_NO_SCOPE = 1 << 61  # pull requests without scopes share this one
_MOST_RUNS_PER_PULL = 16
_SPARE_RUNS = 50_000
_ACTIONS = {Closing.PAUSE: PAUSE, Closing.OUTAGE: OUTAGE}
_ABOVE_ALL = 10_001  # the priority of an entry that jumps GitHub's queue


def prepare(arrivals: Arrivals, policy: Policy, oracle: Oracle, around: Circumstances) -> Queue:
    """An empty train, and the arrivals to come."""
    priorities = _priorities(arrivals, policy)
    kinds = _kinds(arrivals, policy, levels=len(set(priorities)))
    changes = _changes(around, len(policy.rules))
    return Queue(
        policy=policy,
        variants=policy.variants,
        is_serial=policy.mode is Mode.SERIAL,
        is_isolated=policy.mode is Mode.ISOLATED,
        has_groups=policy.variants.parts_wait or policy.variants.stopped_wait,
        skips=policy.skip_intermediate_results and policy.mode is not Mode.ISOLATED,
        most_runs=_MOST_RUNS_PER_PULL * len(priorities) + _SPARE_RUNS,
        tables=oracle.tables,
        fate=oracle.fate,
        outcome=oracle.outcome,
        comes_back=oracle.comes_back,
        now=around.begins_at,
        free=policy.max_parallel_checks,
        pulls=_pulls(arrivals, policy, priorities, kinds, around),
        kinds=list(kinds.values()),
        changes=changes,
        initial_batches=around.initial_batches,
        agenda=_agenda(around, changes),
        takes_slot=[0, 1, int(policy.variants.slot_until_merged), 0, 0],
        closed_by=[0] * (len(policy.rules) + 1),
    )


def _priorities(arrivals: Arrivals, policy: Policy) -> list[int]:
    if policy.landing is None:
        return list(arrivals.priority)
    # GitHub has no priorities, only jumping to the front.
    rows = zip(arrivals.priority, arrivals.interrupts, strict=True)
    return [_ABOVE_ALL if jumps else priority for priority, jumps in rows]


def _kinds(arrivals: Arrivals, policy: Policy, levels: int) -> dict[tuple[int, int], Kind]:
    """The kinds of pull requests by rule and scopes, with a lane for each priority."""
    return {
        (rule, scopes): Kind(
            rule=rule,
            settings=policy.rules[rule],
            scopes=scopes,
            mask=_mask(scopes, policy.mode),
            lanes=[deque() for _ in range(levels)],
        )
        for rule, scopes in sorted(set(zip(arrivals.rule, _scopes(arrivals, policy), strict=True)))
    }


def _scopes(arrivals: Arrivals, policy: Policy) -> list[int]:
    """The scopes of each pull request; 0 if they do not matter."""
    if policy.mode is Mode.PARALLEL or (policy.mode is Mode.ISOLATED and policy.capacities):
        return list(arrivals.scopes)
    return [0] * len(arrivals.scopes)


def _mask(scopes: int, mode: Mode) -> int:
    if mode is Mode.SERIAL:
        return 1
    return 0 if mode is Mode.ISOLATED else scopes or _NO_SCOPE


def _pulls(
    arrivals: Arrivals,
    policy: Policy,
    priorities: list[int],
    kinds: dict[tuple[int, int], Kind],
    around: Circumstances,
) -> list[Pull]:
    levels = {priority: level for level, priority in enumerate(sorted(set(priorities), reverse=True))}
    under_test = set(chain.from_iterable(batch.members for batch in around.initial_batches))
    kind_of = [kinds[pair] for pair in zip(arrivals.rule, _scopes(arrivals, policy), strict=True)]
    return [
        Pull(row, number, at, priority, interrupts, row in under_test, kind, kind.lanes[levels[priority]])
        for row, (number, at, priority, interrupts, kind) in enumerate(
            zip(arrivals.number, arrivals.entered_at, priorities, arrivals.interrupts, kind_of, strict=True)
        )
    ]


def _changes(around: Circumstances, rules: int) -> list[Change]:
    """Openings, closings and pushes, in the order in which they are applied."""
    found = [Change(at, PUSH, 0, 0) for at in around.pushes]
    for span in around.closed:
        if span.start < span.end:
            action = _ACTIONS.get(span.closing, GATE)
            rule = rules if span.rule is None else span.rule
            found += [Change(span.start, action, rule, 1), Change(span.end, action, rule, -1)]
    return sorted(found, key=lambda change: (change.at, change.action == PUSH, -change.step))


def _agenda(around: Circumstances, changes: list[Change]) -> Agenda:
    """The initial agenda: what is known in advance."""
    agenda = [(max(change.at, around.begins_at), CHANGE, row, 0) for row, change in enumerate(changes)]
    agenda.append((around.begins_at, WAKE_UP, 0, 0))  # to check the batches that are in the train
    agenda.append((FAR if around.ends_at is None else around.ends_at + 1, STOP, 0, 0))
    heapify(agenda)
    return agenda
