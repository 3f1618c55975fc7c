"""Chances from a few replays."""

from random import Random
from statistics import fmean, pstdev

import pytest

from mergecast.forecasting.forecast.chances import evened

_REPLAYS = 40


def _shares(*chances: float) -> list[float]:
    draw = Random(1)
    return [sum(draw.random() < chance for _ in range(_REPLAYS)) / _REPLAYS for chance in chances]


def test_what_differs_by_luck_alone_becomes_nearly_the_same() -> None:
    shares = _shares(*[0.8] * 60)
    found = evened(shares, _REPLAYS)
    assert pstdev(shares) > 0.05
    assert pstdev(found) < 0.02
    assert fmean(found) == pytest.approx(fmean(shares))


def test_what_differs_clearly_stays_different() -> None:
    shares = _shares(*[0.9] * 10, *[0.3] * 10)
    found = evened(shares, _REPLAYS)
    assert all(abs(one - share) < 0.05 for one, share in zip(found, shares, strict=True))


@pytest.mark.parametrize("chances", [[], [0.4], [0.7, 0.7]])
def test_without_others_that_differ_nothing_moves(chances: list[float]) -> None:
    assert evened(chances, _REPLAYS) == pytest.approx(chances)
