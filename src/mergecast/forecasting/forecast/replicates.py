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
class Setting:
    """What is replayed: the trains, the queues whose stays are reported, and the span that is scored."""

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


def draw(setting: Setting, replicate: int) -> Luck:
    return Luck(
        tuple(oracle_of(train, replicate) for train in setting.trains),
        tuple(circumstances(train.rules, setting.begins) for train in setting.trains),
    )


def play(
    setting: Setting, asked: Sequence[Sequence[Plan]], replicate: int, at_once: Sequence[int]
) -> list[Replicate]:
    """One replicate of each of several questions, with the same luck for all.

    A question is one plan per train. `at_once` is the most concurrent runs recorded in each train.
    """
    luck = draw(setting, replicate)
    return [play_with(luck, setting, plans, at_once) for plans in asked]


def play_with(luck: Luck, setting: Setting, plans: Sequence[Plan], at_once: Sequence[int]) -> Replicate:
    """One replicate of one plan per train."""
    played = [
        _played(
            setting,
            train,
            replay(plan.arrivals(train.people), plan.policy, oracle, plan.around(outside)),
        )
        for train, plan, oracle, outside in zip(setting.trains, plans, *luck, strict=True)
    ]
    innocent = sum(
        _innocent(train.record, oracle.tables) for train, oracle in zip(played, luck.oracles, strict=True)
    )
    left = sum(len(train.record.stays.pull) for train in played)
    busier = max(
        busier_than(train.record, most, setting.length) for train, most in zip(played, at_once, strict=True)
    )
    figures = replayed_figures(played, setting.length, setting.since)
    recorded = replayed_figures(played, setting.length, setting.since, censored=True)
    return Replicate(figures, recorded, innocent / left if left else 0.0, busier)


def _played(setting: Setting, train: Estimate, record: Record) -> Played:
    kept = [place for place, name in enumerate(train.rules.queue_names) if name in setting.queues]
    return Played(record, kept, train.people.arrivals.rule, train.overheads)


def _innocent(record: Record, tables: object) -> int:
    stays = record.stays
    return sum(
        not is_broken(tables, pull, turn)  # type: ignore[arg-type]
        for pull, turn, reason in zip(stays.pull, stays.turn, stays.reason, strict=True)
        if FAILED <= reason < CONFLICT_WITH_BASE
    )
