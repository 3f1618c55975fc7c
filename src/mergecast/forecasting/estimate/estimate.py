"""All estimates for one train."""

from collections import Counter
from dataclasses import dataclass
from typing import Final

import numpy as np

from mergecast.forecasting.estimate.breakage import Breakage, draw_breakage
from mergecast.forecasting.estimate.departures import Hazard, fit_hazard
from mergecast.forecasting.estimate.draws import generator
from mergecast.forecasting.estimate.evidence import gather
from mergecast.forecasting.estimate.lengths import Lengths, fit_lengths
from mergecast.forecasting.estimate.oracle import KnownRun
from mergecast.forecasting.estimate.overheads import Overheads, fit_overheads
from mergecast.forecasting.estimate.population import Population, population
from mergecast.forecasting.estimate.run_table import Ending, RunTable, run_table
from mergecast.forecasting.estimate.survival import Numbers
from mergecast.forecasting.history.inference import TrainRules
from mergecast.forecasting.history.seconds import WEEK, microseconds
from mergecast.forecasting.replay.codes import FAIL, NEVER, PASS

_LEAST_DUE: Final = 0.5  # flakes; weeks with hardly any runs say nothing
_NEAR: Final = 120  # runs around a time from which its flake rate is estimated
_PRIOR: Final = 1.5  # the weight of the average, in expected flakes
_CLEAR: Final = 4.0  # standard deviations from which on waves count
_FEW_RUNS: Final = 60
_TRIAL_DRAWS: Final = 10


@dataclass(frozen=True)
class Estimate:
    """The estimates for one train, fitted on the pull requests of `record`, which ends at `known_until`."""

    seed: int
    rules: TrainRules
    record: Population
    to_replay: Population
    lengths: tuple[Lengths, ...]  # per queue of the train
    breakages: tuple[Breakage, ...]  # one draw per replicate
    waves: tuple[Numbers, Numbers]  # times, and by how much the flake rate differs from then on
    hazard: Hazard
    overheads: Overheads
    cancelled: float
    known_until: float
    known: dict[tuple[int, int], KnownRun]


def estimate(rules: TrainRules, replicates: int, seed: int) -> Estimate:
    """Estimates for a train."""
    train = rules.recorded
    runs = run_table(train, rules.queue_names)
    evidence = gather(runs, len(train.history.stays))
    # Breakage and lengths of failing runs depend on each other: a first guess, then both again.
    trial = draw_breakage(runs, evidence, np.ones(len(runs.starts)), _TRIAL_DRAWS, generator(seed, 2))
    broken_share = _broken_share(runs, trial)
    everything = fit_lengths(runs, broken_share, np.arange(len(runs.starts)))
    lasting = _lasting(runs, everything)
    end = train.history.length
    recorded = population(rules)
    return Estimate(
        seed=seed,
        rules=rules,
        record=recorded,
        to_replay=recorded,
        lengths=tuple(
            _lengths_of(runs, broken_share, rule, everything) for rule in range(len(rules.queue_names))
        ),
        breakages=tuple(draw_breakage(runs, evidence, lasting, replicates, generator(seed, 3))),
        waves=flake_waves(runs, trial),
        hazard=fit_hazard(train.history.stays, end),
        overheads=fit_overheads(train, rules.queue_names, rules.policy),
        cancelled=float(np.mean(runs.endings == Ending.CANCELLED)) if len(runs.starts) else 0.0,
        known_until=end,
        known=known_runs(rules, recorded, runs),
    )


def _broken_share(runs: RunTable, draws: list[Breakage]) -> Numbers:
    """For each run, the share of samples in which its tree was broken."""
    counts = np.zeros(len(runs.starts))
    for draw in draws:
        counts += [not draw.broken.isdisjoint(tree) for tree in runs.trees]
    return counts / len(draws)


def _lasting(runs: RunTable, lengths: Lengths) -> Numbers:
    """The likelihood of each run's length if it fails, divided by that if it passes."""
    if not len(lengths.failing.values):
        return np.ones(len(runs.starts))
    rests = lengths.rests
    return lengths.failing.longer_than(rests) / np.maximum(lengths.passing.longer_than(rests), 1e-3)


def _lengths_of(runs: RunTable, broken_share: Numbers, rule: int, everything: Lengths) -> Lengths:
    rows = np.flatnonzero(runs.rules == rule)
    if np.sum(runs.endings[rows] == Ending.PASSED) < _FEW_RUNS:
        return everything
    return fit_lengths(runs, broken_share, rows)


def flake_waves(runs: RunTable, draws: list[Breakage]) -> tuple[Numbers, Numbers]:
    """Times, and the factor on the usual flake rate from each on; 1 if there are no waves."""
    rows = np.flatnonzero((runs.attempts == 1) & np.isin(runs.endings, (Ending.PASSED, Ending.FAILED)))
    tainted = np.mean([[not d.broken.isdisjoint(runs.trees[row]) for row in rows] for d in draws], axis=0)
    good = 1 - tainted if len(rows) else np.zeros(0)
    flaked = good * (runs.endings[rows] == Ending.FAILED)
    rate = float(flaked.sum()) / max(float(good.sum()), 1.0)
    if not rate or not _come_in_waves(runs.starts[rows], good * rate, flaked):
        return np.zeros(1), np.ones(1)
    near = np.ones(min(_NEAR, len(rows)))
    expected = np.convolve(good * rate, near, mode="same")
    seen = np.convolve(flaked, near, mode="same")
    return runs.starts[rows], (seen + _PRIOR) / (expected + _PRIOR)


def _come_in_waves(starts: Numbers, expected: Numbers, flaked: Numbers) -> bool:
    """Whether the number of flakes differs more between weeks than by chance."""
    weeks = ((starts - starts[0]) // WEEK).astype(np.int64)
    due, seen = np.bincount(weeks, expected), np.bincount(weeks, flaked)
    due, seen = due[due > _LEAST_DUE], seen[due > _LEAST_DUE]
    surplus = float(np.sum((seen - due) ** 2 / due)) - len(due)
    return surplus > _CLEAR * float(np.sqrt(2 * len(due) + np.sum(1 / due)))


_VERDICTS: Final = {Ending.PASSED: PASS, Ending.FAILED: FAIL}


def known_runs(rules: TrainRules, record: Population, table: RunTable) -> dict[tuple[int, int], KnownRun]:
    """What is known of the runs that a replay repeats: the same pull requests, tested together again.

    By the key of the leader, and by how many runs its pull request had led before. A replay of unchanged
    settings mostly repeats the recorded runs. One that is led by the same pull request, has the same size and
    starts at about the same time takes as long and ends the same way, so that the record and its replay share
    their luck. What differs is drawn: another hour may have other flakes.
    """
    key_of = {
        stay.number: key
        for row, key in enumerate(record.keys)
        for stay in record.stays[record.offsets[row] : record.offsets[row + 1]]
    }
    led: Counter[int] = Counter()
    found = {}
    for run in rules.recorded.history.runs:
        key = key_of[_leader(rules, run.members)]
        ending = Ending(int(table.endings[run.number]))
        found[key, led[key]] = KnownRun(
            started_at=microseconds(run.started),
            size=len(run.members),
            in_flight=int(table.in_flight[run.number]),
            length=microseconds(float(table.lengths[run.number])),
            verdict=_VERDICTS.get(ending, NEVER),
        )
        led[key] += 1
    return found


def _leader(rules: TrainRules, members: tuple[int, ...]) -> int:
    """The member that a replay tests first: the most urgent, then oldest one."""
    stays = [rules.recorded.history.stays[member] for member in members]
    first = min(
        stays, key=lambda stay: (-rules.priorities.get(stay.priority_rule_name, 0), stay.entered, stay.number)
    )
    return first.number
