"""When batches start and what they contain: waits to fill, priorities, interruptions."""

from bisect import bisect_left
from collections import Counter, defaultdict
from typing import Final

from mergecast.history.lines import Line, Tally
from mergecast.history.structure import Run
from mergecast.history.train import LAG

_NEAR: Final = 10.0
_FEW: Final = 3
_MEDIUM: Final = 2000
_STEP: Final = 500


def largest_batches(line: Line) -> dict[str, int]:
    """The largest batch of each queue."""
    largest: dict[str, int] = dict.fromkeys(line.history.queue_names, 1)
    for run in line.history.runs:
        largest[run.queue_name] = max(largest.get(run.queue_name, 1), len(run.members))
    return largest


def oldest_age(line: Line, run: Run) -> float:
    """How long the oldest member of a batch had been queued when the batch started."""
    return run.started - min(line.history.stays[member].entered for member in run.members)


def _unfilled(line: Line, largest: dict[str, int]) -> list[Run]:
    return [
        run
        for run in line.fresh_starts
        if len(run.members) < largest[run.queue_name]
        and all(line.runs_of[member][0].number == run.number for member in run.members)
    ]


def fill_wait(line: Line, largest: dict[str, int], queue_name: str) -> tuple[float, int]:
    """How long an unfilled batch waits to be filled, and how many batches started after exactly that.

    Many unfilled batches start the moment their wait is over; the others waited longer, for a slot. So the
    wait is where the ages at the start are densest.
    """
    exempt = _starting_at_once(line, largest)
    ages = sorted(
        oldest_age(line, run)
        for run in _unfilled(line, largest)
        if run.queue_name == queue_name
        and line.history.stays[run.members[0]].priority_rule_name not in exempt
    )
    return densest(ages)


def waits_from_seed(line: Line, largest: dict[str, int]) -> Tally:
    """Whether an unfilled batch waits from when its first member entered, not its oldest one.

    The two differ if a more urgent pull request came to the front of a batch that others were waiting in.
    """
    waits = {name: fill_wait(line, largest, name)[0] for name in largest}
    by_seed = by_oldest = 0
    for run in _unfilled(line, largest):
        wait, oldest = waits[run.queue_name], oldest_age(line, run)
        of_seed = run.started - line.history.stays[run.members[0]].entered
        if wait > _NEAR and oldest - of_seed > 2 * _NEAR:
            by_seed += 0 <= of_seed - wait + LAG <= _NEAR + LAG
            by_oldest += 0 <= oldest - wait + LAG <= _NEAR + LAG
    return Tally(against=by_seed, agreeing=by_oldest)


def densest(ages: list[float]) -> tuple[float, int]:
    best, cases = 0.0, 0
    for place, age in enumerate(ages):
        near = bisect_left(ages, age + _NEAR) - place
        if near > cases:
            best, cases = age, near
    return (best, cases) if cases >= _FEW else (0.0, 0)


def _starting_at_once(line: Line, largest: dict[str, int]) -> dict[str | None, int]:
    """Priority rules whose unfilled batches start at once while those of others wait, with their cases."""
    ages: dict[str | None, list[float]] = defaultdict(list)
    for run in _unfilled(line, largest):
        ages[line.history.stays[run.members[0]].priority_rule_name].append(oldest_age(line, run))
    waits = {rule: densest(sorted(found)) for rule, found in ages.items()}
    longest = max((wait for wait, _ in waits.values()), default=0.0)
    if longest <= 2 * LAG:
        return {}
    return {rule: cases for rule, (wait, cases) in waits.items() if cases and wait <= LAG}


def urgent_starts_at_once(line: Line, largest: dict[str, int]) -> Tally:
    """Whether batches of pull requests that may interrupt start without waiting to be filled."""
    exempt = _starting_at_once(line, largest)
    urgent = interrupting_rules(line)
    if not urgent:
        return Tally(0, 0)
    at_once = sum(cases for rule, cases in exempt.items() if rule in urgent)
    waiting = sum(
        oldest_age(line, run) > 2 * LAG
        for run in _unfilled(line, largest)
        if line.history.stays[run.members[0]].priority_rule_name in urgent - exempt.keys()
    )
    return Tally(against=at_once, agreeing=waiting)


def interrupting_rules(line: Line) -> set[str | None]:
    """The priority rules of stays that entered when running checks were stopped for an urgent one."""
    stopped = sorted(
        run.ended
        for run in line.history.runs
        if run.outcome == "PR_WITH_HIGHER_PRIORITY_QUEUED" and run.ended is not None
    )
    hits: Counter[str | None] = Counter()
    entered: Counter[str | None] = Counter()
    for stay in line.history.stays:
        entered[stay.priority_rule_name] += 1
        place = bisect_left(stopped, stay.entered - 1)
        hits[stay.priority_rule_name] += place < len(stopped) and stopped[place] - stay.entered <= LAG
    likely = {rule: hits[rule] / entered[rule] for rule in hits if hits[rule] >= _FEW}
    most = max(likely.values(), default=0.0)
    return {rule for rule, share in likely.items() if share > most / 3}


def spares_head(line: Line) -> Tally:
    """Whether an interruption left the first running batch alone although it was less urgent."""
    urgent = interrupting_rules(line)
    moments = sorted(
        {
            round(run.ended)
            for run in line.history.runs
            if run.outcome == "PR_WITH_HIGHER_PRIORITY_QUEUED" and run.ended is not None
        }
    )
    spared = stopped = 0
    for moment in moments:
        running = line.running_at(float(moment))
        less_urgent = [
            run
            for run in running
            if run.batch_id not in line.parts
            and line.history.stays[run.members[0]].priority_rule_name not in urgent
        ]
        if len(less_urgent) > 1:
            head = less_urgent[0]
            was_stopped = (
                head.outcome == "PR_WITH_HIGHER_PRIORITY_QUEUED" and abs((head.ended or 0) - moment) <= LAG
            )
            stopped += was_stopped
            spared += not was_stopped
    return Tally(against=spared, agreeing=stopped)


def one_priority(line: Line, largest: dict[str, int]) -> Tally:
    """Whether batches hold one priority only, although others waited and there was room."""
    mixed = pure = 0
    if len(line.priority_rules) == 1:
        return Tally(0, 0)
    for run in line.fresh_starts:
        rules = {line.history.stays[member].priority_rule_name for member in run.members}
        mixed += len(rules) > 1
        if len(rules) == 1 and len(run.members) < largest[run.queue_name]:
            pure += any(
                line.history.stays[stay].priority_rule_name not in rules
                and line.history.stays[stay].queue_name == run.queue_name
                for stay in line.waiting_at(run.started)
            )
    return Tally(against=pure if mixed <= pure // 10 else 0, agreeing=mixed)


def priorities(line: Line) -> dict[str | None, int]:
    """A number for each priority rule: rules that overtake others rank above them."""
    overtakes: Counter[tuple[str | None, str | None]] = Counter()
    rules = line.priority_rules
    for run in line.fresh_starts if len(rules) > 1 else ():
        first = line.history.stays[run.members[0]]
        for stay in line.waiting_at(run.started):
            other = line.history.stays[stay]
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
