"""Runs of a replay stand still while CI did."""

from typing import Any

from mergecast.forecasting.estimate.estimate import Estimate, estimate
from mergecast.forecasting.estimate.run_table import run_table
from mergecast.forecasting.estimate.standstills import with_standstills
from mergecast.forecasting.history.inference import infer
from mergecast.forecasting.history.reading import read_history
from mergecast.forecasting.replay.codes import NEVER, PASS
from mergecast.forecasting.replay.values import Leaving, Oracle, Policy, RunStart
from mergecast.queues.model.instant import DAY, HOUR, MINUTE, Window
from worlds.events import history_of
from worlds.world import START, World

_HOUR, _WEEK = 3600.0, 7 * 86_400.0


def _ten_minutes(_: Any, __: Any) -> tuple[int, int, int]:
    return 5 * MINUTE, 10 * MINUTE, PASS


def _never(_: Any, __: Leaving) -> int:
    return NEVER


def _no_fate(_: Any, __: Any) -> tuple[int, int, int]:
    return 0, NEVER, 0


def _taken(at: int) -> int:
    """The minutes of a run that takes its slot at this instant; CI stands still from 2 to 3 and 4 to 5."""
    oracle = Oracle(None, _no_fate, _ten_minutes, _never)
    run = RunStart(0, 0, 1, 0, 0, 1, False, 1, at, 0, 0)
    return (
        with_standstills(oracle, [(2 * _HOUR, 3 * _HOUR), (4 * _HOUR, 5 * _HOUR)]).outcome(None, run)[1]
        // MINUTE
    )


def test_a_run_takes_longer_by_the_standstills_it_meets() -> None:
    assert _taken(0) == 10
    assert _taken(2 * HOUR - 15 * MINUTE) == 10
    assert _taken(2 * HOUR - 10 * MINUTE) == 10 + 60
    assert _taken(2 * HOUR + 25 * MINUTE) == 10 + 30
    assert _taken(3 * HOUR - 5 * MINUTE) == 10


def _fitted(days: int) -> Estimate:
    """CI stands still on the second day of the second week, for four hours."""
    world = World(5, days=28, pulls_per_day=60, outages=((24 * 8 + 10, 24 * 8 + 14),))
    record = world.play(Policy(max_parallel_checks=4))
    (rules,) = infer(read_history(history_of(world, record), Window(START, START + days * DAY)))
    return estimate(rules, 1, 1)


def test_lengths_are_estimated_without_the_standstill() -> None:
    rules = _fitted(28).rules
    ((since, until),) = rules.recorded.standstills

    assert abs(since - 8 * 86_400 - 10 * _HOUR) < 0.5 * _HOUR
    assert abs(until - 8 * 86_400 - 14 * _HOUR) < 0.5 * _HOUR
    assert max(run_table(rules.recorded, rules.queue_names).lengths) < 3 * _HOUR
    assert max((run.ended or 0.0) - run.started for run in rules.recorded.history.runs) > 4 * _HOUR
