"""On which day a rate changed."""

from math import log
from random import Random

import pytest

from mergecast.signals.changes.looks import likeliest


def _likelihood(hits: list[int], trials: list[int]) -> float:
    rate = sum(hits) / sum(trials)
    return sum(
        (hit * log(rate) if hit else 0.0) + ((tried - hit) * log(1 - rate) if tried - hit else 0.0)
        for hit, tried in zip(hits, trials, strict=True)
    )


@pytest.mark.parametrize("seed", range(6))
def test_the_day_is_the_one_at_which_two_rates_are_most_likely(seed: int) -> None:
    draw = Random(seed)
    trials = [draw.choice((8, 60)) for _ in range(40)]
    hits = [
        sum(draw.random() < (0.3 if day >= 22 else 0.1) for _ in range(tried))
        for day, tried in enumerate(trials)
    ]
    wanted = max(
        range(5, 36),
        key=lambda day: _likelihood(hits[:day], trials[:day]) + _likelihood(hits[day:], trials[day:]),
    )
    assert likeliest(hits, trials, range(40)) == wanted


def test_a_day_with_few_pull_requests_does_not_decide() -> None:
    # A weekend without a failure just after the rate rose.
    trials = [50] * 15 + [3, 3] + [50] * 15
    hits = [2] * 10 + [6] * 5 + [0, 0] + [6] * 15
    assert likeliest(hits, trials, range(8, 20)) == 10


def test_only_the_days_that_are_near_are_considered() -> None:
    trials, hits = [50] * 30, [2] * 10 + [6] * 20
    assert likeliest(hits, trials, range(14, 20)) == 14


def test_each_side_keeps_enough_days_and_may_have_no_failure() -> None:
    assert likeliest([0] * 8 + [9] * 4, [10] * 12, range(12)) == 7
    assert likeliest([0] * 6 + [9] * 6, [10] * 12, range(12)) == 6
