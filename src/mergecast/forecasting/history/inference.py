"""Infers the rules and settings of a queue from its history."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final, NamedTuple

from mergecast.forecasting.history.ahead import LAG
from mergecast.forecasting.history.closed_time import ClosedTime, closed_time, starts_are_held
from mergecast.forecasting.history.failures import (
    forms_behind_failures,
    holds_for_vouchers,
    keeps_parts,
    most_splits,
    parts_wait,
    resolved_at,
    retries_timeouts,
    split_shape,
    splits_timeouts,
    stopped_wait,
    tests_last_member,
    waits_for_ahead,
)
from mergecast.forecasting.history.occupancy import Spell, most_at_once, slots_kept_until_merged, spells
from mergecast.forecasting.history.seconds import MICROSECONDS, MINUTE, in_seconds
from mergecast.forecasting.history.starting import (
    densest,
    fill_wait,
    interrupting_rules,
    largest_batches,
    most_retries,
    one_priority,
    priorities,
    spares_head,
    urgent_starts_at_once,
    waits_from_seed,
)
from mergecast.forecasting.history.structure import History, Run, Stay
from mergecast.forecasting.history.train import Detection, Tally, Train
from mergecast.forecasting.replay.values import Landing, Policy, QueueRule, Split, Variants

_DEFAULT_WAIT: Final = 30
_HALF_MINUTE: Final = MINUTE / 2
# Entries that GitHub merges together unless a setting or the history says otherwise.
USUAL_GROUP: Final = 5
_LEAST: Final = 5 * MINUTE
Span = tuple[float, float]


@dataclass(frozen=True)
class TrainRules:
    """How one train of the history works. `queue_names` are in the order of `policy.rules`."""

    recorded: Train
    kind: str  # mergify, github or gitlab
    queue_names: tuple[str, ...]
    policy: Policy
    priorities: dict[str | None, int]
    interrupting: frozenset[str | None]
    closed: ClosedTime
    detected: tuple[Detection, ...]

    @property
    def quoted_names(self) -> str:
        return " and ".join(f"`{name}`" for name in self.queue_names)


def infer(history: History) -> tuple[TrainRules, ...]:
    """The rules of every train of a base branch; where its history shows no case, the documented rule."""
    sharing = one_train_per_queue(history)
    names = history.queue_names
    groups = [(name,) for name in names] if sharing.is_against else [names]
    trains = [Train(history.of_queues(queues)) if len(groups) > 1 else Train(history) for queues in groups]
    occupied = [spells(train) for train in trains]
    seen = [_detect(train, found) for train, found in zip(trains, occupied, strict=True)]
    shown = sharing.detection("train", "one per base branch", "one per queue")
    return tuple(
        _train_rules(train, queues, (shown, *_with_siblings(own, seen)), most_at_once(found))
        for train, queues, own, found in zip(trains, groups, seen, occupied, strict=True)
    )


def _with_siblings(
    own: tuple[Detection, ...], all_trains: list[tuple[Detection, ...]]
) -> tuple[Detection, ...]:
    """The rules of one train; one that its history does not show is taken from the train with most cases."""
    return tuple(
        detection if detection.cases else max(others, key=lambda other: other.cases)
        for detection, *others in zip(own, *all_trains, strict=True)
    )


def _train_rules(
    train: Train, names: tuple[str, ...], detected: tuple[Detection, ...], slots: int
) -> TrainRules:
    largest = largest_batches(train)
    values = {detection.rule: detection.value for detection in detected}
    kind = _kind(train, values)
    closed = closed_time(train, starts_held=values["closed time"] == "holds starts")
    rules = {name: _queue_rule(train, largest, name) for name in names}
    known = (*closed.schedules, *closed.freezes, *closed.pauses)
    return TrainRules(
        recorded=train,
        kind=kind,
        queue_names=names,
        policy=Policy(
            rules=tuple(rules.values()),
            max_parallel_checks=slots,
            skip_intermediate_results=_has_skip(train),
            landing=landing(train) if kind == "github" else None,
            variants=variants(values, kind),
        ),
        priorities=priorities(train),
        interrupting=frozenset(interrupting_rules(train)),
        closed=closed._replace(outages=outages(train, rules, known)),
        detected=detected,
    )


def _has_skip(train: Train) -> bool:
    return any(stay.reason == "PR_MERGED_INTERMEDIATE_RESULTS_SKIPPED" for stay in train.history.stays)


def _detect(train: Train, occupied: list[Spell]) -> tuple[Detection, ...]:
    slots = most_at_once(occupied)
    largest = largest_batches(train)
    hold = holds_for_vouchers(train) if _has_skip(train) else Tally(0, 0)
    return (
        slots_kept_until_merged(train, occupied, slots).detection("slot", "until checks end", "until merged"),
        hold.detection("failure under skip", "waits for runs on top", "resolved at once"),
        forms_behind_failures(train).detection("behind a bisection", "nothing starts", "batches start"),
        split_shape(train, slots),
        tests_last_member(train).detection("last member of a split", "not tested", "tested"),
        parts_wait(train).detection("parts of a failed batch", "run before others", "wait behind others"),
        stopped_wait(train).detection("rest of a stopped batch", "keeps its place", "waits behind others"),
        keeps_parts(train).detection("stopped parts", "wait with the others", "run again as they were"),
        waits_from_seed(train, largest).detection("wait to fill", "from the oldest member", "from the first"),
        one_priority(train, largest).detection("priorities in a batch", "mixed", "one"),
        urgent_starts_at_once(train, largest).detection("urgent batches", "wait to fill", "start at once"),
        spares_head(train).detection("interrupted head", "stopped", "spared"),
        starts_are_held(train).detection("closed time", "holds merges", "holds starts"),
        retries_timeouts(train).detection("timeouts", "not retried", "retried"),
        splits_timeouts(train).detection("batches that time out", "split", "leave"),
        waits_for_ahead(train).detection("failure behind others", "waits for them", "resolved at once"),
    )


def _kind(train: Train, values: dict[str, str]) -> str:
    for kind in ("github", "gitlab"):
        if kind in train.history.sources:
            return kind
    singles = all(len(run.members) == 1 for run in train.history.runs)
    if not singles or values["failure behind others"] == "waits for them":
        return "mergify"
    return "gitlab" if values["slot"] == "until merged" else "github"


def variants(values: dict[str, str], kind: str) -> Variants:
    return Variants(
        slot_until_merged=values["slot"] == "until merged" or kind == "gitlab",
        holds_for_vouchers=values["failure under skip"] == "waits for runs on top",
        forms_behind_failure=values["behind a bisection"] == "batches start" or kind != "mergify",
        split=Split(values["split"]),
        tests_last_member=values["last member of a split"] == "tested",
        parts_wait=values["parts of a failed batch"] == "wait behind others",
        stopped_wait=values["rest of a stopped batch"] == "waits behind others",
        keeps_parts=values["stopped parts"] == "run again as they were",
        one_priority=values["priorities in a batch"] == "one",
        urgent_starts_at_once=values["urgent batches"] == "start at once",
        wait_from_seed=values["wait to fill"] == "from the first",
        spares_head=values["interrupted head"] == "spared",
        closed_stops_starts=values["closed time"] == "holds starts",
        retries_timeouts=values["timeouts"] == "retried",
        splits_timeouts=values["batches that time out"] == "split",
        waits_for_ahead=values["failure behind others"] == "waits for them" and kind == "mergify",
    )


def _queue_rule(train: Train, largest: dict[str, int], name: str) -> QueueRule:
    runs = [run for run in train.history.runs if run.queue_name == name]
    lengths = [
        run.ended - run.started for run in runs if run.outcome == "CHECKS_TIMEOUT" and run.ended is not None
    ]
    wait, cases = fill_wait(train, largest, name)
    # Starting takes some seconds, and people choose round numbers.
    wait -= wait % _HALF_MINUTE if wait % _HALF_MINUTE <= LAG else 0.0
    return QueueRule(
        batch_size_min=largest[name],
        batch_size_max=largest[name],
        batch_max_wait_time=round(wait if cases else _DEFAULT_WAIT) * MICROSECONDS,
        max_checks_retries=most_retries(runs),
        checks_timeout=round(median(lengths)) * MICROSECONDS if lengths else None,
        batch_max_failure_resolution_attempts=most_splits(train),
    )


def one_train_per_queue(history: History) -> Tally:
    """Whether a failure in one queue does not affect later runs of another queue."""
    alone = together = 0
    if len(history.queue_names) == 1:
        return Tally(0, 0)
    whole = Train(history)
    for name in history.queue_names:
        part = Train(history.of_queues([name]))
        for run in part.history.runs:
            if run.outcome != "CHECKS_FAILED" or run.ended is None:
                continue
            moment = resolved_at(part, run)
            if moment is None:
                continue
            for other in whole.running_at(moment):
                if other.queue_name != name and other.started > run.started + LAG:
                    was_stopped = other.ended is not None and other.ended <= moment + LAG
                    together += was_stopped and other.outcome == "BATCH_AHEAD_FAILED"
                    alone += not was_stopped
    return Tally(against=alone, agreeing=together)


class _Group(NamedTuple):
    """Entries that were merged together."""

    size: int
    delay: float  # from the front entry's green build to the merge
    age: float  # of the front entry at the merge
    has_red: bool


def landing(train: Train) -> Landing:
    """The merge settings that explain which entries were merged together."""
    groups = _groups(train)
    waited = [group for group in groups if group.delay > 2 * LAG]
    at_once = [group.size for group in groups if group.delay <= 2 * LAG]
    wait, _ = densest(sorted(group.age for group in waited))
    early = [group.size for group in waited if group.age < wait - 2 * LAG]
    return Landing(
        min_entries=min([*early, *(size for size in at_once if size > 1)], default=2) if wait else 1,
        max_entries=max([USUAL_GROUP, *(group.size for group in groups)]),
        wait=round(wait) * MICROSECONDS,
        head_green=sum(group.has_red for group in groups) > len(groups) // 100,
    )


def _groups(train: Train) -> list[_Group]:
    merged = sorted(
        (stay for stay in train.history.stays if stay.is_merged), key=lambda stay: stay.left or 0.0
    )
    together: dict[float, list[Stay]] = defaultdict(list)
    first = -1e18
    for stay in merged:
        left = stay.left or 0.0
        first = left if left - first > LAG else first
        together[first].append(stay)
    return [
        _group(train, stays) for stays in together.values() if all(train.runs_of.get(s.number) for s in stays)
    ]


def _group(train: Train, stays: list[Stay]) -> _Group:
    front = min(stays, key=lambda stay: stay.entered)
    left = min(stay.left or 0.0 for stay in stays)
    green = train.runs_of[front.number][-1].ended
    reds = [train.runs_of[stay.number][-1].has_failed for stay in stays]
    return _Group(len(stays), left - (left if green is None else green), left - front.entered, any(reds))


def outages(train: Train, rules: dict[str, QueueRule], closed: Sequence[Span]) -> tuple[Span, ...]:
    """Spans in which no run was in progress, a batch was ready, and nothing else explains why it waited."""
    found: list[Span] = []
    idle_since = 0.0
    for run in train.history.runs:
        ready = max(idle_since, _ready(train, run, in_seconds(rules[run.queue_name].batch_max_wait_time)))
        if run.started - ready > _LEAST and not any(a < run.started and b > ready for a, b in closed):
            found.append((ready, run.started))
        idle_since = max(idle_since, train.history.length if run.ended is None else run.ended)
    return tuple(found)


def _ready(train: Train, run: Run, wait: float) -> float:
    """When this batch could have started, if it was not full."""
    if run.attempt > 1:
        return run.started
    return max(
        min(stay.entered for stay in train.members_of(run)) + wait,
        *(_free_since(train, run, member) for member in run.members[:1]),
    )


def _free_since(train: Train, run: Run, member: int) -> float:
    """When the last run of a member before this one ended."""
    earlier = [other for other in train.runs_of[member] if other.number < run.number]
    return max((other.ended or run.started for other in earlier), default=0.0)
