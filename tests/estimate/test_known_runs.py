"""A replay that repeats a recorded run repeats its length and its verdict, and draws everything else."""

from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from mergecast.forecasting.estimate.estimate import Estimate, estimate
from mergecast.forecasting.estimate.population import circumstances
from mergecast.forecasting.estimate.tables import oracle_of
from mergecast.forecasting.forecast.what_if import AS_RECORDED, WhatIf
from mergecast.forecasting.history.inference import infer
from mergecast.forecasting.history.reading import read_history
from mergecast.forecasting.history.structure import Run
from mergecast.forecasting.replay.codes import FAIL, PASS
from mergecast.forecasting.replay.replay import replay
from mergecast.forecasting.replay.values import Oracle, Outcome, Policy, QueueRule, RunStart
from mergecast.queues.model.instant import Window
from worlds.events import history_of
from worlds.world import START, World

_MICROSECONDS = 1_000_000


@cache
def _estimate() -> Estimate:
    world = World(5, days=14, pulls_per_day=40, length_median=20, leaving_per_hour=0.2, length_sigma=0.5)
    record = world.play(Policy(rules=(QueueRule(4, 4),)))
    (rules,) = infer(read_history(history_of(world, record), Window(START, world.end)))
    return estimate(rules, 2, seed=1)


@cache
def _oracle() -> Oracle:
    return oracle_of(_estimate(), 0)


def _first_runs(outcome: str | None) -> list[Run]:
    """Runs that are the first of all their members, and whose pull requests were queued only once."""
    history = _estimate().rules.recorded.history
    turns = Counter(stay.pull_request for stay in history.stays)
    once = {stay.number for stay in history.stays if turns[stay.pull_request] == 1}
    seen: set[int] = set()
    found = []
    for run in history.runs:
        if run.outcome == outcome and seen.isdisjoint(run.members) and once.issuperset(run.members):
            found.append(run)
        seen.update(run.members)
    return found


def _asked(run: Run, what_if: WhatIf = AS_RECORDED, **other: Any) -> Outcome:
    """What the oracle says about a run like this one."""
    known = _estimate()
    row = list(known.to_replay.arrivals.number).index(run.members[0])
    start = RunStart(
        leader=row,
        led=0,
        size=len(run.members),
        ahead=0,
        broken=0,
        attempt=1,
        is_part=False,
        in_flight=1,
        at=round(run.started * _MICROSECONDS),
        elapsed=0,
        rule=0,
    )
    oracle = what_if.oracle(_oracle())
    return Outcome(*oracle.outcome(oracle.tables, start._replace(**other)))


def _length(run: Run) -> int:
    return round(((run.ended or 0.0) - run.started) * _MICROSECONDS)


def test_the_same_run_takes_as_long_and_ends_the_same_way() -> None:
    for run in _first_runs("SUCCESS"):
        assert _asked(run)[1:] == (_length(run), PASS)
    for run in _first_runs("CHECKS_FAILED"):
        assert _asked(run)[1:] == (_length(run), FAIL)


def test_a_run_of_other_pull_requests_is_drawn() -> None:
    runs = _first_runs("SUCCESS")

    assert sum(_asked(run, size=len(run.members) + 1).length == _length(run) for run in runs) < len(runs) / 10
    assert all(_asked(run, broken=1).verdict != PASS for run in runs)


@pytest.mark.parametrize(("factor", "outcome"), [(0.0, "CHECKS_FAILED"), (1e9, "SUCCESS")])
def test_other_flakes_change_what_is_repeated(factor: float, outcome: str) -> None:
    runs = _first_runs(outcome)
    found = [_asked(run, WhatIf(flakes=factor)).verdict for run in runs]

    expected = PASS if factor == 0 else FAIL
    assert found.count(expected) >= 0.9 * len(runs) > 0


def test_a_run_that_was_stopped_would_have_taken_longer() -> None:
    stopped = _first_runs("PR_AHEAD_DEQUEUED")

    assert len(stopped) > 5
    assert all(_asked(run).length >= _length(run) for run in stopped)


def test_a_replay_of_unchanged_settings_shares_the_luck_of_the_record() -> None:
    known = _estimate()
    recorded = sum(run.outcome == "CHECKS_FAILED" for run in known.rules.recorded.history.runs)

    def failures(train: Estimate) -> list[int]:
        return [
            replay(
                train.to_replay.arrivals,
                train.rules.policy,
                oracle_of(train, number),
                circumstances(train.rules),
            ).runs.outcome.count(FAIL)
            for number in range(2)
        ]

    near = sum(abs(found - recorded) for found in failures(known))
    far = sum(abs(found - recorded) for found in failures(replace(known, known={})))
    assert near < far
