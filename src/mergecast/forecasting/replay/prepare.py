"""Converts the values that callers pass into the numbers that the loop reads."""

from collections import deque
from heapq import heapify
from itertools import chain

from mergecast.forecasting.replay.codes import NEVER
from mergecast.forecasting.replay.layout import (
    C_AT,
    CHANGE,
    FAR,
    GATE,
    PAUSE,
    PUSH,
    RUN_WIDTH,
    STOP,
    WAKE_UP,
    Agenda,
    Queue,
    Rules,
)
from mergecast.forecasting.replay.values import Arrivals, Closing, Mode, Oracle, Policy, Split, Surroundings

_NO_SCOPE = 1 << 61  # pull requests without scopes share this one
_MOST_RUNS_PER_PULL = 16
_SPARE_RUNS = 50_000
_ABOVE_ALL = 10_001  # the priority of an entry that jumps GitHub's queue


def prepare(arrivals: Arrivals, policy: Policy, oracle: Oracle, around: Surroundings) -> Queue:
    """An empty train, and the arrivals to come."""
    urgency = _priorities(arrivals, policy)
    levels = {priority: level for level, priority in enumerate(sorted(set(urgency), reverse=True))}
    kinds, rows = _kinds(arrivals, policy)
    changes = _changes(around, len(policy.rules))
    stands = set(chain.from_iterable(batch.members for batch in around.standing))
    pulls = [
        list(arrivals.number),
        [*arrivals.entered_at, FAR],  # a sentinel: there is always a later arrival
        rows,
        urgency,
        [int(pull in stands) for pull in range(len(rows))] if stands else [0] * len(rows),
    ]
    return Queue(
        rules=_rules(policy, max(len(levels), 1), len(rows)),
        tables=oracle.tables,
        fate=oracle.fate,
        outcome=oracle.outcome,
        comes_back=oracle.comes_back,
        now=around.begins_at,
        free=policy.max_parallel_checks,
        pulls=pulls,
        lane_of=[row * len(levels) + levels[priority] for row, priority in zip(rows, urgency, strict=True)],
        interrupts=[int(interrupts) for interrupts in arrivals.interrupts],
        led=[0] * len(rows),
        takes_slot=[0, 1, int(policy.variants.slot_until_merged), 0, 0],
        lanes=[deque() for _ in range(len(kinds) * max(len(levels), 1))],
        kinds=_kind_table(kinds, policy),
        queue_rules=_queue_rules(policy),
        changes=changes,
        standing=_standing(around),
        standing_members=list(chain.from_iterable(batch.members for batch in around.standing)),
        capacities=[list(column) for column in zip(*policy.capacities, strict=True)] or [[], []],
        agenda=_agenda(around, changes[C_AT]),
    )


def _priorities(arrivals: Arrivals, policy: Policy) -> list[int]:
    if policy.landing is None:
        return list(arrivals.priority)
    # GitHub has no priorities, only jumping to the front.
    rows = zip(arrivals.priority, arrivals.interrupts, strict=True)
    return [_ABOVE_ALL if jumps else priority for priority, jumps in rows]


def _kinds(arrivals: Arrivals, policy: Policy) -> tuple[list[tuple[int, int]], list[int]]:
    """Rules and scopes that must be equal for pull requests to be tested together, and the kind of each."""
    if policy.mode is Mode.PARALLEL or (policy.mode is Mode.ISOLATED and policy.capacities):
        pairs = list(zip(arrivals.rule, arrivals.scopes, strict=True))
        kinds = sorted(set(pairs))
        row_of = {kind: row for row, kind in enumerate(kinds)}
        return kinds, [row_of[pair] for pair in pairs]
    rules = sorted(set(arrivals.rule))
    row_of_rule = {rule: row for row, rule in enumerate(rules)}
    return [(rule, 0) for rule in rules], [row_of_rule[rule] for rule in arrivals.rule]


def _kind_table(kinds: list[tuple[int, int]], policy: Policy) -> list[list[int]]:
    none = [0] * len(kinds)
    return [
        [rule for rule, _ in kinds],
        [scopes for _, scopes in kinds],
        [_mask(scopes, policy.mode) for _, scopes in kinds],
        none,
    ]


def _mask(scopes: int, mode: Mode) -> int:
    """Two kinds depend on each other if their masks share a bit."""
    if mode is Mode.SERIAL:
        return 1
    return 0 if mode is Mode.ISOLATED else scopes or _NO_SCOPE


def _queue_rules(policy: Policy) -> list[list[int]]:
    """One row per queue rule, and one for the whole train, which only counts what closes it."""
    rows = [
        (
            rule.batch_size_min,
            rule.batch_size_max,
            rule.batch_max_wait_time,
            rule.max_checks_retries,
            NEVER if rule.checks_timeout is None else rule.checks_timeout,
            NEVER if (limit := rule.batch_max_failure_resolution_attempts) is None else limit,
            0,
        )
        for rule in policy.rules
    ]
    return [list(column) for column in zip(*rows, (0,) * 7, strict=True)]


def _changes(around: Surroundings, rules: int) -> list[list[int]]:
    """Openings, closings and pushes, in the order in which they are applied."""
    rows = [(at, PUSH, 0, 0) for at in around.pushes]
    for span in around.closed:
        if span.start < span.end:
            action = PAUSE if span.closing is Closing.PAUSE else GATE
            rule = rules if span.rule is None else span.rule
            rows += [(span.start, action, rule, 1), (span.end, action, rule, -1)]
    rows.sort(key=lambda row: (row[0], row[1] == PUSH, -row[3]))
    return [list(column) for column in zip(*rows, strict=True)] or [[], [], [], []]


def _agenda(around: Surroundings, changes: list[int]) -> Agenda:
    """The initial agenda: what is known in advance."""
    agenda = [(max(at, around.begins_at), CHANGE, row, 0) for row, at in enumerate(changes)]
    agenda.append((around.begins_at, WAKE_UP, 0, 0))  # to check the batches that stand in the train
    agenda.append((FAR if around.ends_at is None else around.ends_at + 1, STOP, 0, 0))
    heapify(agenda)
    return agenda


def _standing(around: Surroundings) -> list[list[int]]:
    rows = [
        (len(batch.members), batch.attempt, batch.started_at, int(batch.has_passed))
        for batch in around.standing
    ]
    return [list(column) for column in zip(*rows, strict=True)] or [[], [], [], []]


def _rules(policy: Policy, lanes_per_kind: int, pulls: int) -> Rules:
    variants, landing, mode = policy.variants, policy.landing, policy.mode
    parts = {Split.HALVES: 2, Split.SINGLES: 0, Split.CHUNKS: max(2, policy.max_parallel_checks)}
    skips = policy.skip_intermediate_results and mode is not Mode.ISOLATED
    return Rules(
        slots=policy.max_parallel_checks,
        is_serial=int(mode is Mode.SERIAL),
        is_isolated=int(mode is Mode.ISOLATED),
        merges_in_line=int(mode is Mode.SERIAL and landing is None),
        skips=int(skips),
        resets=int(policy.reset_on_external_merge),
        lands_groups=int(landing is not None),
        min_entries=landing.min_entries if landing else 1,
        max_entries=landing.max_entries if landing else 1,
        entries_wait=landing.wait if landing else 0,
        is_head_green=int(landing is not None and landing.head_green),
        slot_until_merged=int(variants.slot_until_merged),
        holds=int(skips and variants.holds_for_vouchers),
        forms_behind_failure=int(variants.forms_behind_failure),
        parts=parts[variants.split],
        tests_last_member=int(variants.tests_last_member),
        keeps_parts=int(variants.keeps_parts),
        wait_from_seed=int(variants.wait_from_seed),
        spares_head=int(variants.spares_head),
        one_priority=int(variants.one_priority),
        urgent_starts_at_once=int(variants.urgent_starts_at_once),
        closed_stops_starts=int(variants.closed_stops_starts),
        retries_timeouts=int(variants.retries_timeouts),
        splits_timeouts=int(variants.splits_timeouts),
        waits_for_ahead=int(variants.waits_for_ahead),
        lanes_per_kind=lanes_per_kind,
        most_runs=(_MOST_RUNS_PER_PULL * pulls + _SPARE_RUNS) * RUN_WIDTH,
    )
