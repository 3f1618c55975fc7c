"""The settings of both periods, and whether they changed.

A history shows how far a setting was used, not what it was: with fewer pull requests, batches are smaller and
fewer runs are in progress. So a lower limit counts only if it was in the way of pull requests that waited.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from mergecast.forecasting.explanation.sides import Side
from mergecast.forecasting.history.ahead import LAG
from mergecast.forecasting.history.inference import TrainRules, variants
from mergecast.forecasting.history.occupancy import most_at_once, spells
from mergecast.forecasting.history.seconds import DAY, MINUTE, WEEK, in_seconds
from mergecast.forecasting.history.starting import largest_batches, oldest_age
from mergecast.forecasting.history.structure import Run
from mergecast.forecasting.history.train import Train
from mergecast.forecasting.replay.values import Landing, Policy, QueueRule
from mergecast.queues.model.instant import MINUTE as MINUTE_IN_MICROSECONDS

_CASES: Final = 5
_DAYS: Final = 3
_OFTEN: Final = 0.2  # blocked by a failure, a batch takes the last slot late, too
_SELDOM: Final = 0.05
_LATE: Final = 2 * MINUTE
_ALIKE: Final = 0.2  # waits and timeouts are inferred from instants, and differ by chance
_FEW_FAILURES: Final = 10
_LEAST_RUNS: Final = 50


def settled(before: TrainRules, after: TrainRules) -> tuple[Policy, Policy]:
    """The policies of one train in both periods, which are the same if nothing shows that they differ."""
    shared = variants(_best_detected(before, after), after.kind)
    slots = _limits(
        (before.policy.max_parallel_checks, after.policy.max_parallel_checks),
        (_filling_last_slot(before), _filling_last_slot(after)),
    )
    rules = [_rules(before, after, place) for place in range(len(after.queue_names))]
    skips = before.policy.skip_intermediate_results or after.policy.skip_intermediate_results
    landings = _landings(before.policy.landing, after.policy.landing)
    old, new = (
        replace(
            train.policy,
            rules=tuple(pair[place] for pair in rules),
            max_parallel_checks=slots[place],
            skip_intermediate_results=skips,
            landing=landings[place],
            variants=shared,
        )
        for place, train in enumerate((before, after))
    )
    return old, new


def _best_detected(before: TrainRules, after: TrainRules) -> dict[str, str]:
    """Rules of the queue by the period that shows more cases."""
    pairs = zip(before.detected, after.detected, strict=True)
    return {old.rule: (old if old.cases > new.cases else new).value for old, new in pairs}


class Cases(NamedTuple):
    """Runs that used all that a limit allows, and those of them that others had to wait for."""

    used: Sequence[Run]
    in_the_way: Sequence[Run]
    often: float  # the share of all that shows a limit and is not chance

    @property
    def is_limited(self) -> bool:
        days = {run.started // DAY for run in self.in_the_way}
        often = len(self.in_the_way) >= max(_CASES, self.often * len(self.used))
        return often and len(days) >= _DAYS


def _limits(values: tuple[int, int], cases: tuple[Cases, Cases]) -> tuple[int, int]:
    """Both limits; the higher one for both unless the lower one was in the way."""
    lower = 0 if values[0] < values[1] else 1
    return values if cases[lower].is_limited else (max(values), max(values))


def _filling_last_slot(train: TrainRules) -> Cases:
    return filling_last_slot(train.recorded, train.policy.max_parallel_checks, train)


def filling_last_slot(recorded: Train, slots: int, rules: TrainRules) -> Cases:
    """Batches that took the last slot, and those of them that had been waiting for one."""
    waits = {
        name: in_seconds(rule.batch_max_wait_time)
        for name, rule in zip(rules.queue_names, rules.policy.rules, strict=True)
    }
    used = [run for run in recorded.fresh_starts if len(recorded.running_at(run.started)) >= slots - 1]
    late = [run for run in used if oldest_age(recorded, run) > waits[run.queue_name] + _LATE]
    return Cases(used, late, _OFTEN)


def full_batches(recorded: Train, size: int, queue_name: str) -> Cases:
    """Batches of the largest size, and those of them behind which others waited."""
    used = [run for run in recorded.fresh_starts if run.queue_name == queue_name and len(run.members) >= size]
    return Cases(used, [run for run in used if _leaves_some(recorded, run)], _SELDOM)


def _leaves_some(recorded: Train, run: Run) -> bool:
    """Whether another pull request waited, or started at the same time in a batch of its own."""
    beside = [
        other for other in recorded.runs_started_between(run.started, run.started + LAG) if other != run
    ]
    others = {*recorded.waiting_at(run.started), *(member for other in beside for member in other.members)}
    return any(
        stay.queue_name == run.queue_name and stay.entered < run.started - LAG
        for stay in (recorded.history.stays[number] for number in others - set(run.members))
    )


def _rules(before: TrainRules, after: TrainRules, place: int) -> tuple[QueueRule, QueueRule]:
    """The settings of one queue in both periods."""
    name = after.queue_names[place]
    old, new = before.policy.rules[place], after.policy.rules[place]
    sizes = _limits(
        (old.batch_size_max, new.batch_size_max),
        (
            full_batches(before.recorded, old.batch_size_max, name),
            full_batches(after.recorded, new.batch_size_max, name),
        ),
    )
    # Single pull requests show no wait to fill a batch.
    fills = [rule.batch_max_wait_time if rule.batch_size_max > 1 else None for rule in (old, new)]
    waits = _alike(fills[0], fills[1])
    timeouts = _alike(old.checks_timeout, new.checks_timeout)
    retries = _retries(before, after, place)
    splits = _known(old.batch_max_failure_resolution_attempts, new.batch_max_failure_resolution_attempts)
    first, second = (
        QueueRule(
            batch_size_min=sizes[side],
            batch_size_max=sizes[side],
            batch_max_wait_time=waits[side] or 0,
            max_checks_retries=retries[side],
            checks_timeout=timeouts[side],
            batch_max_failure_resolution_attempts=splits,
        )
        for side in (0, 1)
    )
    return first, second


def _alike(old: int | None, new: int | None) -> tuple[int | None, int | None]:
    """Two durations; the later one for both if they hardly differ, or if one is not known."""
    if old is None or new is None:
        return (_known(old, new),) * 2
    is_same = abs(new - old) <= max(_ALIKE * max(old, new), MINUTE_IN_MICROSECONDS)
    return (new, new) if is_same else (old, new)


def _known(old: int | None, new: int | None) -> int | None:
    return old if new is None else new


def _retries(before: TrainRules, after: TrainRules, place: int) -> tuple[int, int]:
    """A lower number of retries counts if enough runs failed without being tried again."""
    values = before.policy.rules[place].max_checks_retries, after.policy.rules[place].max_checks_retries
    lower, train = min(zip(values, (before, after), strict=True), key=lambda pair: pair[0])
    failed = sum(
        run.attempt > lower and run.outcome == "CHECKS_FAILED" and run.queue_name == train.queue_names[place]
        for run in train.recorded.history.runs
    )
    return values if failed >= _FEW_FAILURES else (max(values), max(values))


def _landings(old: Landing | None, new: Landing | None) -> tuple[Landing | None, Landing | None]:
    """How GitHub groups merges: what is inferred of it differs by chance, except the wait for a group."""
    if old is None or new is None:
        return old, new
    waits = _alike(old.wait, new.wait)
    most = max(old.max_entries, new.max_entries)
    if waits[0] == waits[1]:
        return (replace(new, max_entries=most),) * 2
    return replace(old, max_entries=most), replace(new, max_entries=most)


class SettingsChange(NamedTuple):
    """A limit that changed within a period."""

    setting: str  # in words
    old: int
    new: int
    week: int  # of the period, from 0


def changed_within(side: Side) -> SettingsChange | None:
    """A limit on batches or on parallel runs that was another one in the first weeks of a period.

    A part that has the higher limit for a while looks as if it had it all the time: a limit was raised after
    the last cut before which it was low, and lowered before the first cut after which it is low.
    """
    weeks = int((side.until - side.since) / WEEK)
    for train in side.trains:
        cuts = [_changed_at(train, side.since + WEEK * week, week) for week in range(1, weeks)]
        found = [change for change in cuts if change is not None]
        if found:
            first = found[0]
            return found[-1] if first.new > first.old else first._replace(week=first.week - 1)
    return None


def _changed_at(train: TrainRules, cut: float, week: int) -> SettingsChange | None:
    history = train.recorded.history
    parts = Train(history.until(cut)), Train(history.since(cut))
    if min(len(part.history.runs) for part in parts) < _LEAST_RUNS:
        return None
    for words, limits, cases in _shown_limits(parts, train):
        old, new = _limits(limits, cases)
        if old != new:
            return SettingsChange(words, old, new, week)
    return None


def _shown_limits(
    parts: tuple[Train, Train], rules: TrainRules
) -> Iterable[tuple[str, tuple[int, int], tuple[Cases, Cases]]]:
    slots = [most_at_once(spells(part)) for part in parts]
    yield (
        "parallel runs",
        (slots[0], slots[1]),
        (filling_last_slot(parts[0], slots[0], rules), filling_last_slot(parts[1], slots[1], rules)),
    )
    largest = [largest_batches(part) for part in parts]
    for name in rules.queue_names:
        if all(name in sizes for sizes in largest):
            sizes = largest[0][name], largest[1][name]
            yield (
                "batch size",
                sizes,
                (full_batches(parts[0], sizes[0], name), full_batches(parts[1], sizes[1], name)),
            )
