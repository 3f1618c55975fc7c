"""Replays of all trains of a base branch, replicate by replicate."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from mergecast.forecasting.estimate.draws import generator
from mergecast.forecasting.estimate.estimate import Estimate, estimate
from mergecast.forecasting.estimate.oracle import is_broken
from mergecast.forecasting.estimate.population import circumstances
from mergecast.forecasting.estimate.standstills import with_standstills
from mergecast.forecasting.estimate.tables import oracle_of
from mergecast.forecasting.forecast.figures import (
    FiguresFound,
    Played,
    busier_than,
    larger_than,
    replayed_figures,
    waiting_at,
)
from mergecast.forecasting.forecast.plan import Plan
from mergecast.forecasting.forecast.reach import largest_recorded
from mergecast.forecasting.forecast.what_if import multiplied
from mergecast.forecasting.history.inference import TrainRules
from mergecast.forecasting.history.seconds import microseconds
from mergecast.forecasting.history.standstills import Span
from mergecast.forecasting.history.structure import History
from mergecast.forecasting.replay.codes import CONFLICT_WITH_BASE, FAILED
from mergecast.forecasting.replay.record import Record
from mergecast.forecasting.replay.replay import replay
from mergecast.forecasting.replay.values import Arrivals, Circumstances, Oracle

# How many replicates of each policy are played.
FORECAST_REPLICATES: Final = 20
# All combinations draw the same random numbers, so that fewer show the difference.
SEARCH_REPLICATES: Final = 6
# The fewest with which the p90 of expected merges lies between samples and not beyond them.
BACKTEST_REPLICATES: Final = 10
EXPECTED_MERGE_REPLICATES: Final = 30


@dataclass(frozen=True)
class Experiment:
    """What plans are replayed on: trains, the queues whose stays are reported, and the span that counts."""

    trains: tuple[Estimate, ...]
    queues: frozenset[str]
    since: float
    length: float
    recorded: float | None = None  # how much of the span was recorded, if not all of it

    @cached_property
    def largest(self) -> tuple[int, ...]:
        """The largest recorded batch of each train."""
        return tuple(largest_recorded(train.rules.recorded.history) for train in self.trains)


def experiment_on(
    history: History, trains: Sequence[TrainRules], queues: frozenset[str], seed: int, replicates: int
) -> Experiment:
    """An experiment on the whole window of a history."""
    start, end = history.recorded_span
    estimates = tuple(estimate(train, replicates, seed) for train in trains)
    return Experiment(estimates, queues, 0.0, history.length, recorded=end - start)


@dataclass(frozen=True)
class Replicate:
    """One replicate of one plan per train."""

    figures: FiguresFound
    as_recorded: FiguresFound  # with the stays that are open at the end of the window, as a record has them
    innocent: float  # share of the stays that left because of checks although they were not broken
    busier: float  # share of the time with more concurrent runs than were ever recorded
    larger: float  # share of the runs with a larger batch than were ever recorded
    waiting: int  # pull requests in the queues at the end of the window


class Luck(NamedTuple):
    """What one replicate draws, the same for every plan that is replayed with it."""

    oracles: tuple[Oracle, ...]  # one per train
    standstills: tuple[list[Span], ...]
    around: tuple[Circumstances, ...]
    replicate: int


def draw(experiment: Experiment, replicate: int) -> Luck:
    return Luck(
        tuple(oracle_of(train, replicate) for train in experiment.trains),
        tuple(list(train.rules.recorded.standstills) for train in experiment.trains),
        tuple(circumstances(train.rules) for train in experiment.trains),
        replicate,
    )


def play(experiment: Experiment, asked: Sequence[Sequence[Plan]], replicate: int) -> list[Replicate]:
    """One replicate of each of several questions, with the same random numbers for all.

    A question is one plan per train.
    """
    luck = draw(experiment, replicate)
    return [play_with(luck, experiment, plans) for plans in asked]


def play_with(luck: Luck, experiment: Experiment, plans: Sequence[Plan]) -> Replicate:
    """One replicate of one plan per train."""
    oracles = [
        with_standstills(plan.what_if.oracle(oracle), standstills)
        for plan, oracle, standstills in zip(plans, luck.oracles, luck.standstills, strict=True)
    ]
    inputs = [
        _arrivals(experiment, train, plan, oracle, luck.replicate)
        for train, plan, oracle in zip(experiment.trains, plans, oracles, strict=True)
    ]
    played = [
        _played(experiment, train, plan, entering, outside)
        for train, plan, entering, outside in zip(experiment.trains, plans, inputs, luck.around, strict=True)
    ]
    length, since = experiment.length, experiment.since
    innocent = sum(_innocent(train.record, oracle) for train, (_, oracle) in zip(played, inputs, strict=True))
    left = sum(len(train.record.stays.pull) for train in played)
    return Replicate(
        figures=replayed_figures(played, length, since, recorded=experiment.recorded),
        as_recorded=replayed_figures(played, length, since, recorded=experiment.recorded, censored=True),
        innocent=innocent / left if left else 0.0,
        busier=max(
            busier_than(replayed.record, train.rules.policy.max_parallel_checks, length)
            for replayed, train in zip(played, experiment.trains, strict=True)
        ),
        larger=max(
            larger_than(replayed.record, largest)
            for replayed, largest in zip(played, experiment.largest, strict=True)
        ),
        waiting=sum(waiting_at(replayed, length) for replayed in played),
    )


def _arrivals(
    experiment: Experiment, train: Estimate, plan: Plan, oracle: Oracle, replicate: int
) -> tuple[Arrivals, Oracle]:
    """The pull requests that enter under a plan, and the oracle that knows them."""
    arrivals, factor = plan.arrivals(train.to_replay), plan.what_if.arrivals
    if factor == 1:
        return arrivals, oracle
    chance = generator(train.seed, 6, replicate)
    arrivals, tables = multiplied(arrivals, oracle.tables, factor, microseconds(experiment.length), chance)
    return arrivals, oracle._replace(tables=tables)


def _played(
    experiment: Experiment,
    train: Estimate,
    plan: Plan,
    entering: tuple[Arrivals, Oracle],
    outside: Circumstances,
) -> Played:
    names = train.rules.queue_names
    arrivals, oracle = entering
    return Played(
        record=replay(arrivals, plan.policy, oracle, plan.around(outside)),
        rules=[place for place, name in enumerate(names) if name in experiment.queues],
        rule_of_pull=arrivals.rule,
        overheads=train.overheads,
    )


def _innocent(record: Record, oracle: Oracle) -> int:
    """How many stays left because of checks although they were not broken."""
    stays = record.stays
    return sum(
        not is_broken(oracle.tables, pull, turn)
        for pull, turn, reason in zip(stays.pull, stays.turn, stays.reason, strict=True)
        if FAILED <= reason < CONFLICT_WITH_BASE
    )
