"""Replays of all trains of a base branch, replicate by replicate."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from mergecast.forecasting.estimate.estimate import Estimate
from mergecast.forecasting.estimate.oracle import is_broken
from mergecast.forecasting.estimate.population import circumstances
from mergecast.forecasting.estimate.tables import oracle_of
from mergecast.forecasting.forecast.figures import Figures, Played, busier_than, replayed_figures
from mergecast.forecasting.forecast.plan import Plan
from mergecast.forecasting.replay.codes import CONFLICT_WITH_BASE, FAILED
from mergecast.forecasting.replay.record import Record
from mergecast.forecasting.replay.replay import replay
from mergecast.forecasting.replay.values import Circumstances, Oracle

# How many replicates of each policy are played.
FORECAST_REPLICATES: Final = 20
# All combinations draw the same random numbers, so that fewer show the difference.
SEARCH_REPLICATES: Final = 6
BACKTEST_REPLICATES: Final = 8
EXPECTED_MERGE_REPLICATES: Final = 30


@dataclass(frozen=True)
class Experiment:
    """What plans are replayed on: trains, the queues whose stays are reported, and the span that counts."""

    trains: tuple[Estimate, ...]
    queues: frozenset[str]
    since: float
    length: float
    begins: float | None = None  # when the replay begins, if not with the first pull request


@dataclass(frozen=True)
class Replicate:
    """One replicate of one plan per train."""

    figures: Figures
    as_recorded: Figures  # with the stays that are open at the end of the window, as a record has them
    innocent: float  # share of the stays that left because of checks although they were not broken
    busier: float  # share of the time with more concurrent runs than were ever recorded


class Luck(NamedTuple):
    """What one replicate draws, the same for every plan that is replayed with it."""

    oracles: tuple[Oracle, ...]  # one per train
    around: tuple[Circumstances, ...]


def draw(experiment: Experiment, replicate: int) -> Luck:
    return Luck(
        tuple(oracle_of(train, replicate) for train in experiment.trains),
        tuple(circumstances(train.rules, experiment.begins) for train in experiment.trains),
    )


def play(experiment: Experiment, asked: Sequence[Sequence[Plan]], replicate: int) -> list[Replicate]:
    """One replicate of each of several questions, with the same luck for all.

    A question is one plan per train.
    """
    luck = draw(experiment, replicate)
    return [play_with(luck, experiment, plans) for plans in asked]


def play_with(luck: Luck, experiment: Experiment, plans: Sequence[Plan]) -> Replicate:
    """One replicate of one plan per train."""
    played = [
        _played(experiment, train, plan, oracle, outside)
        for train, plan, oracle, outside in zip(experiment.trains, plans, *luck, strict=True)
    ]
    length, since = experiment.length, experiment.since
    innocent = sum(
        _innocent(train.record, oracle) for train, oracle in zip(played, luck.oracles, strict=True)
    )
    left = sum(len(train.record.stays.pull) for train in played)
    return Replicate(
        figures=replayed_figures(played, length, since),
        as_recorded=replayed_figures(played, length, since, censored=True),
        innocent=innocent / left if left else 0.0,
        busier=max(
            busier_than(replayed.record, train.rules.policy.max_parallel_checks, length)
            for replayed, train in zip(played, experiment.trains, strict=True)
        ),
    )


def _played(
    experiment: Experiment, train: Estimate, plan: Plan, oracle: Oracle, outside: Circumstances
) -> Played:
    names = train.rules.queue_names
    return Played(
        record=replay(plan.arrivals(train.to_replay), plan.policy, oracle, plan.around(outside)),
        rules=[place for place, name in enumerate(names) if name in experiment.queues],
        rule_of_pull=train.to_replay.arrivals.rule,
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
