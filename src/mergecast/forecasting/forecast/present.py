"""Simulates the current queue of a train into the future.

It assumes that no other pull request enters. With priorities and batches that wait to fill, newcomers matter
a little.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from mergecast.forecasting.estimate.oracle import fate, outcome
from mergecast.forecasting.estimate.overheads import Overheads
from mergecast.forecasting.estimate.population import Population, circumstances, present
from mergecast.forecasting.forecast.chances import evened
from mergecast.forecasting.forecast.plan import Plan
from mergecast.forecasting.forecast.suspects import Suspects, suspects_of
from mergecast.forecasting.history.inference import TrainRules
from mergecast.forecasting.history.seconds import in_seconds, microseconds
from mergecast.forecasting.history.structure import History, Run
from mergecast.forecasting.replay.codes import BROKEN, NEVER, VOUCHED
from mergecast.forecasting.replay.replay import replay
from mergecast.forecasting.replay.values import (
    EnteringFields,
    InitialBatch,
    Leaving,
    Oracle,
    Outcome,
    RunStart,
    RunStartFields,
)
from mergecast.queues.model.instant import MINUTE
from mergecast.queues.model.verdict import Suspicion

_TURNS: Final = 4  # replays with the tables of one replicate, which take longer to make than to use
_OTHER_LUCK: Final = 15_485  # far apart in the table of random numbers
_TRIES: Final = 50
_STRIDE: Final = 101  # runs that a pull request will never lead


@dataclass(frozen=True)
class ExpectedMerge:
    """Seconds from now; None if it merged in no replicate."""

    session_id: str
    p50: float | None
    p90: float | None
    chance: float
    has_failed: bool = False  # a run of its stay has failed
    has_returned: bool = False  # only runs of the same commit in an earlier stay have failed


def play_forward(
    train: TrainRules,
    plan: Plan,
    oracles: Sequence[Oracle],
    overheads: Overheads,
    suspicions: Sequence[Suspicion] = (),
) -> Iterator[ExpectedMerge]:
    """When each stay that is open at the end of the history will merge; each oracle gives some replays."""
    history, population = train.recorded.history, present(train)
    if not population.arrivals.number:
        return
    rows = {number: row for row, number in enumerate(population.arrivals.number)}
    around = plan.around(circumstances(train, history.length))
    around = around._replace(initial_batches=tuple(_initial_batches(history, rows)))
    arrivals = plan.arrivals(population)
    merged: list[list[list[float]]] = [[[] for _ in range(_TURNS)] for _ in rows]
    for turn, oracle in _oracles(oracles, population, suspects_of(train, suspicions), around.begins_at):
        stays = replay(arrivals, plan.policy, oracle, around).stays
        outcomes = zip(stays.pull, stays.left_at, stays.reason, stays.place, strict=True)
        for pull, left_at, reason, place in outcomes:
            if 0 <= reason <= VOUCHED:
                delay = overheads.end + overheads.next_end * place
                merged[pull][turn].append(in_seconds(left_at - around.begins_at) + delay)
    yield from _expected(train, suspicions, merged, len(oracles) * _TURNS)


def _expected(
    train: TrainRules, suspicions: Sequence[Suspicion], merged: Sequence[list[list[float]]], replays: int
) -> Iterator[ExpectedMerge]:
    """What so many replays, in turns, give for each pull request in the queue."""
    history = train.recorded.history
    failed = {member for run in history.runs if run.has_failed for member in run.members}
    suspected = {suspicion.suspects[0] for suspicion in suspicions}
    found = []
    for stay, turns in zip([stay for stay in history.stays if stay.left is None], merged, strict=True):
        # No number of replays makes it certain.
        chance = (sum(map(len, turns)) + 0.5) / (replays + 1)
        has_failed = stay.number in failed
        has_returned = stay.session_id in suspected and not has_failed
        p50, p90 = _share(turns, 0.5), _share(turns, 0.9)
        found.append(ExpectedMerge(stay.session_id, p50, p90, chance, has_failed, has_returned))
    return _evened(found, replays)


def _evened(expected: Sequence[ExpectedMerge], replays: int) -> Iterator[ExpectedMerge]:
    """With chances that do not differ by the luck of a few replays, within each kind of pull request."""
    kinds: defaultdict[tuple[bool, bool], list[ExpectedMerge]] = defaultdict(list)
    for one in expected:
        kinds[one.has_failed, one.has_returned].append(one)
    found = {kind: iter(evened([one.chance for one in alike], replays)) for kind, alike in kinds.items()}
    for one in expected:
        yield replace(one, chance=next(found[one.has_failed, one.has_returned]))


def _oracles(
    oracles: Sequence[Oracle], population: Population, suspects: Suspects, now: int
) -> Iterator[tuple[int, Oracle]]:
    """Each oracle in several turns, in each of which others may be broken and the luck is another."""
    for replicate, oracle in enumerate(oracles):
        for turn, broken in enumerate(suspects.broken(oracle.tables, replicate, _TURNS)):
            keys = [key + turn * _OTHER_LUCK for key in population.keys]
            tables = replace(oracle.tables, keys=keys, offsets=list(population.offsets))
            flaws = tuple(BROKEN * (number in broken) for number in population.arrivals.number)
            yield turn, Oracle(tables, partial(_fate, flaws, now), _remaining, _never)


def _initial_batches(history: History, rows: dict[int, int]) -> Iterator[InitialBatch]:
    """Batches whose last run is in progress or has passed, if none of their members has left."""
    last: dict[int, Run] = {}
    for run in history.runs:  # by start
        last.update(dict.fromkeys(run.members, run))
    latest = {run.number: run for member, run in last.items() if member in rows}
    for run in sorted(latest.values(), key=lambda run: (run.started, run.number)):
        is_whole = all(member in rows and last[member] is run for member in run.members)
        if is_whole and (run.ended is None or run.outcome == "SUCCESS"):
            members = tuple(rows[member] for member in run.members)
            yield InitialBatch(members, run.attempt, microseconds(run.started), run.ended is not None)


def _fate(flaws: tuple[int, ...], now: int, tables: Any, entering: EnteringFields) -> tuple[int, int, int]:
    """Whoever is in the queue now has not been removed before."""
    pull, turn, at = entering
    _, leaves_at, reason = fate(tables, (pull, turn, max(at, now)))
    return flaws[pull], leaves_at, reason


def _never(_tables: Any, _leaving: Leaving) -> int:
    """The chance is that of this stay; one that is removed and queued again has another."""
    return NEVER


def _remaining(tables: Any, fields: RunStartFields) -> tuple[int, int, int]:
    """The outcome of a run that may be in progress: the first sample that lasts beyond now."""
    run = RunStart(*fields)
    found = Outcome(*outcome(tables, run))
    if run.elapsed <= 0:
        return found
    for further in range(1, _TRIES):
        if found.length > run.elapsed:
            return found._replace(delay=0)
        found = Outcome(*outcome(tables, run._replace(led=run.led + further * _STRIDE)))
    return Outcome(0, run.elapsed + MINUTE, found.verdict)


def _share(turns: list[list[float]], share: float) -> float | None:
    """By when it had merged in this share of the replicates that merged it: the mean of what the turns give.

    Replays of one replicate share most of their luck, so that all of them together would look like more.
    """
    found = [_instant(sorted(instants), share) for instants in turns if instants]
    return sum(found) / len(found) if found else None


def _instant(ordered: list[float], share: float) -> float:
    # Of n samples, the k-th divides a further one from the others at k / (n + 1).
    place = min(max(share * (len(ordered) + 1) - 1, 0.0), len(ordered) - 1.0)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])
