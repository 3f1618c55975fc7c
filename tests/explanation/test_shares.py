"""Dividing a difference among causes."""

from itertools import permutations
from math import isclose, log, nan
from random import Random

import pytest

from mergecast.forecasting.explanation.shares import coalitions, divide, mixtures, shapley
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
        {one: Compared(*(draw.uniform(50, 150) for _ in range(3))) for one in mixtures(2)} for _ in range(8)
    ]
    recorded = Compared(80.0, 200.0, 1.1), Compared(90.0, 300.0, 1.4)
    found = divide("time_to_merge_p95", replicates, recorded, 2)
    assert found is not None
    assert isclose(sum(part.mean for part in found.parts) + found.not_explained.mean, found.recorded)
    assert isclose(sum(part.mean for part in found.parts), found.replayed.mean)


def _levels(*p50: float) -> dict[frozenset[int], Compared[float]]:
    """What is replayed if one cause is named: before, with everything else, and with the cause, too."""
    return {of: Compared(value, 200.0, 1.0) for of, value in zip(mixtures(1), p50, strict=True)}


def test_a_cause_adds_what_it_changes_on_the_days_of_the_period_after() -> None:
    # A limit that costs 20 % in a quiet period and doubles the time in one that was busy by chance.
    level = _levels(100.0, 110.0, 220.0)
    recorded = level[frozenset()], level[frozenset({0, 1})]
    found = divide("time_to_merge_p50", [level] * 8, recorded, 1)
    assert found is not None
    assert [part.mean for part in found.parts] == pytest.approx([log(2), log(1.1)])


def test_several_causes_share_what_they_change_together() -> None:
    p50 = {(): 90.0, (2,): 100.0, (0, 2): 110.0, (1, 2): 120.0, (0, 1, 2): 150.0}
    level = {frozenset(of): Compared(value, 200.0, 1.0) for of, value in p50.items()}
    assert set(level) == set(mixtures(2))
    found = divide("time_to_merge_p50", [level] * 8, (level[frozenset()], level[frozenset({0, 1, 2})]), 2)
    assert found is not None
    wanted = [log(1.1 * 150 / 120) / 2, log(1.2 * 150 / 110) / 2, log(100 / 90)]
    assert [part.mean for part in found.parts] == pytest.approx(wanted)


def test_replicates_that_agree_leave_no_room_for_chance() -> None:
    level = _levels(100.0, 110.0, 120.0)
    found = divide("time_to_merge_p50", [level] * 8, (level[frozenset()], level[frozenset({0, 1})]), 1)
    assert found is not None
    assert (found.chance, found.off, found.parts[0].reach) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("runs", [0.0, nan])
def test_a_figure_that_a_replay_does_not_have_is_not_divided(runs: float) -> None:
    level = {**_levels(100.0, 100.0, 100.0), frozenset({0, 1}): Compared(100.0, 200.0, runs)}
    recorded = Compared(100.0, 200.0, 1.0), Compared(100.0, 200.0, 2.0)
    assert divide("ci_runs_per_merge", [level] * 8, recorded, 1) is None
