"""Simulates the current queue of a train into the future.

It assumes that no other pull request enters. With priorities and batches that wait to fill, newcomers matter
a little.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from mergecast.forecasting.estimate.oracle import outcome
from mergecast.forecasting.estimate.overheads import Overheads
from mergecast.forecasting.estimate.population import circumstances, present
from mergecast.forecasting.forecast.plan import Plan
from mergecast.forecasting.history.inference import TrainRules
from mergecast.forecasting.history.seconds import in_seconds, microseconds
from mergecast.forecasting.history.structure import History, Run
from mergecast.forecasting.replay.codes import VOUCHED
from mergecast.forecasting.replay.replay import replay
from mergecast.forecasting.replay.values import InitialBatch, Oracle, Outcome, RunStart, RunStartFields
from mergecast.queues.model.instant import MINUTE

_TRIES: Final = 50
_STRIDE: Final = 101  # runs that a pull request will never lead


@dataclass(frozen=True)
class ExpectedMerge:
    """Seconds from now; None if it merged in no replicate."""

    session_id: str
    p50: float | None
    p90: float | None
    chance: float


def play_forward(
    train: TrainRules, plan: Plan, oracles: Sequence[Oracle], overheads: Overheads
) -> Iterator[ExpectedMerge]:
    """When each stay that is open at the end of the history will merge; each oracle gives one replicate."""
    history, population = train.recorded.history, present(train)
    if not population.arrivals.number:
        return
    rows = {number: row for row, number in enumerate(population.arrivals.number)}
    around = plan.around(circumstances(train, history.length))
    around = around._replace(initial_batches=tuple(_initial_batches(history, rows)))
    arrivals = plan.arrivals(population)
    merged: list[list[float]] = [[] for _ in rows]
    for oracle in oracles:
        tables = replace(oracle.tables, keys=list(population.keys), offsets=list(population.offsets))
        forward = oracle._replace(tables=tables, outcome=_remaining)
        stays = replay(arrivals, plan.policy, forward, around).stays
        outcomes = zip(stays.pull, stays.left_at, stays.reason, stays.place, strict=True)
        for pull, left_at, reason, place in outcomes:
            if 0 <= reason <= VOUCHED:
                delay = overheads.end + overheads.next_end * place
                merged[pull].append(in_seconds(left_at - around.begins_at) + delay)
    waiting = [stay for stay in history.stays if stay.left is None]
    for stay, instants in zip(waiting, merged, strict=True):
        instants.sort()
        chance = len(instants) / len(oracles)
        yield ExpectedMerge(stay.session_id, _share(instants, 0.5), _share(instants, 0.9), chance)


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


def _share(ordered: list[float], share: float) -> float | None:
    """The instant by which it had merged in this share of the replicates that merged it."""
    if not ordered:
        return None
    # Of n samples, the k-th divides a further one from the others at k / (n + 1).
    place = min(max(share * (len(ordered) + 1) - 1, 0.0), len(ordered) - 1.0)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])
