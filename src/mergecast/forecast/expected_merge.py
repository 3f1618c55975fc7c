"""When the pull requests that are in a queue now will probably merge: the present state played forward.

It assumes that no other pull request enters. With priorities and batches that wait to fill, newcomers matter
a little.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from mergecast.estimate.estimate import Estimate, estimate
from mergecast.estimate.oracle import outcome
from mergecast.estimate.population import microseconds, present, surroundings
from mergecast.estimate.tables import oracle_of
from mergecast.forecast.forecast import TooLittle, too_little
from mergecast.history.inference import TrainRules
from mergecast.history.structure import History, Run
from mergecast.replay.codes import VOUCHED
from mergecast.replay.replay import replay
from mergecast.replay.values import Outcome, RunStart, Standing, Surroundings

REPLICATES: Final = 30
_TRIES: Final = 50
_STRIDE: Final = 101  # runs that a pull request will never lead
_MINUTE: Final = 60_000_000
_SECOND: Final = 1e6


@dataclass(frozen=True)
class ExpectedMerge:
    """Seconds from the end of the history; None when it merged in no replicate."""

    session_id: str
    p50: float | None
    p90: float | None
    chance: float


def expected_merges(
    history: History, trains: Sequence[TrainRules], seed: int = 1
) -> tuple[ExpectedMerge, ...] | TooLittle:
    """One for each pull request that is in a queue when the history ends."""
    if missing := too_little(history, frozenset(history.queue_names)):
        return missing
    return tuple(found for train in trains for found in _of_train(train, seed))


def _of_train(train: TrainRules, seed: int) -> Iterator[ExpectedMerge]:
    people = present(train)
    if not people.arrivals.number:
        return
    fitted = replace(estimate(train, REPLICATES, seed), people=people)
    around = _around(train, fitted)
    merged: list[list[float]] = [[] for _ in people.arrivals.number]
    for replicate in range(REPLICATES):
        oracle = oracle_of(fitted, replicate)._replace(outcome=_remaining)
        stays = replay(people.arrivals, train.policy, oracle, around).stays
        for pull, left_at, reason in zip(stays.pull, stays.left_at, stays.reason, strict=True):
            if 0 <= reason <= VOUCHED:
                merged[pull].append((left_at - around.begins_at) / _SECOND)
    waiting = [stay for stay in train.line.history.stays if stay.left is None]
    for stay, instants in zip(waiting, merged, strict=True):
        instants.sort()
        chance = len(instants) / REPLICATES
        yield ExpectedMerge(stay.session_id, _share(instants, 0.5), _share(instants, 0.9), chance)


def _around(train: TrainRules, fitted: Estimate) -> Surroundings:
    """What happens from the end of the history on, with the batches that stand in the train then."""
    end = train.line.history.length
    rows = {number: row for row, number in enumerate(fitted.people.arrivals.number)}
    return surroundings(train, end)._replace(standing=tuple(_standing(train.line.history, rows)))


def _standing(history: History, rows: dict[int, int]) -> Iterator[Standing]:
    """Batches whose last run goes on or has passed, if none of their members has left."""
    last: dict[int, Run] = {}
    for run in sorted(history.runs, key=lambda run: (run.started, run.number)):
        last.update(dict.fromkeys(run.members, run))
    standing = {run.number: run for member, run in last.items() if member in rows}
    for run in sorted(standing.values(), key=lambda run: (run.started, run.number)):
        is_whole = all(member in rows and last[member] is run for member in run.members)
        if is_whole and (run.ended is None or run.outcome == "SUCCESS"):
            members = tuple(rows[member] for member in run.members)
            yield Standing(members, run.attempt, microseconds(run.started), run.ended is not None)


def _remaining(tables: Any, run: RunStart) -> Outcome:
    """The outcome of a run that may be under way already: the first draw that lasts longer than until now."""
    found = Outcome(*outcome(tables, run))
    if run.elapsed <= 0:
        return found
    for further in range(1, _TRIES):
        if found.length > run.elapsed:
            return found._replace(delay=0)
        found = Outcome(*outcome(tables, run._replace(led=run.led + further * _STRIDE)))
    return Outcome(0, run.elapsed + _MINUTE, found.verdict)


def _share(ordered: list[float], share: float) -> float | None:
    """The instant by which this share of the replicates that merged it had done so."""
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else None
