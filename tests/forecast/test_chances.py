"""Chances from a few replays, and against what happened: bins, and the correction that follows from them."""

from random import Random
from statistics import fmean, pstdev

import pytest

from mergecast.forecasting.forecast.answer import ChanceBin
from mergecast.forecasting.forecast.chances import ChanceCase, Odds, bins_of, evened, odds_of

_REPLAYS = 40


def _instants(count: int, predicted: float, truth: float) -> list[tuple[ChanceCase, ...]]:
    luck = Random(1)
    return [
        tuple(ChanceCase(predicted, luck.random() < truth, has_failed=False) for _ in range(4))
        for _ in range(count)
    ]


def test_chances_are_corrected_by_what_past_ones_show() -> None:
    """They are 97 %, and 55 % merge; a few instants correct less."""
    many, few = odds_of(_instants(400, 0.97, 0.55)), odds_of(_instants(3, 0.97, 0.55))

    assert many.corrected(0.97) == pytest.approx(0.55, abs=0.05)
    assert 0.6 < few.corrected(0.97) < 0.97


def test_chances_that_were_right_stay_as_they_are() -> None:
    found = odds_of([*_instants(300, 0.9, 0.9), *_instants(300, 0.5, 0.5), *_instants(300, 0.2, 0.2)])

    assert [found.corrected(chance) for chance in (0.2, 0.5, 0.9)] == pytest.approx([0.2, 0.5, 0.9], abs=0.06)


def test_those_that_failed_or_came_back_are_corrected_by_their_own_kind() -> None:
    """All others merge more often than their chance says, and those that failed as often."""
    luck = Random(2)
    instants = [
        (
            *(ChanceCase(0.8, luck.random() < 0.95, has_failed=False) for _ in range(8)),
            ChanceCase(0.5, luck.random() < 0.5, has_failed=True),
            ChanceCase(0.2, luck.random() < 0.45, has_failed=False, has_returned=True),
        )
        for _ in range(300)
    ]

    found = odds_of(instants)

    assert found.corrected(0.8) == pytest.approx(0.95, abs=0.03)
    assert found.corrected(0.5, has_failed=True) == pytest.approx(0.5, abs=0.06)
    assert found.corrected(0.2, has_returned=True) == pytest.approx(0.45, abs=0.06)


def test_without_cases_nothing_is_corrected() -> None:
    assert odds_of([]) == Odds()
    assert Odds().corrected(0.3) == pytest.approx(0.3)


def test_cases_with_about_the_same_chance_are_counted_together() -> None:
    cases = [ChanceCase(chance, merged, has_failed=False) for chance, merged in
             ((0.96875, True), (0.90625, True), (0.9375, False), (0.5, True), (0.5625, False))]  # fmt: skip

    assert list(bins_of(cases)) == [ChanceBin(0.53125, 0.5, 2), ChanceBin(0.9375, 2 / 3, 3)]


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
