"""When batches start and what they contain: waits to fill, priorities, interruptions."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Final

from mergecast.forecasting.history.ahead import LAG
from mergecast.forecasting.history.structure import Run
from mergecast.forecasting.history.train import Tally, Train
from mergecast.queues.model.slots import highest_level

_NEAR: Final = 10.0
_FEW: Final = 3
_RARELY: Final = 0.05
_MEDIUM: Final = 2000
_STEP: Final = 500
_INTERRUPTED: Final = "PR_WITH_HIGHER_PRIORITY_QUEUED"


def largest_batches(train: Train) -> dict[str, int]:
    """The largest batch of each queue, unless it is a single one among hundreds."""
    sizes: dict[str, Counter[int]] = {name: Counter() for name in train.history.queue_names}
    for run in train.history.runs:
        sizes[run.queue_name][len(run.members)] += 1
    return {name: highest_level(counts) for name, counts in sizes.items()}


def most_retries(runs: Iterable[Run]) -> int:
    """How often a run is repeated at most; an attempt that hardly any failure leads to is a wrong report."""
    attempts, failures = Counter[int](), Counter[int]()
    for run in runs:
        attempts[run.attempt] += 1
        failures[run.attempt] += run.has_verdict and run.outcome != "SUCCESS"
    most = 1
    while most < max(attempts, default=1) and _repeats(attempts, failures, most):
        most += 1
    return most - 1


def _repeats(attempts: Counter[int], failures: Counter[int], most: int) -> bool:
    further = sum(count for attempt, count in attempts.items() if attempt > most)
    return further >= _RARELY * failures[most]


def oldest_age(train: Train, run: Run) -> float:
    """How long the oldest member of a batch had been queued when the batch started."""
    return run.started - min(stay.entered for stay in train.members_of(run))


def _unfilled(train: Train, largest: dict[str, int]) -> list[Run]:
    return [
        run
        for run in train.fresh_starts
        if len(run.members) < largest[run.queue_name]
        and all(train.runs_of[member][0].number == run.number for member in run.members)
    ]


def fill_wait(train: Train, largest: dict[str, int], queue_name: str) -> tuple[float, int]:
    """How long an unfilled batch waits to be filled, and how many batches started after exactly that.

    Many unfilled batches start the moment their wait is over; the others waited longer, for a slot. So the
    wait is where the ages at the start are densest.
    """
    exempt = starting_at_once(train, largest)
    ages = sorted(
        oldest_age(train, run)
        for run in _unfilled(train, largest)
        if run.queue_name == queue_name
        and train.history.stays[run.members[0]].priority_rule_name not in exempt
    )
    return densest(ages)


def waits_from_seed(train: Train, largest: dict[str, int]) -> Tally:
    """Whether an unfilled batch waits from when its first member entered, not its oldest one.

    The two differ if a more urgent pull request came to the front of a batch that others were waiting in.
    """
    waits = {name: fill_wait(train, largest, name)[0] for name in largest}
    by_seed = by_oldest = 0
    for run in _unfilled(train, largest):
        wait, oldest = waits[run.queue_name], oldest_age(train, run)
        of_seed = run.started - train.history.stays[run.members[0]].entered
        if wait > _NEAR and oldest - of_seed > 2 * _NEAR:
            by_seed += 0 <= of_seed - wait + LAG <= _NEAR + LAG
            by_oldest += 0 <= oldest - wait + LAG <= _NEAR + LAG
    return Tally(against=by_seed, agreeing=by_oldest)


def densest(ages: list[float]) -> tuple[float, int]:
    """Where the most of these sorted ages are close together, and how many are; zeros if only a few are."""
    best, cases = 0.0, 0
    for place, age in enumerate(ages):
        near = bisect_left(ages, age + _NEAR) - place
        if near > cases:
            best, cases = age, near
    return (best, cases) if cases >= _FEW else (0.0, 0)


def starting_at_once(train: Train, largest: dict[str, int]) -> dict[str | None, int]:
    """Priority rules whose unfilled batches start at once while those of others wait, with their cases."""
    ages: dict[str | None, list[float]] = defaultdict(list)
    for run in _unfilled(train, largest):
        ages[train.history.stays[run.members[0]].priority_rule_name].append(oldest_age(train, run))
    waits = {rule: densest(sorted(found)) for rule, found in ages.items()}
    longest = max((wait for wait, _ in waits.values()), default=0.0)
    if longest <= 2 * LAG:
        return {}
    return {rule: cases for rule, (wait, cases) in waits.items() if cases and wait <= LAG}


def urgent_starts_at_once(train: Train, largest: dict[str, int]) -> Tally:
    """Whether batches of pull requests that may interrupt start without waiting to be filled."""
    exempt = starting_at_once(train, largest)
    urgent = interrupting_rules(train)
    if not urgent:
        return Tally(0, 0)
    at_once = sum(cases for rule, cases in exempt.items() if rule in urgent)
    waiting = sum(
        oldest_age(train, run) > 2 * LAG
        for run in _unfilled(train, largest)
        if train.history.stays[run.members[0]].priority_rule_name in urgent - exempt.keys()
    )
    return Tally(against=at_once, agreeing=waiting)


def interrupting_rules(train: Train) -> set[str | None]:
    """The priority rules of stays that entered when running checks were stopped for an urgent one."""
    stopped = train.stops(_INTERRUPTED)
    hits: Counter[str | None] = Counter()
    entered: Counter[str | None] = Counter()
    for stay in train.history.stays:
        entered[stay.priority_rule_name] += 1
        place = bisect_left(stopped, stay.entered - 1)
        hits[stay.priority_rule_name] += place < len(stopped) and stopped[place] - stay.entered <= LAG
    likely = {rule: hits[rule] / entered[rule] for rule in hits if hits[rule] >= _FEW}
    most = max(likely.values(), default=0.0)
    return {rule for rule, share in likely.items() if share > most / 3}


def spares_head(train: Train) -> Tally:
    """Whether an interruption left the first running batch alone although it was less urgent."""
    urgent = interrupting_rules(train)
    spared = stopped = 0
    for moment in dict.fromkeys(round(stop) for stop in train.stops(_INTERRUPTED)):
        running = train.running_at(float(moment))
        less_urgent = [
            run
            for run in running
            if run.batch_id not in train.parts
            and train.history.stays[run.members[0]].priority_rule_name not in urgent
        ]
        if len(less_urgent) > 1:
            head = less_urgent[0]
            was_stopped = head.outcome == _INTERRUPTED and abs((head.ended or 0) - moment) <= LAG
            stopped += was_stopped
            spared += not was_stopped
    return Tally(against=spared, agreeing=stopped)


def one_priority(train: Train, largest: dict[str, int]) -> Tally:
    """Whether batches hold one priority only, although others waited and there was room."""
    mixed = pure = 0
    if len(train.priority_rules) == 1:
        return Tally(0, 0)
    for run in train.fresh_starts:
        rules = {stay.priority_rule_name for stay in train.members_of(run)}
        mixed += len(rules) > 1
        if len(rules) == 1 and len(run.members) < largest[run.queue_name]:
            pure += any(
                train.history.stays[stay].priority_rule_name not in rules
                and train.history.stays[stay].queue_name == run.queue_name
                for stay in train.waiting_at(run.started)
            )
    return Tally(against=pure if mixed <= pure // 10 else 0, agreeing=mixed)


def priorities(train: Train) -> dict[str | None, int]:
    """A number for each priority rule: rules that overtake others rank above them."""
    overtakes: Counter[tuple[str | None, str | None]] = Counter()
    rules = train.priority_rules
    for run in train.fresh_starts if len(rules) > 1 else ():
        first = train.history.stays[run.members[0]]
        for stay in train.waiting_at(run.started):
            other = train.history.stays[stay]
            if other.entered < first.entered - 1 and other.queue_name == first.queue_name:
                overtakes[first.priority_rule_name, other.priority_rule_name] += 1
    wins = {
        rule: sum(
            (overtakes[rule, other] > 2 * overtakes[other, rule])
            - (overtakes[other, rule] > 2 * overtakes[rule, other])
            for other in rules - {rule}
        )
        for rule in rules
    }
    zero = wins.get(None, 0)
    return {rule: max(1, min(10_000, _MEDIUM + _STEP * (won - zero))) for rule, won in wins.items()}
