"""Chances are corrected by what became of pull requests that came back unchanged."""

import pytest

from mergecast.signals.verdict.calibration import Chance, Return, calibrate


def _returns(merged: int, failed: int, chance: float = 0.8) -> list[Return]:
    return [Return(Chance(chance, 0), has_merged=place < merged) for place in range(merged + failed)]


def test_too_few_returns_calibrate_nothing() -> None:
    assert calibrate(_returns(15, 4)) is None


def test_the_record_is_a_sentence() -> None:
    calibration = calibrate(_returns(27, 7))

    assert calibration is not None
    assert calibration.sentence == "Of 34 that people queued again here, 27 merged."


@pytest.mark.parametrize(("merged", "failed"), [(200, 200), (360, 40), (40, 360)])
def test_a_chance_becomes_what_came_of_such_chances(merged: int, failed: int) -> None:
    calibration = calibrate(_returns(merged, failed))

    assert calibration is not None
    assert calibration(Chance(0.8, 0)) == pytest.approx(merged / 400, abs=0.03)


def test_few_returns_change_little() -> None:
    calibration = calibrate(_returns(16, 4))

    assert calibration is not None
    assert calibration(Chance(0.8, 0)) == pytest.approx(0.79, abs=0.01)


def test_failures_of_others_before_raise_the_chance() -> None:
    calibration = calibrate(_returns(16, 4))

    assert calibration is not None
    chances = [calibration(Chance(0.6, failures)) for failures in range(4)]
    assert chances[0] < chances[1] < chances[2] == chances[3]
