"""Dividing a difference among causes."""

from itertools import permutations
from math import isclose, nan
from random import Random

import pytest

from mergecast.forecasting.explanation.shares import coalitions, divide, shapley
from mergecast.forecasting.forecast.answer import Compared


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_shapley_values_are_means_over_all_orders(count: int) -> None:
    draw = Random(count)
    values = {coalition: draw.random() for coalition in coalitions(count)}
    orders = list(permutations(range(count)))
    wanted = [0.0] * count
    for order in orders:
        for place, player in enumerate(order):
            before = frozenset(order[:place])
            wanted[player] += (values[before | {player}] - values[before]) / len(orders)
    found = shapley(values.__getitem__, count)
    assert all(isclose(one, other) for one, other in zip(found, wanted, strict=True))


def test_parts_and_what_is_not_explained_add_up_to_the_recorded_difference() -> None:
    draw = Random(7)
    replicates = [
        {one: Compared(*(draw.uniform(50, 150) for _ in range(3))) for one in coalitions(3)} for _ in range(8)
    ]
    recorded = Compared(80.0, 200.0, 1.1), Compared(90.0, 300.0, 1.4)
    found = divide("time_to_merge_p95", replicates, recorded, 3)
    assert found is not None
    assert isclose(sum(part.mean for part in found.parts) + found.not_explained.mean, found.recorded)
    assert isclose(sum(part.mean for part in found.parts), found.replayed.mean)


def test_replicates_that_agree_leave_no_room_for_chance() -> None:
    level = {frozenset[int](): Compared(100.0, 200.0, 1.0), frozenset({0}): Compared(120.0, 200.0, 1.0)}
    found = divide("time_to_merge_p50", [level] * 8, (level[frozenset()], level[frozenset({0})]), 1)
    assert found is not None
    assert (found.chance, found.off, found.parts[0].reach) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("runs", [0.0, nan])
def test_a_figure_that_a_replay_does_not_have_is_not_divided(runs: float) -> None:
    level = {frozenset[int](): Compared(100.0, 200.0, 1.0), frozenset({0}): Compared(100.0, 200.0, runs)}
    recorded = Compared(100.0, 200.0, 1.0), Compared(100.0, 200.0, 2.0)
    assert divide("ci_runs_per_merge", [level] * 8, recorded, 1) is None
